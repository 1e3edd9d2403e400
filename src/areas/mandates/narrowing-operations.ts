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
    'From now on only these platforms may use the mandate; a platform can be taken away, never added. Holds that are open stay sealable. By the control token, or by principal_signature over the canonical JSON of {"op":"narrow","mandate_id","platforms","nonce","at"}. The same list again gives the first answer.',
  input: z.strictObject({
    mandate_id: mandateIdField,
    control_token: controlField,
    platforms: z.array(platformIdField).min(1).max(64).meta({ description: 'All that may use the mandate' }),
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
    state: state.meta({ description: 'Before it was voided' }),
    returned_cents: z.int(),
  })
  .meta({ id: 'VoidedUse' });

export const voidPlatform = defineOperation({
  ...mandateWrite,
  whileSuspended: 'allowed',
  operationId: 'amh_mandate_void',
  access: 'principal',
  path: '/api/amh/mandate/{mandate_id}/void',
  summary: 'Void what an unknown platform took from a mandate',
  description:
    'Gives the holds and commits of a platform that the principal never named back to the budget, and ends what it could still seal. Narrow the mandate first: what was ever named on it cannot be voided. Each verification then says voided, for the platform and in public; its earlier entries stay. By the control token, or by principal_signature over the canonical JSON of {"op":"void","mandate_id","platform_id","nonce","at"}. Repeat while more is true.',
  input: z.strictObject({
    mandate_id: mandateIdField,
    control_token: controlField,
    platform_id: platformIdField.meta({ description: 'The platform that the principal does not know' }),
    ...signedFields,
  }),
  headerOnly: BY_CONTROL,
  output: z
    .strictObject({
      mandate_id: z.string(),
      platform_id: z.string(),
      voided: z.array(VoidedUse),
      returned_cents: z.int(),
      more: z.boolean().meta({ description: 'True where one call did not reach all of them' }),
      voided_at: timeField.nullable().meta({ description: 'Null where there was nothing to void' }),
      attestation_id: z.string().nullable(),
      log_seq: z.int().nullable(),
    })
    .meta({ id: 'MandateVoid' }),
  problems: [...bySignatureOrToken, problems.platformKnown],
  examples: recorded(examples.amh_mandate_void),
});

export type NarrowInput = z.output<typeof narrowMandate.input>;
export type VoidInput = z.output<typeof voidPlatform.input>;
