// Thousands of entries once more, on the engine that `npm test` leaves out.
import { test } from 'node:test';
import { hasPostgres } from '../../support/databases.ts';
import { auditInTurn } from './audit-in-turn.ts';

test(
  'the auditor goes over full pages on PostgreSQL once and then in turn again, and remembers what it finds',
  {
    skip: !(await hasPostgres()) && 'no PostgreSQL here',
  },
  () => auditInTurn('postgres'),
);
