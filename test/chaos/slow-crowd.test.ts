import { test } from 'node:test';
import { testSlowCrowd } from './slow-crowd.ts';

test('beside hostile bodies 150 slow clients are dropped by the service, and an honest caller is answered every time', () =>
  testSlowCrowd(150, 42));
