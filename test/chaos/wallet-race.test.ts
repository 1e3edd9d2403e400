import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasPostgres } from '../support/databases.ts';
import { newSeed } from '../support/load.ts';
import { walletRace } from './wallet-spenders.ts';

const RACES = [
  { engine: 'sqlite', processes: 1, kills: 1 },
  { engine: 'postgres', processes: 2, kills: 1 },
] as const;

for (const race of RACES) {
  const skip = race.engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  test(`killed amid spends on ${race.engine}: exactly what the wallet holds is spent, and nothing is lost`, {
    skip,
  }, async (t) => {
    const seed = newSeed();
    const report = await walletRace({ ...race, spends: 150, seed });
    t.diagnostic(JSON.stringify({ seed, ...report }));
    assert.deepEqual([report.forgotten, report.left_micro, report.paid], [0, 0, report.affordable], `seed ${seed}`);
  });
}
