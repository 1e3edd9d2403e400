// Quality of search and answers over the public texts: recall@5 of search; right, wrong, silent and invented answers of ask.
//   npm run -s eval:retrieval -- [--set <file>] [--misses]
// The last line is JSON. A set is {questions: [{lang, question, says, …}]}; a question without `says` has no answer.
import { parseArgs } from 'node:util';
import { judgeRetrieval } from './questions.ts';

const { values } = parseArgs({
  options: { set: { type: 'string' }, misses: { type: 'boolean', default: false } },
});
const { figures, judged } = await judgeRetrieval(values.set);
if (values.misses) {
  for (const { id, part, lang, question, says, cited, answer, confidence, outcome, isFound, isAnswerable } of judged) {
    const isMissed = isAnswerable ? outcome !== 'right' || !isFound : outcome !== 'silent';
    const name = id ?? part;
    if (isMissed)
      console.log(JSON.stringify({ name, lang, outcome, isFound, confidence, question, says, cited, answer }));
  }
}
const shown = { ...Object.fromEntries(Object.entries(figures.by_language)), all: figures.all };
for (const [
  name,
  { questions, answerable, right, wrong, silent, invented, sure, sure_right: sureRight },
] of Object.entries(shown)) {
  console.log(
    `${name}: ${questions} questions, ${answerable} with an answer; right ${right}, wrong ${wrong}, silent ${silent}, invented ${invented}; ` +
      `confidence >= 0.9: ${sure}, of these right ${sureRight}`,
  );
}
console.log(JSON.stringify(figures));
