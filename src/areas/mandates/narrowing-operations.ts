import { z } from 'zod';
import { mandateIdField, timeField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import examples from './examples.json' with { type: 'json' };
import { attestation, BY_CONTROL, controlField, mandateWrite, signedFields, state } from './fields.ts';
import { platformIdField } from './mandate-body.ts';
import { bySignatureOrToken, openToField } from './mandate-operations.ts';
import * as problems from './problems.ts';

export const narrowMandate = defineOperation({
  ...mandateWrite,
  whileSuspended: 'allowed',
  operationId: 'amh_mandate_narrow',
  access: 'principal',
  path: '/api/amh/mandate/{mandate_id}/narrow',
  summary: 'Narrow a mandate to named platforms',
  description:
    'From now on only these platforms may use the mandate. You can remove platforms, never add them. Open holds can still be sealed. Use the control token, or principal_signature over the canonical JSON of {"op":"narrow","mandate_id","platforms","nonce","at"}. The same list again returns the first response.',
  input: z.strictObject({
    mandate_id: mandateIdField,
    control_token: controlField,
    platforms: z.array(platformIdField).min(1).max(64).meta({ description: 'All platforms that may use the mandate.' }),
    ...signedFields,
  }),
  headerOnly: BY_CONTROL,
  output: z
    .strictObject({
      mandate_id: z.string(),
      open_to: openToField,
      platforms: z.array(z.string()),
      narrowed_at: timeField,
      ...attestation,
    })
    .meta({ id: 'MandateNarrowing' }),
  problems: [...bySignatureOrToken, problems.notNarrower],
  examples: recorded(examples.amh_mandate_narrow),
});

const VoidedUse = z
  .strictObject({
    verify_ref: z.string(),
    state: state.meta({ description: 'The state before it was voided.' }),
    returned_cents: z.int(),
  })
  .meta({ id: 'VoidedUse' });

export const voidPlatform = defineOperation({
  ...mandateWrite,
  whileSuspended: 'allowed',
  operationId: 'amh_mandate_void',
  access: 'principal',
  path: '/api/amh/mandate/{mandate_id}/void',
  summary: "Void an unknown platform's use of a mandate",
  description:
    'Returns to the budget what a platform that the principal never named has reserved and committed, and ends what it could still seal. Narrow the mandate first: a platform that was ever named on it cannot be voided. Each verification then shows voided, to the platform and in public. Its earlier entries stay. Use the control token, or principal_signature over the canonical JSON of {"op":"void","mandate_id","platform_id","nonce","at"}. Repeat the call while more is true.',
  input: z.strictObject({
    mandate_id: mandateIdField,
    control_token: controlField,
    platform_id: platformIdField.meta({ description: 'The platform that the principal does not know.' }),
    ...signedFields,
  }),
  headerOnly: BY_CONTROL,
  output: z
    .strictObject({
      mandate_id: z.string(),
      platform_id: z.string(),
      voided: z.array(VoidedUse),
      returned_cents: z.int(),
      more: z.boolean().meta({ description: 'True if one call did not reach all of them.' }),
      voided_at: timeField.nullable().meta({ description: 'Null if there was nothing to void.' }),
      attestation_id: z.string().nullable(),
      log_seq: z.int().nullable(),
    })
    .meta({ id: 'MandateVoid' }),
  problems: [...bySignatureOrToken, problems.platformKnown],
  examples: recorded(examples.amh_mandate_void),
});

export type NarrowInput = z.output<typeof narrowMandate.input>;
export type VoidInput = z.output<typeof voidPlatform.input>;
