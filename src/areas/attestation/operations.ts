import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { documentPages } from '#web/document.ts';
import { parseClaimBody } from '#protocol/attestation/claim-input.ts';
import examples from './examples.json' with { type: 'json' };
import { BODY_LIMIT_BYTES, hex, idField, logRead, logRow } from './fields.ts';
import * as problems from './problems.ts';
import { Seal, sealText } from './seal-answer.ts';

export const seal = defineOperation({
  ...logRow,
  operationId: 'attest_seal',
  tryable: 8,
  method: 'post',
  path: '/api/attest/seal',
  summary: 'Seal a claim into the public log',
  description:
    'Judges the claim under its schema and seals the verdict, ACCEPT or REJECT, with a proof that verifies offline. The log holds salted commitments, never the claim. A seal proves integrity, order and time of a record; never the truth of the claim.',
  input: z.strictObject({
    schema_id: z.string().max(80).meta({ description: 'Schema under which the claim is sealed' }),
    claim: z.record(z.string(), z.unknown()).meta({ description: 'The claim, in the shape of its schema' }),
    disclosure: z
      .enum(['holder', 'public'])
      .default('holder')
      .meta({ description: 'public: verify shows the claim to everybody, for good' }),
    index: z
      .boolean()
      .optional()
      .meta({ description: 'true: whoever has the SHA-256 of the claim or of its evidence finds the seal' }),
    idempotency_key: z
      .string()
      .regex(/^[\x21-\x7e]{16,255}$/, 'must be 16 to 255 visible ASCII characters')
      .optional()
      .meta({ description: 'A repeated call with the same key gets the first answer again, for a day' }),
  }),
  headerOnly: { 'idempotency-key': 'idempotency_key' },
  readBody: parseClaimBody,
  writeJson: sealText,
  output: Seal,
  successStatus: 201,
  repeatStatus: 200,
  effects: true,
  rate: 'attest-seal',
  bodyLimitBytes: BODY_LIMIT_BYTES,
  cache: 'no-store',
  problems: [
    problems.schemaNotOpen,
    problems.unknownSchema,
    problems.idempotencyConflict,
    problems.idempotencyInFlight,
  ],
  examples: recorded(examples.attest_seal),
});

export const Erasure = z
  .strictObject({
    attestation_id: z.string(),
    erased: z.literal(true),
    erased_at: timeField,
    statement: z.string().meta({ description: 'The seal of the erasure itself' }),
    again: z.boolean(),
  })
  .meta({ id: 'Erasure' });

export const erase = defineOperation({
  ...logRow,
  whileSuspended: 'allowed',
  operationId: 'attest_erase',
  method: 'post',
  path: '/api/attest/erase',
  summary: 'Erase the claim of a seal',
  description:
    'The disclosure seed proves the holder. Claim, seed and observations are deleted; the entry stays in the log and still proves integrity, order, time and verdict.',
  input: z.strictObject({
    attestation_id: idField,
    disclosure_seed: z
      .string()
      .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64')
      .meta({ description: 'As it was shown with the seal' }),
  }),
  output: Erasure,
  effects: true,
  rate: 'attest-seal',
  cache: 'no-store',
  problems: [problems.attestationNotFound],
  examples: recorded(examples.attest_erase),
});

export const schemas = defineOperation({
  ...logRead,
  operationId: 'attest_schemas',
  path: '/api/attest/schemas',
  reads: 'nothing',
  summary: 'The schemas under which claims are sealed',
  description: 'Claim shape, checks in their order, fee, promise and digest of each. With digest: the one with it.',
  input: z.strictObject({
    digest: hex
      .optional()
      .meta({ description: 'The schema_digest of an entry; also of a document no longer in force' }),
  }),
  output: z.strictObject({ schemas: z.array(z.looseObject({ schema_id: z.string(), schema_digest: hex })) }),
  cache: { maxAgeSeconds: 300 },
  pages: documentPages<object>(
    () => 'Attestation schemas',
    () => '/api/attest/schemas',
    { section: 'protocols' },
  ),
  problems: [problems.unknownSchemaDigest],
  examples: recorded(examples.attest_schemas),
});
