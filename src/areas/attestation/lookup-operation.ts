import { z } from 'zod';
import { defineOperation } from '#kernel/operation.ts';
import { LOOKUP_FIELDS } from './lookup-key.ts';
import { hex, logRead, seqField } from './fields.ts';

const SHA = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

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
  examples: [
    {
      name: 'evidence',
      input: { sha256: SHA },
      output: {
        sha256: SHA,
        matches: [
          {
            attestation_id: 'ATT-E6V5YUMJRAFE3HZG3JGSRTZPZ42GISEAMANQPA7O56S3WAMZQRFA',
            seq: 512,
            field: 'evidence_digest' as const,
          },
        ],
        truncated: false,
        covers: 'seals submitted with index:true',
        complete_to_seq: 70_000,
        tree_size: 70_001,
      },
    },
  ],
});
