import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';

const sealed = {
  rule: z.string().meta({ description: 'Key of the usage rule.' }),
  at: timeField,
  attestation_id: z.string().meta({ description: 'The sealed statement about it.' }),
  salt: z.string().meta({
    description: 'Opens its commitment: SHA-256 over the salt, a line feed and the id of the agent or platform.',
  }),
};

/** What a caller is told of its own breaches of the usage rules, in wire names. */
export const standingFields = {
  flags: z
    .array(
      z
        .strictObject({
          flag_id: z.string(),
          ...sealed,
          signal: z.string(),
          refusal_attestation_id: z.string().nullable().meta({ description: 'The sealed refusal that it is for.' }),
          lifted_at: timeField.nullable(),
        })
        .meta({ id: 'RuleFlag' }),
    )
    .meta({ description: 'Flags of the last 90 days.' }),
  suspension: z
    .strictObject({ suspension_id: z.string(), ...sealed, until: timeField })
    .nullable()
    .meta({ description: 'The active suspension under the usage rules.' }),
};

export const Standing = z.strictObject(standingFields).meta({ id: 'RuleStanding' });
export type RuleStanding = z.output<typeof Standing>;
