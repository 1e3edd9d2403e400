import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { hasPostgres } from '../support/databases.ts';
import { type KillTarget, killLoop } from './kills.ts';
import { newSeed } from '../support/load.ts';

const LOOPS: readonly { target: KillTarget; rounds: number; name: string }[] = [
  { target: 'sqlite', rounds: 2, name: 'on SQLite' },
];

const postgres = await hasPostgres();

suite('killed with SIGKILL under load and started again', () => {
  for (const { target, rounds, name } of LOOPS) {
    const skip = target !== 'sqlite' && !postgres && 'no PostgreSQL server binaries here';
    test(`no acknowledged write is lost and none is done twice ${name}`, { skip }, async (t) => {
      const seed = newSeed();
      const { lost, duplicated, violations, ...report } = await killLoop({ target, rounds, seed });
      t.diagnostic(JSON.stringify(report));
      assert.deepEqual({ lost, duplicated, violations }, { lost: [], duplicated: [], violations: [] }, `seed ${seed}`);
      assert.equal(report.rounds, rounds);
      assert.ok(report.replayed > 0 && report.events > rounds, `seed ${seed} made too little load`);
    });
  }
});
