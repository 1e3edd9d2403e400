import { HOUR_MS } from '#kernel/clock.ts';
import { amountOf, type BriefCard, CARD_ROWS, type CardField, deadlineOf, type WeakCode } from './card.ts';
import type { Language } from './lint/language.ts';
import { CONTRADICTION_QUESTIONS, QUESTIONS } from './questions.ts';

export const PROTOCOL = 'ACB-1';
export const FIELD_CREDITS = { empty: 0, weak: 0.5, good: 1 } as const;
export const FULL_SCORE = CARD_ROWS.reduce((sum, { weight }) => sum + weight, 0);
export const MAX_QUESTIONS = 3;

type FieldState = keyof typeof FIELD_CREDITS;
export type Clarity = 'CLEAR' | 'WORKABLE' | 'UNCLEAR';

interface JudgedField {
  readonly field: CardField;
  readonly state: FieldState;
  readonly credit: number;
  readonly code?: WeakCode;
}

export interface CardQuestion {
  readonly field: CardField;
  readonly code: WeakCode | 'empty' | Contradiction;
  readonly text: string;
}

export const QUESTION_ORDER = [
  'acceptance',
  'target',
  'goal',
  'inputs',
  'boundaries',
  'output',
  'evaluator',
  'if_unclear',
  'spend_cap_usd',
  'expires_at',
  'reward_usd',
] as const satisfies readonly CardField[];

type Contradiction = keyof (typeof CONTRADICTION_QUESTIONS)[Language];

/** Two things that cannot both be meant; asked about before anything else. */
export const CONTRADICTIONS: readonly {
  readonly code: Contradiction;
  readonly field: CardField;
  readonly when: string;
  readonly holds: (card: BriefCard, nowMs: number) => boolean;
}[] = [
  {
    code: 'cap_above_reward',
    field: 'spend_cap_usd',
    when: 'spend_cap_usd above reward_usd, and reward_usd above 0',
    holds(card) {
      const reward = amountOf(card.reward_usd) ?? 0;
      return reward > 0 && (amountOf(card.spend_cap_usd) ?? 0) > reward;
    },
  },
  {
    code: 'expires_soon',
    field: 'expires_at',
    when: 'expires_at in less than one hour',
    holds(card, nowMs) {
      const leftMs = (deadlineOf(card.expires_at) ?? nowMs) - nowMs;
      return leftMs > 0 && leftMs < HOUR_MS;
    },
  },
];

type StateOf = (field: CardField) => FieldState;
const isGood = (stateOf: StateOf) => (field: CardField) => stateOf(field) === 'good';

/** In this order; the first that holds is the verdict. */
export const VERDICT_RULES: readonly {
  readonly verdict: Clarity;
  readonly when: string;
  readonly holds: (stateOf: StateOf, score: number) => boolean;
}[] = [
  {
    verdict: 'CLEAR',
    when: 'goal, acceptance, target and output are good and the score is at least 12',
    holds: (stateOf, score) =>
      (['goal', 'acceptance', 'target', 'output'] as const).every(isGood(stateOf)) && score >= 12,
  },
  {
    verdict: 'WORKABLE',
    when: 'goal is good, acceptance or target is good, and the score is at least 7',
    holds: (stateOf, score) =>
      stateOf('goal') === 'good' && (['acceptance', 'target'] as const).some(isGood(stateOf)) && score >= 7,
  },
  { verdict: 'UNCLEAR', when: 'otherwise', holds: () => true },
];

/** How clear a card is at a moment: the same card at the same moment always gets the same answer. */
export function clarityOf(card: BriefCard, nowMs: number, language: Language) {
  const fields = CARD_ROWS.map((row): JudgedField => judged(row, card, nowMs));
  const byName = new Map(fields.map((field) => [field.field, field]));
  const score = CARD_ROWS.reduce((sum, { field, weight }) => sum + weight * (byName.get(field)?.credit ?? 0), 0);
  const stateOf: StateOf = (field) => byName.get(field)?.state ?? 'empty';
  const verdict = VERDICT_RULES.find((rule) => rule.holds(stateOf, score)) as (typeof VERDICT_RULES)[number];
  const contradictions = CONTRADICTIONS.filter((row) => row.holds(card, nowMs)).map(
    ({ code, field }): CardQuestion => ({ field, code, text: CONTRADICTION_QUESTIONS[language][code] }),
  );
  const unanswered = QUESTION_ORDER.filter((field) => stateOf(field) !== 'good').map(
    (field): CardQuestion => ({ field, code: byName.get(field)?.code ?? 'empty', text: QUESTIONS[language][field] }),
  );
  return {
    protocol: PROTOCOL,
    clarity: verdict.verdict,
    score,
    of: FULL_SCORE,
    language,
    fields,
    questions: [...contradictions, ...unanswered].slice(0, MAX_QUESTIONS),
  } as const;
}

function judged({ field, weak }: (typeof CARD_ROWS)[number], card: BriefCard, nowMs: number): JudgedField {
  const text = card[field];
  if (text === undefined) return { field, state: 'empty', credit: FIELD_CREDITS.empty };
  const rule = weak.find(({ holds }) => holds(text, card, nowMs));
  if (rule === undefined) return { field, state: 'good', credit: FIELD_CREDITS.good };
  return { field, state: 'weak', credit: FIELD_CREDITS.weak, code: rule.code };
}
