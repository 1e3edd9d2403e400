import { DAY_MS } from '#kernel/clock.ts';
import {
  HELD_FIELDS,
  IDLE_RETENTION_MS,
  MAX_BRIEFS_OF_KEY,
  MAX_CARD_CHARACTERS,
  MAX_FIELD_CHARACTERS,
  MAX_SLOTS,
  RETENTION_AFTER_END_MS,
} from './brief.ts';
import { CARD_ROWS } from './card.ts';
import {
  CONTRADICTIONS,
  FIELD_CREDITS,
  FULL_SCORE,
  MAX_QUESTIONS,
  PROTOCOL,
  QUESTION_ORDER,
  VERDICT_RULES,
} from './clarity.ts';
import { MAX_LINT_CHARACTERS } from './inputs.ts';
import { type Language, LANGUAGES } from './lint/language.ts';
import { LINT_ELEMENTS } from './lint/lint.ts';
import { CONTRADICTION_QUESTIONS, QUESTIONS } from './questions.ts';

/** In the order in which they are asked. */
function asked(language: Language) {
  const about = QUESTION_ORDER.map((field) => [field, QUESTIONS[language][field]] as const);
  return { ...CONTRADICTION_QUESTIONS[language], ...Object.fromEntries(about) };
}

/** The whole method, from the tables that compute it. */
export const BRIEF_PROTOCOL_DOCUMENT = {
  protocol: PROTOCOL as typeof PROTOCOL,
  fields: CARD_ROWS.map(({ field, weight, good, weak }) => ({
    field,
    weight,
    good,
    weak: weak.map(({ code, when }) => ({ code, when })),
  })),
  credits: FIELD_CREDITS,
  of: FULL_SCORE,
  verdict_rules: VERDICT_RULES.map(({ verdict, when }) => ({ verdict, when })),
  contradictions: CONTRADICTIONS.map(({ code, field, when }) => ({ code, field, when })),
  question_rule: `First the contradictions, then the empty and weak fields in the order of question_order; at most ${MAX_QUESTIONS}.`,
  question_order: [...QUESTION_ORDER],
  questions: { en: asked('en'), nl: asked('nl') },
  limits: {
    questions: MAX_QUESTIONS,
    field_characters: MAX_FIELD_CHARACTERS,
    card_characters: MAX_CARD_CHARACTERS,
    lint_characters: MAX_LINT_CHARACTERS,
    slots: MAX_SLOTS,
    briefs_per_key: MAX_BRIEFS_OF_KEY,
    days_kept_after_end: RETENTION_AFTER_END_MS / DAY_MS,
    days_kept_unchanged: IDLE_RETENTION_MS / DAY_MS,
  },
  held_fields: [...HELD_FIELDS],
  lint: { elements: [...LINT_ELEMENTS], languages: [...LANGUAGES] },
};
