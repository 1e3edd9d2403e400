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
      .meta({ description: 'In the order of the log' }),
    truncated: z.boolean().meta({ description: 'There are more than a hundred; these are the oldest' }),
    covers: z.string(),
    complete_to_seq: z.int().meta({ description: 'The newest entry that was looked at; -1 in an empty log' }),
    tree_size: z.int(),
  })
  .meta({ id: 'SealLookup' });

export const lookup = defineOperation({
  ...logRead,
  operationId: 'attest_lookup',
  path: '/api/attest/lookup',
  summary: 'Seals of a claim or of a piece of evidence, by its SHA-256',
  description:
    'Finds seals that were submitted with index: by the SHA-256 of their claim in canonical JSON, or by one of their evidence digests. Others are never found, so no match proves nothing. An erased seal is no longer found.',
  input: z.strictObject({
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be SHA-256 in 64 lower-case hex digits')
      .meta({ description: 'SHA-256 of the claim or of a piece of evidence' }),
  }),
  output: LookupAnswer,
  cache: 'no-store',
  problems: [],
  examples: recorded(examples.attest_lookup),
});
