import { z } from 'zod';
import { defineOperation } from '#kernel/operation.ts';
import * as examples from './examples.ts';
import { base64, idField, Inclusion, read, seqField, timeField } from './fields.ts';
import * as problems from './problems.ts';

export const Verification = z
  .strictObject({
    attestation_id: z.string(),
    found: z.literal(true),
    valid: z.boolean(),
    type: z.enum(['seal', 'mark', 'release']),
    verdict: z.enum(['ACCEPT', 'REJECT']).nullable(),
    code: z.string().nullable(),
    schema_id: z.string().nullable(),
    evidence_class: z.enum(['R', 'A', 'C']).nullable(),
    sandbox: z.boolean(),
    sealed_at: timeField,
    seq: seqField,
    checks: z.array(
      z.strictObject({
        name: z.string(),
        ok: z.boolean().nullable(),
        recomputed: z.string().optional(),
        state: z.string().optional(),
        key: z.string().optional(),
        count: z.int().optional(),
      }),
    ),
    claim: z.record(z.string(), z.unknown()).nullable(),
    entry: base64,
    inclusion: Inclusion,
    checkpoint: z.string(),
    proof: z.string(),
    recomputed_at: timeField,
    origin: z.enum(['protocol', 'submitted']).nullable(),
    means: z.string(),
    does_not_mean: z.string(),
  })
  .meta({ id: 'Verification' });

export const verify = defineOperation({
  ...read,
  operationId: 'attest_verify',
  path: '/api/attest/verify/{attestation_id}',
  summary: 'Verify a seal, a mark or a release',
  description: 'Everything is recomputed from stored bytes at the call. No key needed.',
  input: z.strictObject({ attestation_id: idField }),
  output: Verification,
  cache: 'no-store',
  problems: [problems.attestationNotFound],
  examples: [examples.VERIFICATION],
});
