import { z } from 'zod';
import { defineOperation, recorded } from '#kernel/operation.ts';
import examples from './examples.json' with { type: 'json' };
import { LOOKUP_FIELDS } from './lookup-key.ts';
import { hex, logRead, seqField } from './fields.ts';

export const LookupAnswer = z
  .strictObject({
    sha256: hex,
    matches: z
      .array(z.strictObject({ attestation_id: z.string(), seq: seqField, field: z.enum(LOOKUP_FIELDS) }))
      .meta({ description: 'In log order.' }),
    truncated: z.boolean().meta({ description: 'True if there are more than a hundred. These are the oldest.' }),
    covers: z.string(),
    complete_to_seq: z.int().meta({ description: 'The newest entry that was searched. -1 for an empty log.' }),
    tree_size: z.int(),
  })
  .meta({ id: 'SealLookup' });

export const lookup = defineOperation({
  ...logRead,
  operationId: 'attest_lookup',
  path: '/api/attest/lookup',
  summary: 'Find seals by SHA-256',
  description:
    'Finds seals that were submitted with index, by the SHA-256 of their claim in canonical JSON or by one of their evidence digests. Other seals are never found, so an empty result proves nothing. An erased seal is no longer found.',
  input: z.strictObject({
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'Must be SHA-256 in 64 lower-case hex digits.')
      .meta({ description: 'SHA-256 of the claim or of a piece of evidence.' }),
  }),
  output: LookupAnswer,
  cache: 'no-store',
  problems: [],
  examples: recorded(examples.attest_lookup),
});
