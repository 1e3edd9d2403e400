import { test } from 'node:test';
import { hasPostgres } from '../support/databases.ts';
import { testWalletRace } from './wallet-spenders.ts';

const RACES = [
  { engine: 'sqlite', processes: 1, spends: 300, kills: 2 },
  { engine: 'postgres', processes: 3, spends: 300, kills: 3 },
] as const;

for (const race of RACES) {
  const skip = race.engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  test(
    `killed again and again amid spends on ${race.engine}: exactly what the wallet holds is spent, and nothing is lost`,
    {
      skip,
    },
    (t) => testWalletRace(t, race),
  );
}
