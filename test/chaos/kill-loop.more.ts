import { suite, test } from 'node:test';
import { hasPostgres } from '../support/databases.ts';
import { type KillTarget, testKillLoop } from './kills.ts';

const LOOPS: readonly { target: KillTarget; rounds: number; name: string }[] = [
  { target: 'sqlite', rounds: 4, name: 'on SQLite' },
  { target: 'postgres', rounds: 2, name: 'on PostgreSQL' },
  {
    target: 'postgres-forward',
    rounds: 2,
    name: 'on PostgreSQL when the process is killed that writes for the others',
  },
  { target: 'postgres-3', rounds: 2, name: 'on PostgreSQL while two other processes go on' },
];

const postgres = await hasPostgres();

suite('killed with SIGKILL under load and started again, several times', () => {
  for (const { target, rounds, name } of LOOPS) {
    const skip = target !== 'sqlite' && !postgres && 'no PostgreSQL server binaries here';
    test(`no acknowledged write is lost and none is done twice ${name}`, { skip }, (t) =>
      testKillLoop(t, { target, rounds }),
    );
  }
});
