import { DAY_MS } from '#kernel/clock.ts';
import { languageOf } from './lint/language.ts';
import { hasPlace, hasVerb, isCheckable, isSelfGraded } from './lint/weak-signs.ts';

export const CARD_FIELDS = [
  'goal',
  'acceptance',
  'target',
  'inputs',
  'boundaries',
  'output',
  'evaluator',
  'if_unclear',
  'spend_cap_usd',
  'expires_at',
  'reward_usd',
] as const;
export type CardField = (typeof CARD_FIELDS)[number];

/** What the principal wrote, cleaned; an absent field is empty. */
export type BriefCard = Readonly<Partial<Record<CardField, string>>>;

export type WeakCode =
  | 'too_short'
  | 'no_verb'
  | 'same_as_goal'
  | 'not_checkable'
  | 'no_place'
  | 'self_graded'
  | 'unknown_choice'
  | 'not_a_number'
  | 'not_iso_8601'
  | 'past';

interface WeakRule {
  readonly code: WeakCode;
  readonly when: string;
  readonly holds: (text: string, card: BriefCard, nowMs: number) => boolean;
}

interface FieldRow {
  readonly field: CardField;
  readonly weight: number;
  readonly good: string;
  readonly weak: readonly WeakRule[];
}

const CHOICES = ['ask_here', 'ask_elsewhere', 'assume'] as const;
const CHOICE_FORMS: ReadonlyMap<string, (typeof CHOICES)[number]> = new Map([
  ['ask here', 'ask_here'],
  ['ask elsewhere', 'ask_elsewhere'],
  ['assume', 'assume'],
  ['assume and state assumptions', 'assume'],
]);

/** Returns the choice that a text means, or the text itself. */
export function storedChoice(text: string): string {
  return CHOICE_FORMS.get(text.toLowerCase().replaceAll('_', ' ')) ?? text;
}

const AMOUNT = /^(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?$/;

export function amountOf(text: string | undefined): number | null {
  return text !== undefined && AMOUNT.test(text) ? Number(text) : null;
}

const ISO_8601 = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:[.,]\d{1,9})?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** The moment that a text names: a day lasts until its end, a time without zone is UTC. */
export function deadlineOf(text: string | undefined): number | null {
  const parts = ISO_8601.exec(text ?? '');
  if (parts === null) return null;
  const [, day = '', minute, second = ':00', zone = 'Z'] = parts;
  const dayMs = Date.parse(`${day}T00:00:00Z`);
  // Date.parse takes 30 February for 2 March.
  if (Number.isNaN(dayMs) || new Date(dayMs).toISOString().slice(0, 10) !== day) return null;
  if (minute === undefined) return dayMs + DAY_MS - 1;
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
  const ms = Date.parse(`${day}T${minute}${second.replace(',', '.')}${offset}`);
  return Number.isNaN(ms) ? null : Math.floor(ms);
}

const MIN_GOAL_LENGTH = 12;
const notANumber: WeakRule = {
  code: 'not_a_number',
  when: 'not a plain decimal number',
  holds: (text) => amountOf(text) === null,
};

/** Every field with what it weighs and what makes it weak; the first rule that holds gives the code. */
export const CARD_ROWS: readonly FieldRow[] = [
  {
    field: 'goal',
    weight: 3,
    good: 'names an outcome',
    weak: [
      {
        code: 'too_short',
        when: `under ${MIN_GOAL_LENGTH} characters`,
        holds: (text) => Array.from(text).length < MIN_GOAL_LENGTH,
      },
      // Verbs are known in two languages; a goal in another one is not held against its author.
      { code: 'no_verb', when: 'no verb', holds: (text) => !hasVerb(text) && languageOf(text).isSupported },
    ],
  },
  {
    field: 'acceptance',
    weight: 3,
    good: 'someone else can check it',
    weak: [
      {
        code: 'same_as_goal',
        when: 'the same text as the goal',
        holds: (text, card) => text.toLowerCase() === card.goal?.toLowerCase(),
      },
      {
        code: 'not_checkable',
        when: 'no number, quotation, path or address, and no observable verb such as pass, return or show',
        holds: (text) => !isCheckable(text),
      },
    ],
  },
  {
    field: 'target',
    weight: 2,
    good: 'says where the result goes',
    weak: [
      {
        code: 'no_place',
        when: 'no path, address, name with a dot or slash, or quoted name',
        holds: (text) => !hasPlace(text),
      },
    ],
  },
  { field: 'inputs', weight: 1, good: 'any text', weak: [] },
  { field: 'boundaries', weight: 1, good: 'any text', weak: [] },
  { field: 'output', weight: 1, good: 'any text', weak: [] },
  {
    field: 'evaluator',
    weight: 1,
    good: 'someone or something other than the worker',
    weak: [{ code: 'self_graded', when: 'only the worker itself is named', holds: isSelfGraded }],
  },
  {
    field: 'if_unclear',
    weight: 1,
    good: CHOICES.join(', '),
    weak: [
      {
        code: 'unknown_choice',
        when: 'any other value',
        holds: (text) => !CHOICES.some((choice) => choice === text),
      },
    ],
  },
  { field: 'spend_cap_usd', weight: 1, good: 'a number, 0 if nothing', weak: [notANumber] },
  {
    field: 'expires_at',
    weight: 0.5,
    good: 'ISO 8601, in the future',
    weak: [
      { code: 'not_iso_8601', when: 'not ISO 8601', holds: (text) => deadlineOf(text) === null },
      { code: 'past', when: 'not in the future', holds: (text, _card, nowMs) => (deadlineOf(text) ?? nowMs) <= nowMs },
    ],
  },
  { field: 'reward_usd', weight: 0.5, good: 'a number, 0 if unpaid', weak: [notANumber] },
];
