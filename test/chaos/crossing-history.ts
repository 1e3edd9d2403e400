// npm run crossing-history -- --operations 100000 [--engine sqlite|postgres|all] [--seed N] [--planted <fault>]: one JSON line per engine.
import { parseArgs } from 'node:util';
import { crossingHistory, PLANTED_FAULTS } from './crowd.ts';
import { ENGINES, hasPostgres } from '../support/databases.ts';
import { newSeed } from '../support/random.ts';

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '100000' },
    engine: { type: 'string', default: 'all' },
    seed: { type: 'string', default: String(newSeed()) },
    planted: { type: 'string' },
  },
});
const planted = PLANTED_FAULTS.find((fault) => fault === values.planted);
if (values.planted !== undefined && planted === undefined) {
  throw new Error(`--planted is one of ${PLANTED_FAULTS.join(', ')}`);
}
const SHOWN_SENTENCES = 20;

for (const engine of ENGINES.filter((name) => values.engine === 'all' || values.engine === name)) {
  if (engine === 'postgres' && !(await hasPostgres())) {
    console.error('postgres: no PostgreSQL server binaries here, left out');
    continue;
  }
  const { violations, ...report } = await crossingHistory({
    engine,
    operations: Number(values.operations),
    seed: Number(values.seed),
    ...(planted !== undefined && { planted }),
    callers: 160,
    freezeMs: 6_000,
    everyMs: 10_000,
  });
  console.log(JSON.stringify({ ...report, planted: planted ?? null, violations: violations.length }));
  for (const sentence of violations.slice(0, SHOWN_SENTENCES)) console.error(sentence);
  if (violations.length > 0) process.exitCode = 1;
}
