import { z } from 'zod';
import { hasCanonicalForm } from './canonical-json.ts';
import { cleanText } from './foreign-text.ts';

/** Longest text that is cleaned at all; cleaning may shorten it to the limit of the field. */
const MAX_GIVEN_LENGTH = 4_096;

/** A field for text of other agents: cleaned on the way in, its length counted in code points after cleaning. */
export function cleanedText({ min, max, description }: { min: number; max: number; description?: string }) {
  return z
    .string()
    .max(MAX_GIVEN_LENGTH)
    .transform((given, context) => {
      const text = cleanText(given);
      const length = Array.from(text).length;
      if (length < min || length > max) {
        const fault = length < min ? ['too_short', `at least ${min}`] : ['too_long', `at most ${max}`];
        context.addIssue({
          code: 'custom',
          message: `Use ${fault[1]} characters, counted after cleaning.`,
          params: { code: fault[0] },
        });
      }
      return text;
    })
    .meta({ ...(description !== undefined && { description }), minLength: min, maxLength: max });
}

/** The fault of text that would have to be cleaned. */
export const UNCLEAN = {
  code: 'unclean_text',
  detail: 'Must be clean text: no control characters, no leading, trailing or double spaces.',
};

export function isClean(text: string): boolean {
  return cleanText(text) === text;
}

/** Text that is signed or hashed as it came: what would have to be cleaned is refused instead. */
export function plainText(min: number, max: number) {
  const { code, detail: message } = UNCLEAN;
  return z.string().min(min).max(max).refine(isClean, { message, params: { code } });
}

/** A field of any JSON that is hashed as it came: what has no canonical form is refused. */
export function canonicalField<T extends z.ZodType>(field: T): T {
  return field.refine((given) => hasCanonicalForm(given), {
    message: 'Must be JSON in valid Unicode, at most 60 levels deep.',
    params: { code: 'not_canonical' },
  });
}
