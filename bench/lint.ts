// The brief lint on 8,000 characters of ordinary and hostile text, in one process on one core.
//   node bench/lint.ts [--runs 200]
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { lintAnswer } from '#areas/briefs/lint/lint.ts';
import { HOSTILE_TEXTS } from '../test/evals/lint-texts.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '200' } } });
const runs = Number(values.runs);
const file = new URL('../test/vectors/brief-lint.json', import.meta.url);
const { texts } = JSON.parse(await readFile(file, 'utf8')) as { texts: { text: string }[] };
const ordinary = texts
  .map(({ text }) => text)
  .join('\n\n')
  .slice(0, 8_000);

for (let turn = 0; turn < 50; turn += 1) lintAnswer(ordinary, undefined);
/** CPU time of a call: on a busy machine wall time tells of its neighbours. */
const figures = Object.entries({ ordinary, ...HOSTILE_TEXTS }).map(([name, text]) => {
  const before = process.threadCpuUsage();
  for (let turn = 0; turn < runs; turn += 1) lintAnswer(text, undefined);
  const { user, system } = process.threadCpuUsage(before);
  return [name, round((user + system) / runs / 1_000)] as const;
});
const slowest = Math.max(...figures.map(([, cpuMs]) => cpuMs));
console.log(
  JSON.stringify({ bench: 'lint', characters: 8_000, slowest_cpu_ms: slowest, cpu_ms: Object.fromEntries(figures) }),
);
