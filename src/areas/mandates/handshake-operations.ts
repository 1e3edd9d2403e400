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
import { signatureField } from './mandate-body.ts';
import * as problems from './problems.ts';

const byKey = [problems.keyMissing, problems.keyMalformed, problems.keyInvalid, problems.suspended];

export const verifyAction = defineOperation({
  ...mandateWrite,
  operationId: 'amh_verify',
  access: 'platform',
  path: '/api/amh/verify',
  summary: 'Ask whether a mandate allows an action, and reserve',
  description: `Runs every check, reports all of them, and reserves the amount where the answer is ALLOW. A refusal is an answer too (200, ok false); both are entries of the public log. Seal the reference before expires_at. ${NO_CUSTODY}`,
  input: z.strictObject({
    api_key: apiKeyField,
    mandate_id: mandateIdField,
    ...requestFields,
    counterparty: plainText(1, 200).nullish().meta({ description: 'Whom the action is with' }),
    approval_ref: idField('apr_', 'an approval')
      .nullish()
      .meta({ description: 'Approval of the principal for this payload' }),
    agent_signature: signatureField
      .nullish()
      .meta({ description: 'Ed25519 of the agent, required where the mandate names agent_pubkey' }),
    min_assurance: z.enum(ASSURANCES).default('unsigned').meta({ description: 'What the platform asks for' }),
    hold_seconds: z.int().min(60).max(86_400).default(900).meta({ description: 'How long the amount stays reserved' }),
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
        .meta({ description: 'The earlier verification of the same payload, where it is the caller’s own' }),
      ...attestation,
      disclosure_seed: z.string(),
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
      .array(z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/), url: z.string().max(2_048).optional() }))
      .max(32),
  ],
  {
    error:
      'must be a text of at most 4000 characters, or a list of at most 32 objects with sha256 (64 hex digits) and url',
  },
);

export const sealOutcome = defineOperation({
  ...mandateWrite,
  whileSuspended: 'allowed',
  operationId: 'amh_seal',
  access: 'platform',
  path: '/api/amh/seal',
  summary: 'Seal what came of a verified action',
  description: `Commits what was reserved (placed, confirmed, delivered) or gives it back (failed, cancelled, refused), and leaves an entry in the public log. A seal after the hold ended is taken and marked late. The same seal again gives the same answer. ${NO_CUSTODY}`,
  input: z.strictObject({
    api_key: apiKeyField,
    verify_ref: verifyRefField,
    outcome,
    external_ref: plainText(1, 200).nullish().meta({ description: 'How the platform calls it' }),
    settlement_ref: plainText(1, 200).nullish().meta({ description: 'How the payment can be found' }),
    evidence: Evidence.nullish().meta({ description: 'Kept for the platform, not logged' }),
    final_amount_cents: amountField.nullish().meta({ description: 'At most the verified amount' }),
    payload_hash: payloadHashField.nullish().meta({ description: 'Must be the verified one' }),
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
      disclosure_seed: z.string(),
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
  summary: 'Show a handshake',
  description:
    'Whoever holds the reference sees what was decided and sealed; the platform of the verification, by its key, also checks, what was left, references, evidence, and its own flags and suspension. Records that others submitted under the same reference are never shown.',
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
        .meta({ description: 'Where the principal took it back: it never named this platform' }),
      mandate_id: z.string().optional(),
      checks: z.array(MandateCheck).optional(),
      remaining: Remaining.nullable().optional(),
      external_ref: z.string().nullable().optional(),
      settlement_ref: z.string().nullable().optional(),
      evidence: Evidence.nullable().optional(),
      platform: Standing.optional().meta({ description: 'Flags and suspension of the platform that asks' }),
    })
    .meta({ id: 'HandshakeStatus' }),
  problems: [problems.keyMalformed, problems.keyInvalid, problems.verifyRefNotFound],
  examples: recorded(examples.amh_status),
});

export type VerifyInput = z.output<typeof verifyAction.input>;
export type SealInput = z.output<typeof sealOutcome.input>;
export type StatusInput = z.output<typeof handshakeStatus.input>;
