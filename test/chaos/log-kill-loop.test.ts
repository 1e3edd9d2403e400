import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { hasPostgres } from '../support/databases.ts';
import type { KillTarget } from './kills.ts';
import { newSeed } from '../support/load.ts';
import { logKillLoop } from './log-kills.ts';

const LOOPS: readonly { target: KillTarget; rounds: number; name: string }[] = [
  { target: 'sqlite', rounds: 1, name: 'on SQLite' },
  { target: 'postgres-3', rounds: 1, name: 'on PostgreSQL while two other processes go on' },
];

const postgres = await hasPostgres();

suite('the log, killed with SIGKILL while it grows and started again', () => {
  for (const { target, rounds, name } of LOOPS) {
    const skip = target !== 'sqlite' && !postgres && 'no PostgreSQL server binaries here';
    test(`has every answered entry in its place and continues every answered checkpoint ${name}`, {
      skip,
    }, async (t) => {
      const seed = newSeed();
      const { violations, ...report } = await logKillLoop({ target, rounds, seed });
      t.diagnostic(JSON.stringify(report));
      assert.deepEqual(violations, [], `seed ${seed}`);
      assert.equal(report.rounds, rounds);
      assert.ok(report.seals > rounds && report.releases > 0, `seed ${seed} made too little load`);
      assert.ok(report.checkpoints > rounds && report.unanswered > 0, `seed ${seed}: ${JSON.stringify(report)}`);
    });
  }
});
