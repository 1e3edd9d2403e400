// npm run wallet-race -- [--spends 2000] [--kills 20] [--engine postgres] [--seed N]: one JSON line per engine.
import { parseArgs } from 'node:util';
import { hasPostgres } from '../support/databases.ts';
import { newSeed } from '../support/random.ts';
import { walletRace } from './wallet-spenders.ts';

const { values } = parseArgs({
  options: {
    spends: { type: 'string', default: '2000' },
    kills: { type: 'string', default: '20' },
    engine: { type: 'string' },
    seed: { type: 'string', default: String(newSeed()) },
  },
});
const figures = { spends: Number(values.spends), kills: Number(values.kills), seed: Number(values.seed) };
for (const [engine, processes] of [
  ['sqlite', 1],
  ['postgres', 4],
] as const) {
  if (values.engine !== undefined && values.engine !== engine) continue;
  if (engine === 'postgres' && !(await hasPostgres())) {
    console.error('postgres: no PostgreSQL server binaries here, left out');
    continue;
  }
  const report = await walletRace({ engine, processes, ...figures });
  console.log(JSON.stringify({ engine, processes, ...figures, ...report }));
  if (report.forgotten > 0 || report.left_micro !== 0) process.exitCode = 1;
}
