import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { regExpWork } from '#kernel/_regexp-work.ts';
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
  return JSON.parse(readFileSync(new URL(`../../../test/evals/rules-${name}.json`, import.meta.url), 'utf8')) as Table;
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
const LENGTH = 2_000;
const HOSTILE = PIECES.map((piece) => `${piece.repeat(LENGTH / piece.length)} founder api key liable robot terug?`);
/** Measured: 47 at most. In the square of these lengths it would be 1,000. */
const BACKTRACKS = 100;
/** About 40 patterns, each over pieces that overlap. */
const RUNS = 100;

suite('hostile repetition does not take work in the square of its length', () => {
  const signals = [...SIGNALS, { ...ROBOTICS_CLAIM, rule: 'robotics_claims' }];
  for (const [index, { rule, keyword, guard, patterns }] of signals.entries()) {
    test(`from any pattern of ${rule} (signals ${index})`, async () => {
      for (const pattern of [keyword, guard, ...patterns]) {
        assert.deepEqual(regExpWork(() => HOSTILE.map((text) => pattern.test(text)), BACKTRACKS).excessive, []);
        await setImmediate();
      }
    });
  }

  test('from the filter as a whole', async () => {
    for (const text of HOSTILE) {
      const { characters, excessive } = regExpWork(() => found('text', text), BACKTRACKS);
      assert.deepEqual(excessive, []);
      assert.ok(characters <= RUNS * text.length, `${characters} characters of ${JSON.stringify(text.slice(0, 20))}`);
      await setImmediate();
    }
  });

  const text = 'a'.repeat(LENGTH);
  for (const pattern of [/a{0,100000}b/u, /a+b/, /(?:a|b)*?c/u, /(?:a|aa)+b/]) {
    test(`and the measure sees that ${String(pattern)} does`, () => {
      assert.equal(regExpWork(() => pattern.test(text), BACKTRACKS).excessive.length, 1);
    });
  }

  test('and the measure sees that a pattern which is run over and over does', () => {
    const { characters } = regExpWork(() => {
      for (let at = 0; at < text.length; at += 1) /b/.test(text.slice(at));
    }, BACKTRACKS);
    assert.ok(characters > RUNS * text.length);
  });
});
