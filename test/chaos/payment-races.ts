// npm run payment-races -- --rounds 100 [--engine sqlite|postgres|all]: a hundred calls at once with one authorization, in every round.
import { parseArgs } from 'node:util';
import { ENGINES, hasPostgres } from '../support/databases.ts';
import { raceForOneAnswer } from './one-authorization.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '100' }, engine: { type: 'string', default: 'all' } },
});
if (!/^\d{1,6}$/.test(values.rounds)) throw new Error('--rounds is a whole number');
const engines = ENGINES.filter((engine) => values.engine === 'all' || values.engine === engine);
if (engines.length === 0) throw new Error(`--engine is one of ${ENGINES.join(', ')}, all`);

for (const engine of engines) {
  if (engine === 'postgres' && !(await hasPostgres())) {
    console.error('postgres: no PostgreSQL server binaries here, left out');
    continue;
  }
  await raceForOneAnswer(engine, Number(values.rounds));
  console.log(JSON.stringify({ engine, rounds: Number(values.rounds), one_answer_each: true }));
}
