import { suite, test } from 'node:test';
import { hasPostgres } from '../support/databases.ts';
import type { KillTarget } from './kills.ts';
import { testLogKillLoop } from './log-kills.ts';

const LOOPS: readonly { target: KillTarget; rounds: number; name: string }[] = [
  { target: 'sqlite', rounds: 2, name: 'on SQLite' },
  { target: 'postgres-3', rounds: 2, name: 'on PostgreSQL while two other processes go on' },
];

const postgres = await hasPostgres();

suite('the log, killed with SIGKILL while it grows and started again', () => {
  for (const { target, rounds, name } of LOOPS) {
    const skip = target !== 'sqlite' && !postgres && 'no PostgreSQL server binaries here';
    test(`has every answered entry in its place and continues every answered checkpoint ${name}`, { skip }, (t) =>
      testLogKillLoop(t, { target, rounds }),
    );
  }
});
