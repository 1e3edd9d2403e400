import { test } from 'node:test';
import { testSlowCrowd } from './slow-crowd.ts';

test('beside hostile bodies 3,000 slow clients are dropped by the service, and an honest caller is answered every time', () =>
  testSlowCrowd(3_000, 200));
