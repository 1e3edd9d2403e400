// npm run payment-kills -- --kills 1000 [--engine sqlite|postgres|all]: kill -9 between any two steps of paid calls, one JSON line per engine.
import { parseArgs } from 'node:util';
import { ENGINES, hasPostgres } from '../support/databases.ts';
import { paymentKills } from './paid-children.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '100' }, engine: { type: 'string', default: 'all' } },
});
if (!/^\d{1,6}$/.test(values.kills)) throw new Error('--kills is a whole number');
const engines = ENGINES.filter((engine) => values.engine === 'all' || values.engine === engine);
if (engines.length === 0) throw new Error(`--engine is one of ${ENGINES.join(', ')}, all`);

for (const engine of engines) {
  if (engine === 'postgres' && !(await hasPostgres())) {
    console.error('postgres: no PostgreSQL server binaries here, left out');
    continue;
  }
  const report = await paymentKills(engine, Number(values.kills));
  console.log(JSON.stringify(report));
  const { payments, transfers, states, movedAtomic, settledAtomic } = report;
  const isWhole = transfers === payments && states['settled'] === payments && movedAtomic === settledAtomic;
  if (!isWhole) process.exitCode = 1;
}
