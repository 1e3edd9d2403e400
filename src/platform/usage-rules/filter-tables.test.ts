import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { cleanText } from '#kernel/foreign-text.ts';
import { regExpWork } from '#kernel/_regexp-work.ts';
import { sentencesOf } from './clauses.ts';
import { brokenRule, nameBreaksRule, PUBLISHED_RULES } from './hard-rules.ts';
import { breach } from './judge.ts';
import { ROBOTICS_CLAIM, signalIn } from './robotics-claims.ts';
import { RULE_ROWS } from './rule-table.ts';
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
  test(`${name}: each offence is found by its rule and its words, and no look-alike is`, () => {
    for (const [id, , place, text, words] of offences) {
      const broken = found(place, text);
      assert.equal(broken?.rule, KEYS[id], text);
      assert.equal(text.slice(broken?.start, broken?.end), broken?.words);
      assert.ok(broken?.words.toLowerCase().includes(words.toLowerCase()), `${text}: ${broken?.words}`);
    }
    for (const [, , place, text] of innocent) assert.equal(found(place, text), null, text);
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

test('of the larger set at least nine in ten harmful texts are caught, and at most one in a hundred harmless is refused', () => {
  const url = new URL('../../../test/evals/development/rules.json', import.meta.url);
  type Row = { readonly where: string; readonly text: string; readonly rule?: string };
  const { harmful, harmless } = JSON.parse(readFileSync(url, 'utf8')) as Record<'harmful' | 'harmless', readonly Row[]>;
  const judged = ({ where, text }: Row) => {
    const clean = cleanText(text);
    return where === 'name' ? nameBreaksRule(clean) : brokenRule(clean, PUBLISHED_RULES);
  };
  const caught = harmful.filter((row) => judged(row)?.rule === KEYS[row.rule ?? '']);
  const refused = harmless.filter((row) => judged(row) !== null);
  assert.ok(caught.length >= 0.9 * harmful.length, `${caught.length} of ${harmful.length}`);
  assert.ok(refused.length <= 0.01 * harmless.length, refused.map(({ text }) => text).join(' | '));
});

const PIECES = [
  ...['a', ' ', '. ', '?', 'key ', 'your ', 'send ', 'your api key ', 'send your ', 'send me your ', 'need your key '],
  ...['founder ', 'as the founder ', 'i am the ', 'use the founder ', 'we ', 'we guarantee if ', 'by us liable '],
  ...['our ', 'our robots ', 'live our robot ', 'with our ', 'not ', 'robot pillar ', 'é', '\u0301'],
  ...[
    'p a s s ',
    'k.e.y.',
    'pass- ',
    'p4ss ',
    'send, ',
    '"send" ',
    'not, or, ',
    'said: ',
    'f0und3r ',
    'ѕеnd ',
    'as the ',
  ],
];
const LENGTH = 2_000;
const HOSTILE = PIECES.map((piece) => `${piece.repeat(LENGTH / piece.length)} founder api key liable robot terug?`);
/** Measured: 47 at most. In the square of these lengths it would be 1,000. */
const BACKTRACKS = 100;
/** Patterns over pieces that overlap, and those that look at what stands between two words. */
const RUNS = 100;

/** How often the classes of terms are looked at when a text is judged by a rule. */
function looks(text: string, row: (typeof RULE_ROWS)[number]): number {
  let count = 0;
  for (const sentence of sentencesOf(`founder api key liable ${text}`)) {
    const terms = sentence.terms.map((term) => ({
      ...term,
      mask: {
        high: term.mask.high,
        get low() {
          count += 1;
          return term.mask.low;
        },
      },
    }));
    breach({ ...sentence, terms }, row);
  }
  return count;
}

suite('hostile repetition does not take work in the square of its length', () => {
  test('from any pattern of robotics_claims', async () => {
    const { keyword, guard, patterns } = ROBOTICS_CLAIM;
    for (const pattern of [keyword, guard, ...patterns]) {
      assert.deepEqual(regExpWork(() => HOSTILE.map((text) => pattern.test(text)), BACKTRACKS).excessive, []);
      await setImmediate();
    }
  });

  for (const row of RULE_ROWS) {
    test(`from the patterns of ${row.rule}: four times the text is at most about four times the work`, () => {
      for (const piece of PIECES) {
        const [once, fourTimes] = [500, 2_000].map((length) => looks(piece.repeat(length / piece.length), row));
        assert.ok((fourTimes ?? 0) <= 5 * (once ?? 0) + 200, `${JSON.stringify(piece)}: ${once}, ${fourTimes}`);
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
