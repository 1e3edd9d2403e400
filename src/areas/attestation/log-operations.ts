import { z } from 'zod';
import { defineOperation } from '#kernel/operation.ts';
import * as examples from './examples.ts';
import { base64, hex, read, seqField, timeField } from './fields.ts';
import * as problems from './problems.ts';

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
    range: z
      .strictObject({ from: seqField, to: z.int() })
      .optional()
      .meta({ description: 'The entries that were asked for; only these were audited' }),
    entries_rehashed: z.int(),
    full: z.boolean().meta({ description: 'Every entry of the log was verified, by this call or an earlier one' }),
    scrubbed: z
      .strictObject({ from: seqField, to: z.int() })
      .nullable()
      .meta({ description: 'Entries that an earlier call had verified and this one verified again' }),
    time_monotone: z.boolean(),
    ids_ok: z.boolean(),
    verdicts_reexecuted: z.int(),
    erased: z.int(),
    rejects: z.int(),
    checkpoints_checked: z.int(),
    keys: z.array(
      z.strictObject({
        vkey: z.string(),
        role: z.string(),
        scope: z.string(),
        declared_in: z.string().nullable(),
        superseded_by: z.string().nullable(),
      }),
    ),
    witness_lag_entries: z
      .int()
      .nullable()
      .meta({ description: 'Entries that no witness has cosigned; null without witnesses' }),
    last_anchor: z
      .strictObject({ kind: z.literal('rfc3161'), tree_size: z.int(), at: timeField })
      .nullable()
      .meta({ description: 'The newest time stamp of another authority over the log' }),
    problems: z.array(z.string()),
    hashing_ms: z.number(),
    judging_ms: z.number(),
    duration_ms: z.number(),
    how_to_repeat: z.string(),
  })
  .meta({ id: 'Audit' });

export const audit = defineOperation({
  ...read,
  operationId: 'log_audit',
  path: '/api/astralock/audit',
  summary: 'Audit of the log from its stored bytes',
  description:
    'Every entry is hashed again, every verdict judged again, every checkpoint checked; a later call adds what is new and goes over a part of the rest again. With from or to: only these entries, at most 50,000, joined to the signed root. The answer comes when the audit is done.',
  input: z.strictObject({
    from: seqField.optional().meta({ description: 'First entry of a range' }),
    to: seqField.optional().meta({ description: 'End of the range: the entry after its last' }),
  }),
  output: AuditAnswer,
  cache: 'no-store',
  problems: [problems.beyondTheLog],
  examples: [examples.AUDIT],
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
