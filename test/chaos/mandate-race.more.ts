import { test } from 'node:test';
import { hasPostgres } from '../support/databases.ts';
import { testMandateRace } from './mandate-verifiers.ts';

const RACES = [
  { engine: 'sqlite', processes: 1, verifies: 300, kills: 2 },
  { engine: 'postgres', processes: 3, verifies: 300, kills: 2 },
] as const;

for (const race of RACES) {
  const skip = race.engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  test(
    `killed twice amid verifies on ${race.engine}: never over the cap, nothing allowed is forgotten`,
    { skip },
    (t) => testMandateRace(t, race),
  );
}
