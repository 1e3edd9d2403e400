import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasPostgres } from '../support/databases.ts';
import { newSeed } from '../support/load.ts';
import { mandateRace } from './mandate-verifiers.ts';

const RACES = [
  { engine: 'sqlite', processes: 1, kills: 1 },
  { engine: 'postgres', processes: 3, kills: 1 },
] as const;

for (const race of RACES) {
  const skip = race.engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  test(`killed amid verifies on ${race.engine}: never over the cap, nothing allowed is forgotten`, {
    skip,
  }, async (t) => {
    const seed = newSeed();
    const report = await mandateRace({ ...race, verifies: 200, seed });
    t.diagnostic(JSON.stringify({ seed, ...report }));
    assert.equal(report.forgotten, 0, `seed ${seed}`);
    assert.ok(report.allowed_cents <= report.cap_cents, `seed ${seed}`);
    assert.ok(report.denied > 0 && report.allowed > 0, `seed ${seed} made no race`);
  });
}
