import { z } from 'zod';
import { DAY_MS } from '#kernel/clock.ts';
import { idField } from '#kernel/fields.ts';
import { canonicalField, plainText } from '#kernel/text-field.ts';
import { MAX_TOKEN_CHARACTERS } from '#protocol/ap2/sd-jwt.ts';
import { ACTIONS, PERIOD_UNITS } from './handshake.ts';

export const cents = z.int().min(0);
const momentField = z.union([z.iso.datetime({ offset: true }), z.iso.date()], {
  error: 'Must be a day such as 2026-12-15, or a time with its zone such as 2026-12-15T10:00:00Z.',
});
const sha256Field = z.string().regex(/^[0-9a-f]{64}$/);
const bytesField = (bytes: number) =>
  z.string().refine((text) => isBase64Of(text, bytes), {
    message: `Must be ${bytes} bytes in base64.`,
    params: { code: 'wrong_format' },
  });
const publicKeyField = bytesField(32);
export const signatureField = bytesField(64);
export const nonceField = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/, 'Must be 16 to 64 base64url characters.');
export const platformIdField = idField('plt_', 'a platform id');
export const customActionField = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+([._-][a-z0-9]+)*$/, 'Must be lower-case words joined by . _ or -.');
export const currencyField = z.string().regex(/^[A-Z]{3}$/, 'Must be an ISO 4217 code.');

export const bodyFields = {
  agent_id: plainText(2, 80).meta({ description: 'Stable name of the agent.' }),
  principal: z
    .union([plainText(1, 200), z.strictObject({ name: plainText(1, 200), ref: plainText(1, 120).optional() })])
    .meta({ description: 'Who gives the mandate. Free text: Avouch does not verify it.' }),
  max_commit_cents: cents.meta({
    description: 'The maximum that can ever be committed plus reserved, in minor units.',
  }),
  valid_until: momentField.meta({
    description: 'RFC 3339 date-time, or a date, which means its last moment in UTC.',
  }),
  currency: currencyField.optional().meta({ description: 'Default: EUR. Amounts are never converted.' }),
  per_action_cap_cents: cents.optional().meta({ description: 'For a single action. Default: max_commit_cents.' }),
  period: z
    .strictObject({
      unit: z.enum(PERIOD_UNITS),
      cap_cents: cents.optional(),
      max_actions: z.int().min(1).optional(),
    })
    .optional()
    .meta({ description: 'A cap for each UTC day, week (from Monday) or month.' }),
  max_actions: z.int().min(1).optional().meta({ description: 'Over the whole life of the mandate.' }),
  actions: z.array(z.enum(ACTIONS)).min(1).max(8).optional().meta({ description: 'Default: all eight.' }),
  custom_actions: z
    .array(customActionField)
    .max(32)
    .optional()
    .meta({ description: 'Names that the action custom may have.' }),
  platforms: z.array(platformIdField).max(64).optional().meta({
    description: 'Platforms that may use the mandate. Default: any platform that knows its id.',
  }),
  counterparties: z.array(plainText(1, 200)).max(256).optional().meta({ description: 'Default: any.' }),
  valid_from: momentField.optional().meta({ description: 'Default: now.' }),
  approval: z
    .strictObject({ required_above_cents: cents })
    .optional()
    .meta({ description: "Above this amount, each action needs the principal's approval." }),
  purpose_sha256: sha256Field.optional().meta({ description: 'Hash of a text that says what the mandate is for.' }),
  disclose_remaining: z
    .boolean()
    .optional()
    .meta({ description: 'False hides caps and remaining amounts from platforms.' }),
  agent_pubkey: publicKeyField
    .optional()
    .meta({ description: "The agent's Ed25519 key. Every verify must then be signed with it." }),
  nonce: nonceField.optional().meta({ description: 'Required in a signed mandate. Otherwise Avouch creates it.' }),
  principal_pubkey: publicKeyField.optional().meta({ description: 'Ed25519 public key, raw, in base64.' }),
  principal_signature: signatureField
    .optional()
    .meta({ description: 'Ed25519 signature over the canonical JSON of the body without this member.' }),
};

export const tokenField = plainText(1, MAX_TOKEN_CHARACTERS);

/** Given where there is no AP2 mandate to import. */
export const importFields = ['principal', 'max_commit_cents', 'valid_until'] as const;

/** What a mandate is created from: its own fields, or an open mandate of AP2. */
export const createFields = {
  ...bodyFields,
  principal: bodyFields.principal.optional(),
  max_commit_cents: bodyFields.max_commit_cents.optional(),
  valid_until: bodyFields.valid_until.optional(),
  ap2: z
    .strictObject({
      open_payment_mandate: tokenField,
      user_jwk: canonicalField(z.looseObject({ kty: z.string() })).optional(),
      open_checkout_mandate: tokenField.optional(),
    })
    .optional()
    .meta({
      description: 'Imports an AP2 open payment mandate, signed by user_jwk or by a signer that the operator trusts.',
    }),
};

const Body = z.strictObject(bodyFields);
export type MandateBody = z.output<typeof Body>;

/** The same mandate with every default in its place and times as numbers. */
export interface Terms {
  readonly currency: string;
  readonly cap: number;
  readonly perAction: number;
  readonly maxActions: number | null;
  readonly period: {
    readonly unit: (typeof PERIOD_UNITS)[number];
    readonly cap: number | null;
    readonly maxActions: number | null;
  } | null;
  readonly actions: readonly string[];
  readonly customActions: readonly string[];
  readonly platforms: readonly string[] | null;
  readonly counterparties: readonly string[] | null;
  readonly validFromMs: number;
  readonly validUntilMs: number;
  readonly approvalAbove: number | null;
  readonly disclosesRemaining: boolean;
}

/** What an erasure leaves of a body: the numbers and the window, by which seals that are still to come are booked. */
export function erasedBody(body: MandateBody): MandateBody {
  const { currency, max_commit_cents, per_action_cap_cents, period, max_actions, valid_from, valid_until } = body;
  const numbers = { currency, max_commit_cents, per_action_cap_cents, period, max_actions, valid_from, valid_until };
  return { agent_id: '', principal: '', ...numbers };
}

const LAST_MS_OF_DAY = DAY_MS - 1;

/** A bare date is the first moment of its UTC day at the start of a window, the last at its end. */
export function momentOf(text: string, edge: 'from' | 'until'): number {
  return Date.parse(text) + (text.length === 10 && edge === 'until' ? LAST_MS_OF_DAY : 0);
}

/** @param narrowedTo what the principal left of the platforms since */
export function termsOf(body: MandateBody, createdAtMs: number, narrowedTo?: readonly string[]): Terms {
  const { period } = body;
  return {
    currency: body.currency ?? 'EUR',
    cap: body.max_commit_cents,
    perAction: body.per_action_cap_cents ?? body.max_commit_cents,
    maxActions: body.max_actions ?? null,
    period: period
      ? { unit: period.unit, cap: period.cap_cents ?? null, maxActions: period.max_actions ?? null }
      : null,
    actions: body.actions ?? ACTIONS,
    customActions: body.custom_actions ?? [],
    platforms: narrowedTo ?? body.platforms ?? null,
    counterparties: body.counterparties?.map((name) => name.trim()) ?? null,
    validFromMs: body.valid_from === undefined ? createdAtMs : momentOf(body.valid_from, 'from'),
    validUntilMs: momentOf(body.valid_until, 'until'),
    approvalAbove: body.approval?.required_above_cents ?? null,
    disclosesRemaining: body.disclose_remaining ?? true,
  };
}

function isBase64Of(text: string, bytes: number): boolean {
  const decoded = Buffer.from(text, 'base64');
  return decoded.length === bytes && decoded.toString('base64') === text;
}
