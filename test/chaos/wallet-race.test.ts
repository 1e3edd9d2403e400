import { test } from 'node:test';
import { hasPostgres } from '../support/databases.ts';
import { testWalletRace } from './wallet-spenders.ts';

const skip = !(await hasPostgres()) && 'no PostgreSQL here';

test('killed amid spends on postgres: exactly what the wallet holds is spent, and nothing is lost', { skip }, (t) =>
  testWalletRace(t, { engine: 'postgres', processes: 2, spends: 120, kills: 1 }),
);
