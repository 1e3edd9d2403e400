import { test } from 'node:test';
import { hasPostgres } from '../support/databases.ts';
import { testLogKillLoop } from './log-kills.ts';

const skip = !(await hasPostgres()) && 'no PostgreSQL server binaries here';

test(
  'the log on PostgreSQL, killed with SIGKILL while it grows, has every answered entry and continues every answered checkpoint',
  {
    skip,
  },
  (t) => testLogKillLoop(t, { target: 'postgres', rounds: 1 }),
);
