import { z } from 'zod';
import { cleanedText } from '#kernel/text-field.ts';
import { cardCharacters, cardOf, MAX_CARD_CHARACTERS, MAX_FIELD_CHARACTERS, MAX_SLOTS } from './brief.ts';
import { type CardField, storedChoice } from './card.ts';

const field = (description: string) => cleanedText({ min: 0, max: MAX_FIELD_CHARACTERS, description }).optional();

/** An amount may be a number in JSON; what is not one is asked about, not refused. */
const amount = (description: string) =>
  z
    .union([cleanedText({ min: 0, max: MAX_FIELD_CHARACTERS, description }), z.number().transform(String)])
    .optional()
    .meta({ description });

const cardShape = {
  goal: field('What must be true afterwards that is not true now.'),
  acceptance: field('How someone other than the worker sees that it is done.'),
  target: field('Where the result goes: file, page, endpoint or repository.'),
  boundaries: field('What must not be changed or done.'),
  output: field('The form in which the result is delivered.'),
  inputs: field('Material to start from.'),
  evaluator: field('Who or what decides, other than the worker.'),
  reward_usd: amount('What is paid, in USD. 0 if unpaid.'),
  expires_at: field('Until when the result is useful, ISO 8601. A time without a zone is UTC.'),
  if_unclear: field('One of ask_here, ask_elsewhere and assume.').transform((text) => text && storedChoice(text)),
  spend_cap_usd: amount('How much of your money the worker may spend, in USD. 0 if nothing.'),
} satisfies Record<CardField, z.ZodType>;

const acceptLanguage = z
  .string()
  .optional()
  .meta({ description: 'Language of the questions: the first of en and nl in this list.' });

const CARD_TOO_LONG = {
  path: [],
  message: `The card must have at most ${MAX_CARD_CHARACTERS} characters in total.`,
  params: { code: 'card_too_long' },
};

type GivenCard = z.output<z.ZodObject<typeof cardShape>>;
const fits = (given: GivenCard) => cardCharacters(cardOf(given)) <= MAX_CARD_CHARACTERS;
const needs = (name: string, message: string) => ({ path: [name], message, params: { code: 'missing' } });

export const BriefInput = z
  .strictObject({
    ...cardShape,
    slots: z
      .int()
      .min(1)
      .max(MAX_SLOTS)
      .optional()
      .meta({ description: 'How many agents may hold the work key at the same time. Default: 1.' }),
    key: z
      .string()
      .max(4_096)
      .optional()
      .meta({ description: 'Existing link of the same work elsewhere. Default: the link of the brief.' }),
    brief: z
      .string()
      .regex(/^brf_[0-9a-z]{26}$/, 'Must be a brief id: brf_ and 26 characters.')
      .optional()
      .meta({ description: 'The brief to change. Needs its token.' }),
    token: z
      .string()
      .regex(/^[A-Za-z0-9_-]{43}$/, 'Must be 43 base64url characters.')
      .optional()
      .meta({ description: "The principal's secret, shown when the brief was created." }),
    close: z.enum(['yes']).optional().meta({ description: 'Closes the brief.' }),
    accept_language: acceptLanguage,
  })
  .refine(fits, CARD_TOO_LONG)
  .refine(
    ({ brief, token }) => brief === undefined || token !== undefined,
    needs('token', 'This field is required with brief.'),
  )
  .refine(
    ({ brief, token, close }) => brief !== undefined || (token === undefined && close === undefined),
    needs('brief', 'This field is required with token and close.'),
  );

export const CheckInput = z
  .strictObject({
    ...cardShape,
    goal: cleanedText({ min: 1, max: MAX_FIELD_CHARACTERS, description: 'What must be true afterwards.' }),
    accept_language: acceptLanguage,
  })
  .refine(fits, CARD_TOO_LONG);

export const MAX_LINT_CHARACTERS = 8_000;

export const LintInput = z.strictObject({
  text: z
    .string()
    .min(1)
    .superRefine((text, context) => {
      if (text.length <= MAX_LINT_CHARACTERS || Array.from(text).length <= MAX_LINT_CHARACTERS) return;
      const message = `Use at most ${MAX_LINT_CHARACTERS} characters.`;
      context.addIssue({ code: 'custom', message, params: { code: 'text_too_long' } });
    })
    .meta({ description: 'Text of the task, such as an issue.', minLength: 1, maxLength: MAX_LINT_CHARACTERS }),
  accept_language: acceptLanguage,
});

export type BriefInput = z.output<typeof BriefInput>;
export type CheckInput = z.output<typeof CheckInput>;
export type LintInput = z.output<typeof LintInput>;
