import { test } from 'node:test';
import { testFailover } from './failover.ts';

test('a primary that dies under load loses nothing that was answered, and the service goes on with the standby', (t) =>
  testFailover(t, 30));
