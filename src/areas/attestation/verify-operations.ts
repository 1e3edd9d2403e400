import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { parseClaimBody } from '#protocol/attestation/claim-input.ts';
import examples from './examples.json' with { type: 'json' };
import { base64, BODY_LIMIT_BYTES, hex, idField, Inclusion, logRead, logRow, seqField } from './fields.ts';
import * as problems from './problems.ts';

export const TLOG_PROOF_MEDIA = 'text/plain; charset=utf-8';

const Check = z
  .strictObject({
    name: z.string(),
    ok: z.boolean().nullable().meta({ description: 'null: not applicable, or not known.' }),
    recomputed: z.string().optional(),
    state: z.string().optional(),
    key: z.string().optional(),
    count: z.int().optional(),
    quorum: z.int().optional(),
  })
  .meta({ id: 'Check' });

/** What the entry says; all null where its bytes cannot be read or are not proven. */
const facts = {
  type: z.enum(['seal', 'mark', 'release']).nullable(),
  verdict: z.enum(['ACCEPT', 'REJECT']).nullable(),
  code: z.string().nullable(),
  schema_id: z.string().nullable(),
  evidence_class: z.enum(['R', 'A', 'C']).nullable(),
  sandbox: z.boolean().nullable(),
  sealed_at: timeField.nullable(),
  corrects: z.string().nullable(),
  follows_up: z.string().nullable(),
  origin: z.enum(['protocol', 'submitted']).nullable(),
};

export const VerificationAnswer = z
  .strictObject({
    attestation_id: z.string(),
    found: z.literal(true),
    valid: z.boolean(),
    ...facts,
    seq: seqField,
    checks: z.array(Check),
    claim: z.record(z.string(), z.unknown()).nullable(),
    superseded_by: z.array(z.string()).meta({ description: 'Statements that correct this entry, in log order.' }),
    followed_up_by: z.array(z.string()).meta({ description: 'At most the newest hundred, in log order.' }),
    entry: base64,
    inclusion: Inclusion,
    checkpoint: z.string(),
    proof: z.string(),
    recomputed_at: timeField,
    means: z.string(),
    does_not_mean: z.string(),
  })
  .meta({ id: 'Verification' });

export const verifyEntry = defineOperation({
  ...logRead,
  operationId: 'attest_verify',
  tryable: 9,
  path: '/api/attest/verify/{attestation_id}',
  betterPage: ({ attestation_id = '' }) => ({
    href: `/log/${attestation_id}`,
    label: 'Let your browser verify this entry',
  }),
  summary: 'Verify a seal, a mark or a release',
  description:
    'Everything is recomputed from stored bytes during the call. You need no key. format=tlog-proof returns only the proof, as a file.',
  input: z.strictObject({
    attestation_id: idField,
    format: z
      .enum(['json', 'tlog-proof', 'cose'])
      .default('json')
      .meta({ description: 'tlog-proof: the proof as a file. cose is refused with format_unsupported.' }),
  }),
  output: VerificationAnswer,
  otherMediaTypes: [TLOG_PROOF_MEDIA],
  cache: 'no-store',
  problems: [problems.attestationNotFound, problems.formatUnsupported],
  examples: recorded(examples.attest_verify),
});

export const BundleVerification = z
  .strictObject({
    attestation_id: z.string().meta({ description: 'Recomputed from the entry.' }),
    valid: z.boolean(),
    ...facts,
    checks: z.array(Check),
    leaf_hash: hex,
    log: z
      .strictObject({ origin: z.string(), tree_size: z.int().nullable() })
      .nullable()
      .meta({ description: 'The log that signed. Null if no trusted log did.' }),
    index: seqField.nullable(),
    recomputed_at: timeField,
    means: z.string(),
    does_not_mean: z.string(),
  })
  .meta({ id: 'BundleVerification' });

const disclosedField = z.strictObject({ value: z.unknown(), salt: hex });

export const verifyBundle = defineOperation({
  ...logRow,
  operationId: 'attest_verify_bundle',
  method: 'post',
  path: '/api/attest/verify',
  summary: 'Verify a proof you supply',
  description:
    'Stateless: the bundle is checked by its bytes alone, even a bundle from another C2SP log. The entry comes from entry, or else from the extra line of the proof. Without a policy, the keys of this log are trusted and no witness is required.',
  input: z.strictObject({
    proof: z.string().meta({ description: 'A .tlog-proof file.' }),
    entry: z.string().optional().meta({ description: 'The entry to verify, in base64.' }),
    attestation_id: idField.optional().meta({ description: 'The attestation id that you expect.' }),
    claim: z.record(z.string(), z.unknown()).optional().meta({ description: 'The claim to match with the entry.' }),
    seed: z.string().optional().meta({ description: "The claim's disclosure seed, 32 bytes in base64." }),
    disclosed: z
      .record(z.string(), disclosedField)
      .optional()
      .meta({ description: 'Single fields of the claim, each with its salt. Needs commitments.' }),
    commitments: z
      .record(z.string(), hex)
      .optional()
      .meta({ description: 'The commitments of all fields of the claim, by name.' }),
    policy: z.string().optional().meta({ description: 'A tlog-policy: which logs and witnesses to trust.' }),
  }),
  readBody: parseClaimBody,
  output: BundleVerification,
  effects: false,
  rate: 'attest-read',
  bodyLimitBytes: BODY_LIMIT_BYTES,
  cache: 'no-store',
  problems: [],
  examples: recorded(examples.attest_verify_bundle),
});
