import { z } from 'zod';
import { withFaultCode } from '#kernel/query-decoder.ts';
import { plainText } from '#kernel/text-field.ts';
import { cents, currencyField, customActionField, nonceField, signatureField } from './mandate-body.ts';
import { ACTIONS, ASSURANCES, HANDSHAKE_OUTCOMES, STATES } from './handshake.ts';
import { CHECK_RESULTS, DECISIONS, REASONS } from './checks.ts';

export const NO_CUSTODY =
  'Avouch never executes, pays or holds funds: it says what the mandate allows and keeps the record.';

export const verifyRefField = z
  .string()
  .regex(/^AMH-[0-9A-HJKMNP-TV-Z]{26}$/, 'Must be a verify_ref: AMH- and 26 characters.')
  .meta({ description: 'Reference of a verification.' });
export const apiKeyField = z
  .string()
  .max(200)
  .optional()
  .meta({ description: "The platform's key, amhk_…. Shown once, at registration." });
export const controlField = z
  .string()
  .max(200)
  .optional()
  .meta({ description: "The mandate's control token, amhm_…. Shown once, at creation." });
export const idempotencyKeyField = plainText(1, 255)
  .optional()
  .meta({ description: 'For one day, a repeated call with the same key returns the first response again.' });
/** Refused with the codes that the protocol names. */
export const amountField = withFaultCode(
  cents.meta({ description: 'In the minor unit of the currency.' }),
  'amount_invalid',
);
export const payloadHashField = withFaultCode(
  z
    .string()
    .regex(/^(sha256:)?[0-9a-fA-F]{64}$/, 'Must be SHA-256 in hex, with or without sha256: in front.')
    .transform((text) => `sha256:${text.slice(-64).toLowerCase()}`)
    .meta({ description: 'SHA-256 of what is agreed. The seal must repeat it.' }),
  'payload_hash_invalid',
);

/** What is asked about, alike in verify and approve. */
export const requestFields = {
  action: z.enum(ACTIONS).meta({ description: 'The kind of action.' }),
  custom_action: customActionField
    .nullish()
    .meta({ description: 'Required for the action custom, refused with any other.' }),
  amount_cents: amountField,
  currency: currencyField.meta({ description: 'ISO 4217 code.' }),
  payload_hash: payloadHashField,
};
export const signedFields = {
  nonce: nonceField.optional().meta({ description: 'A new value for every signature of the principal.' }),
  at: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: 'When it was signed, within ten minutes of now.' }),
  principal_signature: signatureField
    .optional()
    .meta({ description: "The principal's Ed25519 signature, instead of the control token." }),
};

export const Remaining = z
  .strictObject({ commit_cents: z.int(), period_cents: z.int().nullable(), actions: z.int().nullable() })
  .meta({ id: 'MandateRemaining' });
export const MandateReceipt = z
  .looseObject({ result_sha256: z.string(), signature: z.string(), signer_pubkey: z.string() })
  .meta({ id: 'HandshakeReceipt', description: 'Signs everything else in the response except disclosure_seed.' });
export const MandateCheck = z
  .strictObject({ id: z.string(), name: z.string(), result: z.enum(CHECK_RESULTS) })
  .meta({ id: 'MandateCheck' });
export const assurance = z.enum(ASSURANCES).meta({
  description: 'unsigned: proves nothing about who created the mandate.',
});
export const decision = z.enum(DECISIONS);
export const reason = z.enum(REASONS);
export const state = z.enum(STATES);
export const outcome = z.enum(HANDSHAKE_OUTCOMES).meta({ description: 'The outcome.' });
export const attestation = { attestation_id: z.string(), log_seq: z.int() };

const shared = { tag: 'mandates', access: 'none', price: null, cache: 'no-store' } as const;
export const mandateWrite = { ...shared, method: 'post', effects: true, rate: 'attest-seal' } as const;
export const mandateRead = { ...shared, method: 'get', effects: false, reads: 'store', rate: 'attest-read' } as const;
/** A long list of counterparties, two AP2 tokens or much evidence is more than other calls may send. */
export const LONG_BODY = { bodyLimitBytes: 262_144 } as const;
export const BY_KEY = { 'x-amh-key': 'api_key' };
export const BY_CONTROL = { 'x-amh-control': 'control_token' };
