import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import examples from '../examples.json' with { type: 'json' };
import { base64, hex, logRead, seqField } from '../fields.ts';
import * as problems from '../problems.ts';

export const NDJSON = 'application/x-ndjson';
const EVENT_STREAM = 'text/event-stream';
/** For what was signed once and can never become something else. */
export const IMMUTABLE = { maxAgeSeconds: 31_536_000, immutable: true } as const;

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
  ...logRead,
  operationId: 'attest_ledger',
  path: '/api/attest/ledger',
  betterPage: () => ({ href: '/log', label: 'Browse the log' }),
  summary: 'Export the log',
  description:
    'A single page verifies against its checkpoint: the range proof connects its entries to the signed root. As application/x-ndjson each entry is one line, up to the end of the log at the time of the call. The last line has the other members of a page, so the export verifies like one page; without that line the export is incomplete. With tree_size a page never changes and can be cached permanently.',
  input: z.strictObject({
    from_seq: seqField.default(0).meta({ description: 'First entry.' }),
    limit: z.int().min(1).optional().meta({
      description:
        'Maximum number of entries. A page has at most 1,024 (default: 256). NDJSON has all unless you give a limit.',
    }),
    tree_size: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'A size at which the log was signed. Checkpoint and proof are then for that size.' }),
  }),
  output: LedgerPage,
  streams: { [NDJSON]: 'ends' },
  cache: 'no-store',
  problems: [problems.beyondTheLog, problems.noCheckpoint],
  examples: recorded(examples.attest_ledger),
});

export const stream = defineOperation({
  ...logRead,
  operationId: 'attest_stream',
  path: '/api/attest/stream',
  summary: 'Stream log entries',
  description:
    'One server-sent event per entry: id is its seq, event its type, and data has the members of a ledger entry with checkpoint and tree_size of a signed checkpoint that covers it. The stream runs until you disconnect or the service stops. A comment every 15 seconds keeps it alive.',
  input: z.strictObject({
    from_seq: seqField.default(0).meta({ description: 'First entry.' }),
    last_event_id: seqField
      .optional()
      .meta({ description: 'The last entry that you received. The stream continues after it. It overrides from_seq.' }),
  }),
  headerFields: { 'last-event-id': 'last_event_id' },
  output: z.string(),
  mediaType: EVENT_STREAM,
  streams: { [EVENT_STREAM]: 'endless' },
  cache: 'no-store',
  problems: [problems.beyondTheLog],
  examples: recorded(examples.attest_stream),
});

export const TreeHead = z
  .strictObject({
    origin: z.string(),
    tree_size: z.int(),
    root_hash: hex,
    root_hash_b64: base64,
    timestamp: timeField.meta({ description: 'When the checkpoint was signed.' }),
    checkpoint: z.string(),
    witnessed_checkpoint: z
      .string()
      .nullable()
      .meta({ description: 'The newest one that reached the witness quorum.' }),
    vkeys: z.array(z.string()).meta({ description: 'The active keys.' }),
    signatures: z.array(z.strictObject({ name: z.string(), key_id: z.string(), type: z.literal('ed25519') })),
    witnesses: z.array(
      z.strictObject({
        name: z.string(),
        operator: z.string().meta({ description: 'The host in its name. Witnesses of one operator count once.' }),
        time: timeField,
      }),
    ),
    witness_statement: z.string(),
    consistency: z
      .strictObject({ first: z.int(), second: z.int(), hashes: z.array(base64) })
      .optional()
      .meta({ description: 'From the size that you remember.' }),
    tiles: z.url(),
    hash: z.literal('SHA-256 RFC 6962'),
  })
  .meta({ id: 'TreeHead' });

export const treeHead = defineOperation({
  ...logRead,
  operationId: 'log_head',
  path: '/api/astralock/sth',
  betterPage: () => ({ href: '/log/heads', label: 'Compare two checkpoints of the log' }),
  summary: 'Get the signed tree head',
  description: 'With first, the response includes the proof that the log of that size is a prefix of this one.',
  input: z.strictObject({ first: z.int().min(0).optional().meta({ description: 'A log size that you remember.' }) }),
  output: TreeHead,
  cache: 'no-store',
  problems: [problems.beyondTheLog],
  examples: recorded(examples.log_head),
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
      .meta({ description: 'The requested entries. Only these were audited.' }),
    entries_rehashed: z.int(),
    full: z.boolean().meta({ description: 'True if every log entry was verified, by this audit or an earlier one.' }),
    audited_at: timeField.meta({ description: 'When this audit started. Callers at the same tree size share it.' }),
    entries_read: z.int().meta({ description: 'How many entries this audit read from the store.' }),
    read_since: timeField.meta({
      description:
        'Every entry was read from the store at this time or later. A later audit finds any change after it.',
    }),
    scrubbed: z
      .strictObject({ from: seqField, to: z.int() })
      .nullable()
      .meta({ description: 'Entries that an earlier audit had verified and this one verified again.' }),
    time_monotone: z.boolean(),
    ids_ok: z.boolean(),
    verdicts_reexecuted: z.int(),
    erased: z.int(),
    rejects: z.int(),
    checkpoints_checked: z.int(),
    keys: z.array(
      z.strictObject({
        vkey: z.string(),
        role: z.enum(['root', 'legacy']),
        scope: z.literal('log-checkpoint'),
        declared_in: z.string().nullable(),
        superseded_by: z.string().nullable(),
      }),
    ),
    witness_lag_entries: z
      .int()
      .nullable()
      .meta({ description: 'Entries that no witness has cosigned. Null without witnesses.' }),
    last_anchor: z
      .strictObject({ kind: z.literal('rfc3161'), tree_size: z.int(), at: timeField })
      .nullable()
      .meta({ description: 'Always null: no authority is asked.' }),
    problems: z.array(z.string()),
    hashing_ms: z.number(),
    judging_ms: z.number(),
    duration_ms: z.number(),
    how_to_repeat: z.string(),
  })
  .meta({ id: 'Audit' });

export const audit = defineOperation({
  ...logRead,
  operationId: 'log_audit',
  path: '/api/astralock/audit',
  summary: 'Audit the log',
  description:
    'Avouch hashes every stored entry again, judges every verdict again and checks every checkpoint. A later audit reads what is new and, once a minute, verifies a part of the rest again. Callers at the same tree size share an audit: audited_at says when it ran, and read_since how old its data can be. With from or to: only these entries, at most 50,000, connected to the signed root. The response is sent when the audit is finished.',
  input: z.strictObject({
    from: seqField.optional().meta({ description: 'First entry of a range.' }),
    to: seqField.optional().meta({ description: 'End of the range: the entry after the last one.' }),
  }),
  output: AuditAnswer,
  cache: 'no-store',
  problems: [problems.beyondTheLog],
  examples: recorded(examples.log_audit),
});

export const checkpoint = defineOperation({
  ...logRead,
  rate: 'none',
  operationId: 'log_checkpoint',
  path: '/astralock/checkpoint',
  summary: 'Get the newest checkpoint',
  description:
    "C2SP tlog-checkpoint: origin, size and root on three lines, signed as a note by every active Ed25519 key and by the log's ML-DSA-44 key. It is at most one second behind the log.",
  input: z.strictObject({}),
  output: z.string(),
  mediaType: 'text/plain; charset=utf-8',
  cache: { maxAgeSeconds: 1 },
  problems: [],
  examples: recorded(examples.log_checkpoint),
});

export const witnessedCheckpoint = defineOperation({
  ...checkpoint,
  operationId: 'log_witnessed_checkpoint',
  path: '/astralock/checkpoint.witnessed',
  summary: 'Get the newest witnessed checkpoint',
  description:
    "Like the published checkpoint, with the witnesses' cosignatures. It is the newest one that reached the witness quorum.",
  problems: [problems.notWitnessed],
  examples: recorded(examples.log_witnessed_checkpoint),
});

export const tile = defineOperation({
  ...logRead,
  rate: 'none',
  operationId: 'log_tile',
  path: '/astralock/tile/{tile}',
  wildcardPath: true,
  summary: 'Get a tile of the log',
  description:
    'A C2SP tlog-tiles tile of hashes or entries. The path is a level or "entries", then the index in groups of three digits: 0/x001/067, entries/000.p/5.',
  input: z.strictObject({
    tile: z.string().max(48).meta({ description: 'Level, index and width, as tlog-tiles spells them.' }),
  }),
  output: z.string().meta({ format: 'binary' }),
  mediaType: 'application/octet-stream',
  cache: IMMUTABLE,
  problems: [problems.tileNotFound],
  examples: recorded(examples.log_tile),
});
