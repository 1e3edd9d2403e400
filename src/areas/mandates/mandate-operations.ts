import { z } from 'zod';
import { mandateIdField, timeField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { plainText } from '#kernel/text-field.ts';
import examples from './examples.json' with { type: 'json' };
import {
  apiKeyField,
  assurance,
  attestation,
  BY_CONTROL,
  BY_KEY,
  controlField,
  idempotencyKeyField,
  LONG_BODY,
  mandateRead,
  mandateWrite,
  NO_CUSTODY,
  Remaining,
  requestFields,
  signedFields,
} from './fields.ts';
import { ACTIONS } from './handshake.ts';
import { bodyFields, cents, createFields, importFields } from './mandate-body.ts';
import * as problems from './problems.ts';
import { MANDATE_FLAGS, MANDATE_STATUSES, OPEN_TO } from './views.ts';

export const openToField = z
  .enum(OPEN_TO)
  .meta({ description: 'any_platform: any platform that knows the id may use the mandate.' });
const flagsField = z.array(z.enum(MANDATE_FLAGS)).meta({
  description: 'open_mandate: no list of platforms and no agent key stops a stranger from using it up.',
});

const sourceField = z.literal('ap2').optional();
const createKeyField = idempotencyKeyField.meta({
  description:
    'With 16 characters or more: for one day, a repeated call with the same key returns the first response again.',
});
export const createMandate = defineOperation({
  ...mandateWrite,
  ...LONG_BODY,
  operationId: 'amh_mandate',
  path: '/api/amh/mandate',
  summary: 'Create a mandate',
  description: `Stores what an agent may commit for its principal: caps, actions, platforms, counterparties, validity period. Anyone can post one. assurance says whether the principal signed it (Ed25519 over the canonical JSON of the body without principal_signature). An AP2 open payment mandate is imported with ap2, agent_id and, if you like, principal; importing it again returns the first mandate (200). The control token is shown once and lets you revoke, approve, narrow and void. Bodies have at most 256 KiB. ${NO_CUSTODY}`,
  input: importFields.reduce(
    (schema, name) =>
      schema.refine((given) => given[name] !== undefined || given.ap2 !== undefined, {
        path: [name],
        message: 'This field is required.',
        params: { code: 'missing' },
        // With other faults, too: a caller learns of all of them at once.
        when: () => true,
      }),
    z.strictObject({ ...createFields, idempotency_key: createKeyField }),
  ),
  headerOnly: { 'idempotency-key': 'idempotency_key' },
  output: z
    .strictObject({
      mandate_id: z.string(),
      status: z.enum(MANDATE_STATUSES),
      assurance,
      mandate_sha256: z
        .string()
        .meta({ description: 'Over the canonical JSON of the body as accepted, including the nonce.' }),
      nonce: z.string(),
      control_token: z.string().nullable().meta({ description: 'Only its hash is stored.' }),
      open_to: openToField,
      flags: flagsField,
      remaining: Remaining,
      created_at: timeField,
      ...attestation,
      source: sourceField,
      ap2: z
        .strictObject({
          open_mandate_sha256: z.string(),
          constraints: z.array(z.looseObject({ type: z.string(), checked_by: z.array(z.string()) })),
        })
        .optional()
        .meta({ description: 'The constraints as fields of a mandate, and the checks that hold each.' }),
    })
    .meta({ id: 'Mandate' }),
  successStatus: 201,
  repeatStatus: 200,
  problems: [problems.signatureInvalid, problems.nonceReused, problems.idempotencyConflict, problems.importedBefore],
  examples: recorded(examples.amh_mandate),
});

const Hold = z.strictObject({ verify_ref: z.string(), amount_cents: z.int(), expires_at: timeField });
const UsedBy = z
  .strictObject({
    platform_id: z.string(),
    untrusted_name: z.string().meta({ description: "The platform's name as it registered it. Nobody verified it." }),
    uses: z.int(),
    reserved_cents: z.int(),
    committed_cents: z.int(),
  })
  .meta({ id: 'MandateUse' });
const MandateView = z
  .strictObject({
    mandate_id: z.string(),
    status: z.enum(MANDATE_STATUSES),
    assurance,
    actions: z.array(z.enum(ACTIONS)),
    custom_actions: z.array(z.string()),
    currency: z.string(),
    valid_from: timeField,
    valid_until: timeField,
    mandate_sha256: z.string(),
    principal_pubkey: z.string().nullable(),
    revoked_at: timeField.nullable(),
    open_to: openToField,
    flags: flagsField,
    ...attestation,
    source: sourceField,
    max_commit_cents: cents.optional(),
    per_action_cap_cents: cents.optional(),
    max_actions: z.int().nullable().optional(),
    period: bodyFields.period.unwrap().nullable().optional(),
    approval: bodyFields.approval.unwrap().nullable().optional(),
    remaining: Remaining.optional(),
    open_holds: z.array(Hold).optional().meta({ description: 'A platform sees only its own.' }),
    used_by: z
      .array(UsedBy)
      .optional()
      .meta({ description: 'For the principal only: the platforms that have used the mandate.' }),
    principal: bodyFields.principal.optional(),
    agent_id: z.string().optional(),
    counterparties: z.array(z.string()).nullable().optional(),
    platforms: z.array(z.string()).nullable().optional(),
  })
  .meta({
    id: 'MandateView',
    description: 'The members after source are only for the principal and for allowed platforms.',
  });

export const viewMandate = defineOperation({
  ...mandateRead,
  operationId: 'amh_mandate_view',
  path: '/api/amh/mandate/{mandate_id}',
  summary: 'Get a mandate',
  description:
    'Anyone with the id sees what the mandate allows and whether it is in force. With the control token or the key of an allowed platform, the response includes caps, remaining amounts, holds and parties. A wrong credential is refused.',
  input: z.strictObject({ mandate_id: mandateIdField, control_token: controlField, api_key: apiKeyField }),
  headerOnly: { ...BY_CONTROL, ...BY_KEY },
  output: MandateView,
  problems: [problems.keyMalformed, problems.keyInvalid, problems.mandateNotFound],
  examples: recorded(examples.amh_mandate_view),
});

export const bySignatureOrToken = [
  problems.signatureInvalid,
  problems.keyMissing,
  problems.keyMalformed,
  problems.keyInvalid,
  problems.mandateNotFound,
  problems.nonceReused,
];

export const revokeMandate = defineOperation({
  ...mandateWrite,
  whileSuspended: 'allowed',
  operationId: 'amh_mandate_revoke',
  access: 'principal',
  path: '/api/amh/mandate/{mandate_id}/revoke',
  summary: 'Revoke a mandate',
  description:
    'Ends a mandate: every later verify is refused. Open holds can still be sealed. Use the control token, or principal_signature over the canonical JSON of {"op":"revoke","mandate_id","nonce","at"}. A second call returns the first response.',
  input: z.strictObject({
    mandate_id: mandateIdField,
    control_token: controlField,
    reason: plainText(0, 280).optional().meta({ description: 'Not stored and not logged.' }),
    ...signedFields,
  }),
  headerOnly: BY_CONTROL,
  output: z
    .strictObject({ status: z.literal('revoked'), revoked_at: timeField, open_holds: z.int(), ...attestation })
    .meta({ id: 'MandateRevocation' }),
  problems: bySignatureOrToken,
  examples: recorded(examples.amh_mandate_revoke),
});

export const approveAction = defineOperation({
  ...mandateWrite,
  operationId: 'amh_mandate_approve',
  access: 'principal',
  path: '/api/amh/mandate/{mandate_id}/approve',
  summary: 'Approve one action',
  description:
    'Returns a reference, usable once within a day, for exactly this payload and any amount up to the approved one, for an action above the approval threshold. Use the control token, or principal_signature over the canonical JSON of {"op":"approve","mandate_id","action","amount_cents","currency","payload_hash","nonce","at"}, with custom_action if given.',
  input: z.strictObject({
    mandate_id: mandateIdField,
    control_token: controlField,
    ...requestFields,
    ...signedFields,
  }),
  headerOnly: BY_CONTROL,
  output: z.strictObject({ approval_ref: z.string(), expires_at: timeField }).meta({ id: 'MandateApproval' }),
  successStatus: 201,
  problems: bySignatureOrToken,
  examples: recorded(examples.amh_mandate_approve),
});

export type CreateMandateInput = z.output<typeof createMandate.input>;
export type RevokeInput = z.output<typeof revokeMandate.input>;
export type ApproveInput = z.output<typeof approveAction.input>;
export type ViewInput = z.output<typeof viewMandate.input>;
