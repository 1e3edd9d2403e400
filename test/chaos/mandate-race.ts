// npm run mandate-race -- [--verifies 8000] [--kills 20] [--seed N]: one JSON line per engine.
import { parseArgs } from 'node:util';
import { hasPostgres } from '../support/databases.ts';
import { newSeed } from '../support/random.ts';
import { mandateRace } from './mandate-verifiers.ts';

const { values } = parseArgs({
  options: {
    verifies: { type: 'string', default: '8000' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(newSeed()) },
  },
});
const figures = { verifies: Number(values.verifies), kills: Number(values.kills), seed: Number(values.seed) };
for (const [engine, processes] of [
  ['sqlite', 1],
  ['postgres', 4],
] as const) {
  if (engine === 'postgres' && !(await hasPostgres())) {
    console.error('postgres: no PostgreSQL server binaries here, left out');
    continue;
  }
  const report = await mandateRace({ engine, processes, ...figures });
  console.log(JSON.stringify({ engine, processes, ...figures, ...report }));
  if (report.forgotten > 0 || report.allowed_cents > report.cap_cents) process.exitCode = 1;
}
