import { z } from 'zod';
import { idField, mandateIdField, timeField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { plainText } from '#kernel/text-field.ts';
import {
  amountField,
  apiKeyField,
  assurance,
  attestation,
  BY_KEY,
  decision,
  idempotencyKeyField,
  LONG_BODY,
  MandateCheck,
  mandateRead,
  MandateReceipt,
  mandateWrite,
  NO_CUSTODY,
  outcome,
  payloadHashField,
  reason,
  Remaining,
  requestFields,
  state,
  verifyRefField,
} from './fields.ts';
import { ACTIONS, ASSURANCES } from './handshake.ts';
import { Standing } from '#platform/usage-rules/standing.ts';
import examples from './examples.json' with { type: 'json' };
import { signatureField, tokenField } from './mandate-body.ts';
import * as problems from './problems.ts';

const byKey = [problems.keyMissing, problems.keyMalformed, problems.keyInvalid, problems.suspended];

const seedField = z
  .string()
  .nullable()
  .meta({ description: 'Opens single fields of the entry, or erases it. Null once it is erased.' });

const ReceiptClaims = z
  .looseObject({ status: z.enum(['Success', 'Error']), iat: z.int(), reference: z.string() })
  .meta({ id: 'Ap2ReceiptClaims', description: 'Claims of an AP2 receipt, for the platform to sign.' });

export const verifyAction = defineOperation({
  ...mandateWrite,
  ...LONG_BODY,
  operationId: 'amh_verify',
  access: 'platform',
  path: '/api/amh/verify',
  summary: 'Verify an action and reserve the amount',
  description: `Runs every check, reports all of them, and reserves the amount if the decision is ALLOW. A denial is also a normal response (200, ok false). Both are entries in the public log. Seal the reference before expires_at. Bodies have at most 256 KiB. ${NO_CUSTODY}`,
  input: z.strictObject({
    api_key: apiKeyField,
    mandate_id: mandateIdField,
    ...requestFields,
    counterparty: plainText(1, 200).nullish().meta({ description: 'The counterparty of the action.' }),
    approval_ref: idField('apr_', 'an approval')
      .nullish()
      .meta({ description: "The principal's approval for this payload." }),
    agent_signature: signatureField
      .nullish()
      .meta({ description: "The agent's Ed25519 signature. Required if the mandate names agent_pubkey." }),
    ap2: z
      .strictObject({
        presentation: tokenField,
        aud: plainText(1, 2_048),
        nonce: plainText(1, 255),
      })
      .nullish()
      .meta({
        description: 'Closed AP2 mandate, with the aud and nonce that you expect. Needed for an imported mandate.',
      }),
    min_assurance: z
      .enum(ASSURANCES)
      .default('unsigned')
      .meta({ description: 'The lowest assurance that the platform accepts.' }),
    hold_seconds: z.int().min(60).max(86_400).default(900).meta({ description: 'How long the amount stays reserved.' }),
    request_id: idempotencyKeyField,
    idempotency_key: idempotencyKeyField,
  }),
  headerOnly: { ...BY_KEY, 'idempotency-key': 'idempotency_key' },
  output: z
    .strictObject({
      ok: z.boolean(),
      verify_ref: z.string(),
      decision,
      reason,
      assurance,
      action: z.enum(ACTIONS),
      amount_cents: z.int(),
      currency: z.string(),
      checks: z.array(MandateCheck),
      reserved_cents: z.int(),
      decided_at: timeField,
      expires_at: timeField.nullable(),
      remaining: Remaining.nullable(),
      mandate_sha256: z.string(),
      payload_hash: z.string(),
      existing_verify_ref: z
        .string()
        .optional()
        .meta({ description: 'The earlier verification of the same payload, if the caller made it.' }),
      ...attestation,
      ap2: z.strictObject({ reference: z.string() }).optional(),
      receipt_claims: ReceiptClaims.optional(),
      disclosure_seed: seedField,
      receipt: MandateReceipt,
    })
    .meta({ id: 'MandateDecision' }),
  problems: [...byKey, problems.mandateNotFound, problems.idempotencyConflict],
  examples: recorded(examples.amh_verify),
});

const Evidence = z.union(
  [
    plainText(0, 4_000),
    z
      .array(z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/), url: plainText(0, 2_048).optional() }))
      .max(32),
  ],
  {
    error:
      'Must be a text of at most 4000 characters, or a list of at most 32 objects with sha256 (64 hex digits) and url.',
  },
);

export const sealOutcome = defineOperation({
  ...mandateWrite,
  ...LONG_BODY,
  whileSuspended: 'allowed',
  judgesRate: true,
  operationId: 'amh_seal',
  access: 'platform',
  path: '/api/amh/seal',
  summary: 'Seal an outcome',
  description: `Commits the reserved amount (placed, confirmed, delivered) or releases it (failed, cancelled, refused), and writes an entry in the public log. A seal after the hold expired is accepted and marked late. While the hold is open, no rate limit refuses its seal. The same seal again returns the same response. Bodies have at most 256 KiB. ${NO_CUSTODY}`,
  input: z.strictObject({
    api_key: apiKeyField,
    verify_ref: verifyRefField,
    outcome,
    external_ref: plainText(1, 200).nullish().meta({ description: "The platform's own reference." }),
    settlement_ref: plainText(1, 200).nullish().meta({ description: 'A reference to find the payment.' }),
    evidence: Evidence.nullish().meta({ description: 'Kept for the platform, not logged.' }),
    final_amount_cents: amountField.nullish().meta({ description: 'At most the verified amount.' }),
    payload_hash: payloadHashField.nullish().meta({ description: 'Must be the verified payload hash.' }),
  }),
  headerOnly: BY_KEY,
  output: z
    .strictObject({
      ...attestation,
      verify_ref: z.string(),
      outcome,
      state,
      prev_attestation_id: z.string(),
      committed_cents: z.int(),
      released_cents: z.int(),
      refunded_cents: z.int(),
      late: z.boolean(),
      over_cap: z.boolean(),
      mandate_sha256: z.string(),
      payload_hash: z.string(),
      sealed_at: timeField,
      receipt_claims: ReceiptClaims.optional(),
      disclosure_seed: seedField,
      receipt: MandateReceipt,
    })
    .meta({ id: 'HandshakeSeal' }),
  problems: [
    ...byKey,
    problems.verifyRefNotFound,
    problems.transitionInvalid,
    problems.amountExceedsVerified,
    problems.payloadMismatch,
  ],
  examples: recorded(examples.amh_seal),
});

export const handshakeStatus = defineOperation({
  ...mandateRead,
  operationId: 'amh_status',
  path: '/api/amh/status/{verify_ref}',
  summary: 'Get a verification',
  description:
    'Anyone with the reference sees the decision and the seal. The platform that verified, with its key, also sees the checks, the remaining amounts, references, evidence, and its own flags and suspension. Records that others submitted under the same reference are never shown.',
  input: z.strictObject({ verify_ref: verifyRefField, api_key: apiKeyField }),
  headerOnly: BY_KEY,
  output: z
    .strictObject({
      verify_ref: z.string(),
      state,
      decision,
      reason,
      assurance,
      action: z.enum(ACTIONS),
      custom_action: z.string().nullable(),
      amount_cents: z.int(),
      currency: z.string(),
      platform_id: z.string(),
      mandate_sha256: z.string(),
      payload_hash: z.string(),
      committed_cents: z.int(),
      late: z.boolean(),
      over_cap: z.boolean(),
      created_at: timeField,
      expires_at: timeField.nullable(),
      ...attestation,
      seals: z.array(z.strictObject({ outcome, ...attestation, at: timeField })),
      voided: z
        .strictObject({ voided_at: timeField, returned_cents: z.int(), ...attestation })
        .optional()
        .meta({ description: 'Set if the principal voided it.' }),
      mandate: z.literal('erased').optional(),
      mandate_id: z.string().optional(),
      checks: z.array(MandateCheck).optional(),
      remaining: Remaining.nullable().optional(),
      external_ref: z.string().nullable().optional(),
      settlement_ref: z.string().nullable().optional(),
      evidence: Evidence.nullable().optional(),
      platform: Standing.optional().meta({ description: 'Flags and suspension of the calling platform.' }),
    })
    .meta({ id: 'HandshakeStatus' }),
  problems: [problems.keyMalformed, problems.keyInvalid, problems.verifyRefNotFound],
  examples: recorded(examples.amh_status),
});

export type VerifyInput = z.output<typeof verifyAction.input>;
export type SealInput = z.output<typeof sealOutcome.input>;
export type StatusInput = z.output<typeof handshakeStatus.input>;
