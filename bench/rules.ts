// The filter of the usage rules on 8,000 characters of ordinary and hostile text, in one process on one core.
//   node bench/rules.ts [--runs 400]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cleanText } from '#kernel/foreign-text.ts';
import { brokenRule, PUBLISHED_RULES } from '#platform/usage-rules/hard-rules.ts';
import { softRuleOf } from '#platform/usage-rules/soft-rules.ts';
import { round } from './_rounds.ts';

const CHARACTERS = 8_000;
const { values } = parseArgs({ options: { runs: { type: 'string', default: '400' } } });
const runs = Number(values.runs);
const json = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as never;
const { texts } = json('../test/vectors/brief-lint.json') as { texts: { text: string; language: string }[] };
const { innocent } = json('../test/evals/rules-cases.json') as { innocent: [string, string, string, string][] };
const full = (parts: readonly string[]) => cleanText(parts.join(' ').repeat(40)).slice(0, CHARACTERS);

const TEXTS = {
  ordinary_en: full(texts.filter(({ language }) => language === 'en').map(({ text }) => text)),
  ordinary_nl: full(texts.filter(({ language }) => language === 'nl').map(({ text }) => text)),
  look_alikes_en: full(innocent.filter(([, language]) => language === 'en').map(([, , , text]) => text)),
  look_alikes_nl: full(innocent.filter(([, language]) => language === 'nl').map(([, , , text]) => text)),
  hostile_keys: 'your api key '.repeat(CHARACTERS / 13),
  hostile_asks: 'send your '.repeat(CHARACTERS / 10),
  hostile_robots: 'our robots '.repeat(CHARACTERS / 11),
};

/** All that runs on a published text. */
function judge(text: string): void {
  if (brokenRule(text, PUBLISHED_RULES) !== null) throw new Error('an ordinary text breaks a rule');
  softRuleOf(text);
}

const figures = Object.entries(TEXTS).map(([name, text]) => {
  for (let turn = 0; turn < 50; turn += 1) judge(text);
  const before = process.threadCpuUsage();
  for (let turn = 0; turn < runs; turn += 1) judge(text);
  const { user, system } = process.threadCpuUsage(before);
  return [name, round((user + system) / runs / 1_000)] as const;
});
console.log(JSON.stringify({ bench: 'rules', characters: CHARACTERS, cpu_ms: Object.fromEntries(figures) }));
