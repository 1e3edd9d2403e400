import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brokenRule, nameBreaksRule, PUBLISHED_RULES } from './hard-rules.ts';
import { FILTER_QUALITY } from './quality.ts';
import { ROBOTICS_CLAIM, SIGNALS } from './rule-table.ts';
import { signalIn } from './hard-rules.ts';
import { softRuleOf } from './soft-rules.ts';

type Offence = readonly [id: string, language: string, place: 'text' | 'name', text: string, words: string];
interface Table {
  readonly offences: readonly Offence[];
  readonly innocent: readonly (readonly [id: string, language: string, place: 'text' | 'name', text: string])[];
}

const KEYS: Readonly<Record<string, string>> = {
  R1: 'founder_impersonation',
  R2: 'secret_request',
  R4: 'warranty_promise',
  R5: 'robotics_claims',
};
const TABLES = { worked_with: table('cases'), held_out: table('held-out') };

function table(name: string): Table {
  return JSON.parse(readFileSync(new URL(`../../test/evals/rules-${name}.json`, import.meta.url), 'utf8')) as Table;
}

function found(place: string, text: string): { rule: string; start: number; end: number; words: string } | null {
  const hard = place === 'name' ? nameBreaksRule(text) : brokenRule(text, PUBLISHED_RULES);
  if (hard !== null) return hard;
  const soft = signalIn(text, ROBOTICS_CLAIM);
  assert.equal(soft === null ? undefined : KEYS['R5'], softRuleOf(text).soft_rule);
  return soft === null ? null : { rule: 'robotics_claims', ...soft };
}

for (const [name, { offences, innocent }] of Object.entries(TABLES)) {
  test(`${name}: each offence is found by its rule and its words, no look-alike is, and the rates are the published ones`, () => {
    for (const [id, , place, text, words] of offences) {
      const broken = found(place, text);
      assert.equal(broken?.rule, KEYS[id], text);
      assert.equal(text.slice(broken?.start, broken?.end), broken?.words);
      assert.ok(broken?.words.toLowerCase().includes(words.toLowerCase()), `${text}: ${broken?.words}`);
    }
    for (const [, , place, text] of innocent) assert.equal(found(place, text), null, text);
    const published = FILTER_QUALITY[name as keyof typeof TABLES];
    const rates = { offences: offences.length, found: offences.length, innocent: innocent.length, flagged: 0 };
    assert.deepEqual({ ...published, ...rates }, published);
  });
}

test('the tables are large, speak both languages under every rule, and a fifth of them is held out', () => {
  const { worked_with: cases, held_out: held } = TABLES;
  const all = { offences: [...cases.offences, ...held.offences], innocent: [...cases.innocent, ...held.innocent] };
  assert.ok(all.offences.length >= 60 && all.innocent.length >= 120);
  for (const kind of ['offences', 'innocent'] as const) {
    assert.ok(held[kind].length * 5 >= all[kind].length);
    const kinds = new Set(all[kind].map(([id, language]) => `${id} ${language}`));
    assert.deepEqual([...kinds].toSorted(), ['R1 en', 'R1 nl', 'R2 en', 'R2 nl', 'R4 en', 'R4 nl', 'R5 en', 'R5 nl']);
    assert.equal(new Set(all[kind].map(([, , , text]) => text)).size, all[kind].length, 'no sentence twice');
  }
});

const PIECES = [
  ...['a', ' ', '. ', '?', 'key ', 'your ', 'send ', 'your api key ', 'send your ', 'send me your ', 'need your key '],
  ...['founder ', 'as the founder ', 'i am the ', 'use the founder ', 'we ', 'we guarantee if ', 'by us liable '],
  ...['our ', 'our robots ', 'live our robot ', 'with our ', 'not ', 'robot pillar ', 'é', '\u0301'],
];
const HANG_MS = 60_000;
const SHORT = 1_000;

/** The quickest of some runs: what the work needs when nobody disturbs it. */
function quickestMs(work: () => unknown): number {
  const runs = Array.from({ length: 9 }, () => {
    const before = process.cpuUsage();
    work();
    return process.cpuUsage(before).user / 1_000;
  });
  return Math.min(...runs);
}

/** Four times the text is four times the work, and sixteen times where it were quadratic. */
function isQuadratic(work: (length: number) => unknown): boolean {
  work(SHORT);
  const growths = () => quickestMs(() => work(4 * SHORT)) > 10 * quickestMs(() => work(SHORT)) + 1;
  return [1, 2, 3, 4].every(growths);
}

test('no pattern and no whole text of hostile repetition takes work in the square of its length', {
  timeout: HANG_MS,
}, () => {
  const signals = [...SIGNALS, { ...ROBOTICS_CLAIM, rule: 'robotics_claims' }];
  const texts = (length: number) =>
    PIECES.map((piece) => `${piece.repeat(length / piece.length)} founder api key liable robot terug?`);
  const works: [string, (length: number) => unknown][] = [
    ...signals.flatMap(({ rule, guard, patterns }) =>
      [guard, ...patterns].map((pattern, index): [string, (length: number) => unknown] => [
        `${rule} ${index}`,
        (length) => texts(length).map((text) => pattern.test(text)),
      ]),
    ),
    ['the filter', (length) => texts(length).map((text) => found('text', text))],
  ];
  assert.deepEqual(
    works.filter(([, work]) => isQuadratic(work)).map(([name]) => name),
    [],
  );
  assert.ok(
    isQuadratic((length) => /a{0,100000}b/u.test('a'.repeat(4 * length))),
    'the measure sees what is quadratic',
  );
});
