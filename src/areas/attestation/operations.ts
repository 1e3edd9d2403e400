import { z } from 'zod';
import { defineOperation } from '#kernel/operation.ts';
import { ATTESTATION_ID_PATTERN } from '#protocol/attestation/attestation-id.ts';
import { parseClaimBody } from '#protocol/attestation/claim-input.ts';
import * as examples from './examples.ts';
import * as problems from './problems.ts';

const BODY_LIMIT_BYTES = 262_144;
const hex = z.string().regex(/^[0-9a-f]{64}$/);
const base64 = z.base64();
const timeField = z.iso.datetime();
const seqField = z.int().min(0);
const idField = z
  .string()
  .regex(new RegExp(ATTESTATION_ID_PATTERN), 'must be ATT- and 52 characters of base32')
  .meta({ description: 'Identifier of a log entry' });

const shared = { tag: 'attestation', auth: 'none', price: null } as const;
const read = { ...shared, method: 'get', effects: false, rate: 'attest-read' } as const;

const Inclusion = z
  .strictObject({ tree_size: z.int(), index: seqField, hashes: z.array(base64) })
  .meta({ id: 'Inclusion' });

export const Seal = z
  .strictObject({
    attestation_id: z.string(),
    schema_id: z.string(),
    evidence_class: z.enum(['R', 'A', 'C']),
    verdict: z.enum(['ACCEPT', 'REJECT']),
    code: z.string().nullable(),
    sandbox: z.boolean(),
    replayed: z.boolean(),
    sealed_at: timeField,
    seq: seqField,
    claim: z.record(z.string(), z.unknown()),
    claim_sha256: hex,
    claim_commitment: hex.nullable(),
    disclosure_seed: z.string().meta({ description: 'Shown once: opens or erases the claim' }),
    observations: z.array(z.record(z.string(), z.unknown())),
    fee: z.strictObject({
      fee_eurocents: z.int(),
      platform_fee_pct: z.number(),
      platform_fee_eurocents: z.string(),
      fee_status: z.enum(['invoiced_separately', 'paid', 'not_applicable']),
      rail: z.literal('x402'),
      currency: z.literal('USDC'),
      payout_address: z.string().nullable(),
      reference: z.string(),
    }),
    entry: base64.meta({ description: 'The bytes that the log hashes' }),
    leaf_hash: hex,
    inclusion: Inclusion,
    checkpoint: z.string(),
    proof: z.string().meta({ description: 'A .tlog-proof file: verifies offline with the public key of the log' }),
    verify_url: z.url(),
    promise: z.string(),
    not_promised: z.string(),
  })
  .meta({ id: 'Seal' });

export const seal = defineOperation({
  ...shared,
  operationId: 'attest_seal',
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
  }),
  readBody: parseClaimBody,
  output: Seal,
  successStatus: 201,
  effects: true,
  rate: 'attest-seal',
  bodyLimitBytes: BODY_LIMIT_BYTES,
  cache: 'no-store',
  problems: [problems.schemaNotOpen, problems.unknownSchema],
  examples: [examples.SEAL],
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
  ...shared,
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
  examples: [examples.ERASURE],
});

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

export const LedgerPage = z
  .strictObject({
    from_seq: seqField,
    next_seq: seqField,
    tree_size: z.int(),
    checkpoint: z.string(),
    entries: z.array(
      z.strictObject({
        seq: seqField,
        attestation_id: z.string(),
        type: z.enum(['seal', 'mark', 'release']),
        leaf_hash: hex,
        entry: z.record(z.string(), z.unknown()),
        entry_b64: base64,
      }),
    ),
    range_proof: z.strictObject({ left: z.array(base64), right: z.array(base64) }),
  })
  .meta({ id: 'LedgerPage' });

export const ledger = defineOperation({
  ...read,
  operationId: 'attest_ledger',
  path: '/api/attest/ledger',
  summary: 'Export of the log, a page at a time',
  description: 'A page alone verifies against its checkpoint: the range proof joins its entries to the signed root.',
  input: z.strictObject({
    from_seq: seqField.default(0).meta({ description: 'First entry of the page' }),
    limit: z.int().min(1).max(1_024).default(256).meta({ description: 'Most entries of the page' }),
  }),
  output: LedgerPage,
  cache: 'no-store',
  problems: [problems.beyondTheLog],
  examples: [examples.LEDGER],
});

export const TreeHead = z
  .strictObject({
    origin: z.string(),
    tree_size: z.int(),
    root_hash: hex,
    root_hash_b64: base64,
    checkpoint: z.string(),
    vkeys: z.array(z.string()),
    witnesses: z.array(z.strictObject({ name: z.string(), time: timeField })),
    witness_statement: z.string(),
    consistency: z
      .strictObject({ first: z.int(), second: z.int(), hashes: z.array(base64) })
      .optional()
      .meta({ description: 'From the size that the caller remembers' }),
    tiles: z.url(),
    hash: z.literal('SHA-256 RFC 6962'),
  })
  .meta({ id: 'TreeHead' });

export const treeHead = defineOperation({
  ...read,
  operationId: 'log_head',
  path: '/api/astralock/sth',
  summary: 'The signed head of the log',
  description: 'With first: also the proof that the log of that size is a prefix of this one.',
  input: z.strictObject({ first: z.int().min(0).optional().meta({ description: 'A size that the caller remembers' }) }),
  output: TreeHead,
  cache: 'no-store',
  problems: [problems.beyondTheLog],
  examples: [examples.TREE_HEAD],
});

export const AuditAnswer = z
  .strictObject({
    ok: z.boolean(),
    tree_size: z.int(),
    root_signed: hex,
    root_recomputed: hex,
    entries_rehashed: z.int(),
    time_monotone: z.boolean(),
    ids_ok: z.boolean(),
    verdicts_reexecuted: z.int(),
    erased: z.int(),
    rejects: z.int(),
    checkpoints_checked: z.int(),
    keys: z.array(z.strictObject({ vkey: z.string(), role: z.literal('root'), scope: z.literal('log-checkpoint') })),
    problems: z.array(z.string()),
    duration_ms: z.number(),
    how_to_repeat: z.string(),
  })
  .meta({ id: 'Audit' });

export const audit = defineOperation({
  ...read,
  operationId: 'log_audit',
  path: '/api/astralock/audit',
  summary: 'Audit of the whole log from its stored bytes',
  description:
    'Every entry is hashed again, every verdict judged again, every checkpoint checked; a later call goes on where the last one stopped.',
  input: z.strictObject({}),
  output: AuditAnswer,
  cache: 'no-store',
  problems: [],
  examples: [examples.AUDIT],
});

export const schemas = defineOperation({
  ...read,
  operationId: 'attest_schemas',
  path: '/api/attest/schemas',
  summary: 'The schemas under which claims are sealed',
  description: 'Claim shape, checks in their order, fee, promise and digest of each.',
  input: z.strictObject({}),
  output: z.strictObject({ schemas: z.array(z.looseObject({ schema_id: z.string(), schema_digest: hex })) }),
  cache: { maxAgeSeconds: 300 },
  problems: [],
  examples: [examples.SCHEMAS],
});

export const checkpoint = defineOperation({
  ...read,
  rate: 'none',
  operationId: 'log_checkpoint',
  path: '/astralock/checkpoint',
  summary: 'The newest checkpoint (C2SP tlog-checkpoint)',
  description: 'Origin, size and root on three lines, signed as a note by the key of the log.',
  input: z.strictObject({}),
  output: z.string(),
  mediaType: 'text/plain; charset=utf-8',
  cache: { maxAgeSeconds: 1 },
  problems: [],
  examples: [examples.CHECKPOINT],
});

export const tile = defineOperation({
  ...read,
  rate: 'none',
  operationId: 'log_tile',
  path: '/astralock/tile/{tile}',
  takesRest: true,
  summary: 'A tile of hashes or entries (C2SP tlog-tiles)',
  description: 'Level or entries, then the index in groups of three digits: 0/x001/067, entries/000.p/5.',
  input: z.strictObject({
    tile: z.string().max(48).meta({ description: 'Level, index and width, as tlog-tiles spells them' }),
  }),
  output: z.string().meta({ format: 'binary' }),
  mediaType: 'application/octet-stream',
  cache: { maxAgeSeconds: 31_536_000 },
  problems: [problems.tileNotFound],
  examples: [examples.TILE],
});
