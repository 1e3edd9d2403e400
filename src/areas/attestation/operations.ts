import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { agentKeyField, BY_AGENT_KEY, SENT_KEY_PROBLEMS } from '#platform/ledger/caller.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';
import { parseClaimBody } from '#protocol/attestation/claim-input.ts';
import examples from './examples.json' with { type: 'json' };
import { BODY_LIMIT_BYTES, hex, idField, logRead, logRow } from './fields.ts';
import * as problems from './problems.ts';
import { schemasPages } from './schemas-page.ts';
import { MinimalSeal, Seal, sealText } from './seal-answer.ts';

export const seal = defineOperation({
  ...logRow,
  operationId: 'attest_seal',
  tryable: 8,
  method: 'post',
  path: '/api/attest/seal',
  summary: 'Seal a claim',
  description:
    'Judges the claim under its schema and seals the verdict, ACCEPT or REJECT, into the public log, with a proof that verifies offline. The log has salted commitments, never the claim. A seal proves the integrity, order and time of a record, never that the claim is true.',
  input: z.strictObject({
    schema_id: z.string().max(80).meta({ description: 'The schema under which the claim is sealed.' }),
    claim: z.record(z.string(), z.unknown()).meta({ description: 'The claim, in the form that its schema describes.' }),
    disclosure: z
      .enum(['holder', 'public'])
      .default('holder')
      .meta({ description: 'public: verify shows the claim to everyone, permanently.' }),
    index: z
      .boolean()
      .optional()
      .meta({ description: 'true: anyone with the SHA-256 of the claim or of its evidence can find the seal.' }),
    idempotency_key: z
      .string()
      .regex(/^[\x21-\x7e]{16,255}$/, 'Must be 16 to 255 visible ASCII characters.')
      .optional()
      .meta({ description: 'For one day, a repeated call with the same key returns the first response again.' }),
    prefer: z.string().optional().meta({
      description:
        'Preferences (RFC 7240). With return=minimal the response is a MinimalSeal and has Preference-Applied.',
    }),
    agent_key: agentKeyField,
  }),
  access: 'agent_if_sent',
  headerOnly: { 'idempotency-key': 'idempotency_key', prefer: 'prefer', ...BY_AGENT_KEY },
  readBody: parseClaimBody,
  writeJson: sealText,
  output: z.union([Seal, MinimalSeal]),
  successStatus: 201,
  repeatStatus: 200,
  effects: true,
  rate: 'attest-seal',
  // Nobody is invoiced for what a call without a key asks of registers: its address answers for each query.
  countsAs: ({ agent_key: key, schema_id: id, claim }) =>
    key === undefined ? (schemaById(id)?.needs(claim).length ?? 1) : 1,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  cache: 'no-store',
  problems: [
    ...SENT_KEY_PROBLEMS,
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
    statement: z.string().meta({ description: 'The seal of the erasure itself.' }),
    again: z.boolean(),
  })
  .meta({ id: 'Erasure' });

export const erase = defineOperation({
  ...logRow,
  whileSuspended: 'allowed',
  operationId: 'attest_erase',
  method: 'post',
  path: '/api/attest/erase',
  summary: 'Erase a sealed claim',
  description:
    'The disclosure seed proves that you may erase it. Claim, seed and observations are deleted. The entry stays in the log and still proves integrity, order, time and verdict.',
  input: z.strictObject({
    attestation_id: idField,
    disclosure_seed: z
      .string()
      .regex(/^[A-Za-z0-9+/]{43}=$/, 'Must be 32 bytes in base64.')
      .meta({ description: 'The disclosure seed from the seal response.' }),
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
  summary: 'List the seal schemas',
  description:
    "The claim's form, the checks in their order, the fee, the promise and the digest of each schema. With digest: only the schema with that digest.",
  input: z.strictObject({
    digest: hex
      .optional()
      .meta({ description: "An entry's schema_digest. Digests of documents no longer in force work too." }),
  }),
  output: z.strictObject({ schemas: z.array(z.looseObject({ schema_id: z.string(), schema_digest: hex })) }),
  cache: { maxAgeSeconds: 300 },
  pages: schemasPages,
  problems: [problems.unknownSchemaDigest],
  examples: recorded(examples.attest_schemas),
});
