import { z } from 'zod';
import { cleanedText } from '#kernel/text-field.ts';
import { canonicalKey, type CanonicalKey } from '#protocol/work-key.ts';

const KEY_FAULTS = {
  key_empty: 'Must not be empty after cleaning.',
  key_too_long: 'Use at most 512 characters, counted after normalisation.',
} as const;

const MAX_GIVEN_KEY_LENGTH = 4_096;
const KEY_MEANING =
  'The work key, which names the work or resource: a task link, an issue link, an endpoint URL or any stable name.';

/** A key as its caller wrote it and as everybody means it. */
export interface GivenKey {
  readonly given: string;
  readonly key: CanonicalKey;
}

const keyText = z.string().max(MAX_GIVEN_KEY_LENGTH);

/** A work key, canonical after decoding, so that everyone meaning the same thing writes it identically. */
export const keyField = keyText.transform(givenKey).meta({ description: KEY_MEANING });

const MAX_KEYS = 16;

/** One key or several, each once after canonicalisation. */
export const keysField = z
  .union([keyText, z.array(keyText).min(1).max(MAX_KEYS)], {
    error: `Must be a work key, or a list of 1 to ${MAX_KEYS} work keys.`,
  })
  .transform((given, context): readonly GivenKey[] => {
    const keys = [given].flat().map((one) => givenKey(one, context));
    return keys.filter((one, index) => keys.findIndex(({ key }) => key === one.key) === index);
  })
  .meta({ description: `${KEY_MEANING} Give it up to ${MAX_KEYS} times to claim all of these work keys or none.` });

function givenKey(given: string, context: z.RefinementCtx): GivenKey {
  const canonical = canonicalKey(given);
  if (canonical.ok) return { given, key: canonical.key };
  context.addIssue({ code: 'custom', message: KEY_FAULTS[canonical.code], params: { code: canonical.code } });
  return z.NEVER;
}

export const agentField = cleanedText({
  min: 2,
  max: 80,
  description: 'A stable name that you choose for your agent.',
});

export const tokenField = z
  .string()
  .regex(/^[A-Za-z0-9_-]{22,86}$/, 'Must be 22 to 86 base64url characters.')
  .meta({ description: "The lease's secret. For a first claim you can create your own, which makes retries safe." });

export const leaseField = z
  .string()
  .regex(/^L[A-Za-z0-9_-]{12}$/, 'Must be a lease id: L and 12 base64url characters.')
  .meta({ description: 'Lease id.' });

export const noteField = cleanedText({ min: 0, max: 280, description: 'A reason or remark for later agents.' });

const NOT_EVIDENCE = 'Must be an http or https URL, or a hex digest of 40 to 128 characters.';

/** A pointer for the reader. It is never fetched, so it is no fact that the service checked. */
export const evidenceField = z
  .string()
  .max(512)
  // attacker-controlled: no blanks, controls or unseen characters, which the URL class would repair or escape
  .regex(/^(?:https?:\/\/[A-Za-z0-9][!-~]*|(?:sha256:)?[0-9a-fA-F]{40,128})$/, NOT_EVIDENCE)
  .refine((text) => !text.startsWith('http') || URL.canParse(text), NOT_EVIDENCE)
  .meta({ description: 'Evidence: an http(s) URL or a hex digest. It is shown to others and never fetched.' });

/** The members by which an answer shows its key. */
export function shownKey({ given, key }: GivenKey): { key: string; key_given?: string } {
  return given === key ? { key } : { key, key_given: given };
}

export const shownKeyFields = {
  key: z.string(),
  key_given: z
    .string()
    .optional()
    .meta({ description: 'The work key as you sent it, if it differs from the normalised one.' }),
};
