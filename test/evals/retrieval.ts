// Quality of search and answers over the public texts: recall@5 of search, wrong answers of ask.
//   npm run -s eval:retrieval -- [--misses development|held_out]
import { parseArgs } from 'node:util';
import { judgeRetrieval } from './questions.ts';

const { values } = parseArgs({ options: { misses: { type: 'string', default: '' } } });
const { figures, misses } = await judgeRetrieval();
for (const line of misses.filter(({ part }) => part === values.misses)) console.error(JSON.stringify(line));
console.log(JSON.stringify(figures));
