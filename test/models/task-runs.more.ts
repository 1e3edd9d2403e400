import { test } from 'node:test';
import { EVERY_BOUNDARY, testKilledRuns } from './killed-runs.ts';

test('a process killed by -9 at every boundary leaves what another one ends: once executed, charged and sealed', () =>
  testKilledRuns(EVERY_BOUNDARY));
