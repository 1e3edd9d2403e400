import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { type BriefCard, CARD_FIELDS, type CardField, deadlineOf, storedChoice } from './card.ts';
import { clarityOf, CONTRADICTIONS, FULL_SCORE } from './clarity.ts';
import { LANGUAGES } from './lint/language.ts';
import { CONTRADICTION_QUESTIONS, QUESTIONS } from './questions.ts';

const NOW = Date.UTC(2026, 10, 15);

const GOOD: Required<BriefCard> = {
  goal: 'The importer accepts files with a byte order mark',
  acceptance: 'npm test passes',
  target: 'src/import/reader.ts',
  inputs: 'the sample file in the ticket',
  boundaries: 'no change to the exporter',
  output: 'one pull request',
  evaluator: 'the maintainer on duty',
  if_unclear: 'ask_here',
  spend_cap_usd: '0',
  expires_at: '2027-01-31',
  reward_usd: '20',
};
const WEAK: Partial<Record<CardField, [string, string][]>> = {
  goal: [
    ['short', 'too_short'],
    ['Dark colours everywhere', 'no_verb'],
  ],
  acceptance: [
    ['looks nicer than before', 'not_checkable'],
    [GOOD.goal, 'same_as_goal'],
  ],
  target: [
    ['somewhere in the app', 'no_place'],
    ['e.g. the parser and/or the writer', 'no_place'],
  ],
  evaluator: [
    ['me', 'self_graded'],
    ['the agent itself decides', 'self_graded'],
    ['zelf', 'self_graded'],
  ],
  if_unclear: [['whatever', 'unknown_choice']],
  spend_cap_usd: [
    ['a little', 'not_a_number'],
    ['1e3', 'not_a_number'],
  ],
  expires_at: [
    ['soon', 'not_iso_8601'],
    ['2026-02-30', 'not_iso_8601'],
    ['2026-11-14', 'past'],
    ['2026-11-15T00:00:00Z', 'past'],
  ],
  reward_usd: [['$20', 'not_a_number']],
};

const judge = (card: BriefCard, nowMs = NOW) => clarityOf(card, nowMs, 'en');
const without = (card: BriefCard, ...fields: CardField[]): BriefCard =>
  Object.fromEntries(Object.entries(card).filter(([field]) => !fields.includes(field as CardField)));

test('every way of being weak has its code, and half the credit of a good field', () => {
  for (const [field, ways] of Object.entries(WEAK) as [CardField, [string, string][]][]) {
    for (const [text, code] of ways) {
      const found = judge({ ...GOOD, [field]: text }).fields.find((row) => row.field === field);
      assert.deepEqual([found?.state, found?.credit, found?.code], ['weak', 0.5, code], `${field}: ${text}`);
    }
  }
});

test('a choice may be written in several ways, and what is no choice stays as it is', () => {
  const stored = ['Ask_Here', 'assume and state assumptions', 'whatever', 'constructor', '__proto__'].map(storedChoice);
  assert.deepEqual(stored, ['ask_here', 'assume', 'whatever', 'constructor', '__proto__']);
});

test('what people write in a good field is good', () => {
  const texts: Partial<Record<CardField, string[]>> = {
    goal: [
      'Zorg dat de importknop werkt',
      'De pagina laadt binnen één seconde en toont alle rijen',
      'Users can sign in',
      '検索の結果を日付で並べ替える',
    ],
    acceptance: ['curl /health answers 200', 'de test slaagt', 'the list contains "Zoë"', 'no error is shown'],
    target: [
      'acme/repo',
      'https://example.org/page',
      'README.md',
      'the page "Contact"',
      '/v1/orders',
      'com.example.Main',
    ],
    evaluator: ['CI', 'me and the CI', 'Anna reviews what the agent made', 'de opdrachtgever'],
    spend_cap_usd: ['0', '12.50'],
    expires_at: ['2026-11-15', '2026-11-15T00:00:01Z', '2026-12-01T10:00+01:00', '2026-12-01 10:00'],
  };
  for (const [field, good] of Object.entries(texts) as [CardField, string[]][]) {
    for (const text of good) {
      const found = judge({ ...GOOD, [field]: text }).fields.find((row) => row.field === field);
      assert.equal(found?.state, 'good', `${field}: ${text} is ${found?.code}`);
    }
  }
});

test('the verdict turns exactly at its scores', () => {
  const with11 = without(GOOD, 'inputs', 'if_unclear', 'spend_cap_usd', 'expires_at', 'reward_usd');
  const { goal, acceptance, inputs, expires_at } = GOOD;
  const cards: [BriefCard, number, string][] = [
    [with11, 11, 'WORKABLE'],
    [{ ...with11, inputs }, 12, 'CLEAR'],
    [{ goal, acceptance, inputs }, 7, 'WORKABLE'],
    [{ goal, acceptance, expires_at }, 6.5, 'UNCLEAR'],
  ];
  for (const [card, score, clarity] of cards) {
    assert.deepEqual([judge(card).score, judge(card).clarity], [score, clarity]);
  }
});

test('a day lasts until its end, a time without zone is UTC, and a time zone counts', () => {
  assert.equal(deadlineOf('2026-11-15'), Date.UTC(2026, 10, 16) - 1);
  assert.equal(deadlineOf('2026-11-15T10:00'), Date.UTC(2026, 10, 15, 10));
  assert.equal(deadlineOf('2026-11-15T10:00:00.5+0130'), Date.UTC(2026, 10, 15, 8, 30, 0, 500));
  assert.equal(deadlineOf('2026-11-15T25:00'), null);
});

test('a brief that expires in less than an hour, and a cap above the reward, are asked about first', () => {
  const soon = judge({ ...without(GOOD, 'target'), expires_at: '2026-11-15T00:59:59Z', spend_cap_usd: '50' });
  assert.deepEqual(
    soon.questions.map(({ field, code }) => [field, code]),
    [
      ['spend_cap_usd', 'cap_above_reward'],
      ['expires_at', 'expires_soon'],
      ['target', 'empty'],
    ],
  );
  assert.deepEqual(judge({ ...GOOD, spend_cap_usd: '50', reward_usd: '0' }).questions, []);
  assert.deepEqual(judge({ ...GOOD, expires_at: '2026-11-15T01:00:00Z' }).questions, []);
});

test('every question exists in both languages', () => {
  for (const language of LANGUAGES) {
    assert.deepEqual(Object.keys(QUESTIONS[language]).toSorted(), CARD_FIELDS.toSorted());
    assert.deepEqual(
      Object.keys(CONTRADICTION_QUESTIONS[language]).toSorted(),
      CONTRADICTIONS.map(({ code }) => code).toSorted(),
    );
  }
});

const RANK = { UNCLEAR: 0, WORKABLE: 1, CLEAR: 2 } as const;
const anyText = (field: CardField) =>
  fc.constantFrom(undefined, GOOD[field], ...(WEAK[field] ?? []).map(([text]) => text));
const anyCard = fc
  .record(Object.fromEntries(CARD_FIELDS.map((field) => [field, anyText(field)])))
  .map((card) => without(card as BriefCard, ...CARD_FIELDS.filter((field) => card[field] === undefined)));

test('a good field in place of another never lowers score or verdict, and the same card is judged the same', () => {
  fc.assert(
    fc.property(anyCard, fc.constantFrom(...CARD_FIELDS), (card, field) => {
      const before = judge(Object.freeze(card));
      const after = judge({ ...card, [field]: GOOD[field] });
      assert.ok(after.score >= before.score && RANK[after.clarity] >= RANK[before.clarity]);
      assert.deepEqual(judge(card), before);
    }),
  );
});

test('at most three questions, no two about a field, and about a good field only a contradiction', () => {
  fc.assert(
    fc.property(anyCard, (card) => {
      const { score, fields, questions } = judge(card);
      assert.ok(questions.length <= 3 && score >= 0 && score <= FULL_SCORE && Number.isInteger(score * 4));
      assert.equal(new Set(questions.map(({ field }) => field)).size, questions.length);
      for (const { field, code } of questions) {
        const isGood = fields.find((row) => row.field === field)?.state === 'good';
        assert.equal(isGood, code in CONTRADICTION_QUESTIONS.en);
      }
    }),
  );
});
