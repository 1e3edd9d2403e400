import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { base64, hex, seqField } from '../fields.ts';
import { TreeHead } from '../log/log-operations.ts';
import { SCHEMAS } from '#protocol/attestation/schemas.ts';
import { VerificationAnswer } from '../verify-operations.ts';

/** What an entry can be: a mark, a release, or a seal under one of the schemas. */
export const ENTRY_KINDS = [...SCHEMAS.map(({ id }) => id), 'mark', 'release'] as const;
export const VERDICTS = ['ACCEPT', 'REJECT'] as const;
const dateText = z.string().meta({ description: 'A day in UTC.' });

const EntryRow = z
  .strictObject({
    seq: seqField,
    attestation_id: z.string(),
    type: z.enum(['seal', 'mark', 'release']),
    /** Of a seal its schema, of the others nothing. */
    schema_id: z.string().nullable(),
    verdict: z.enum(VERDICTS).nullable(),
    sealed_at: timeField,
  })
  .meta({ id: 'LogEntryRow' });

export const LogExplorer = z
  .strictObject({
    origin: z.string(),
    tree_size: z.int(),
    root_hash: hex,
    timestamp: timeField.meta({ description: 'When the newest checkpoint was signed.' }),
    entries: z.array(EntryRow).meta({ description: 'Newest first.' }),
    before: seqField.nullable().meta({ description: 'Pass it to get the next page. Null on the last page.' }),
    search: z
      .strictObject({
        q: z.string(),
        kind: z.string().meta({ description: 'What kind of reference the text looks like.' }),
        found: z.boolean(),
        entries: z.array(EntryRow),
        url: z.string().nullable().meta({ description: 'Where to read more about a reference without a log entry.' }),
      })
      .nullable(),
    filter: z
      .strictObject({
        kind: z.enum(ENTRY_KINDS).nullable(),
        verdict: z.enum(VERDICTS).nullable(),
        from: dateText.nullable(),
        to: dateText.nullable(),
        searched: z
          .strictObject({ from_seq: seqField, to_seq: seqField })
          .meta({ description: 'Entries from_seq up to, but not including, to_seq were searched for this page.' }),
      })
      .optional()
      .meta({ description: 'Only with a filter.' }),
  })
  .meta({ id: 'LogExplorer' });

export const ExplorerEntry = VerificationAnswer.extend({
  leaf_hash: hex,
  vkeys: z.array(z.string()).meta({ description: 'The keys with which the log signs or signed.' }),
  verify_url: z.string(),
}).meta({ id: 'LogEntry' });

const { origin, vkeys } = TreeHead.shape;
const Head = z
  .strictObject({ tree_size: z.int(), root_hash: hex, timestamp: timeField, checkpoint: z.string() })
  .meta({ id: 'LogHeadView' });

export const LogHeads = z
  .strictObject({
    origin,
    vkeys,
    older: Head,
    newer: Head,
    hashes: z.array(base64).meta({ description: 'Consistency proof from the older to the newer size.' }),
    sizes: z.array(z.int()).meta({ description: 'The newest sizes at which the log was signed.' }),
  })
  .meta({ id: 'LogHeads' });

/** What the page can be tried with: an entry of this log as it is, or with another date in it. */
export const VERIFY_EXAMPLES = ['valid', 'tampered'] as const;

const ReceiptKey = z
  .strictObject({ key_id: z.string(), public_key: base64, role: z.enum(['root', 'legacy']) })
  .meta({ id: 'ReceiptKeyView' });

export const VerifyPage = z
  .strictObject({
    origin,
    vkeys: z.array(z.string()).meta({ description: 'The keys with which the log signs or signed.' }),
    receipt_keys: z.array(ReceiptKey),
    verifier: z.string().meta({ description: 'The verifier as one file, for Node and browsers.' }),
    example: z
      .strictObject({ name: z.enum(VERIFY_EXAMPLES), text: z.string() })
      .optional()
      .meta({ description: 'Only if an example was requested: the file to verify.' }),
  })
  .meta({ id: 'VerifyKeys' });

export type ExplorerAnswer = z.output<typeof LogExplorer>;
export type EntryRow = z.output<typeof EntryRow>;
export type EntryAnswer = z.output<typeof ExplorerEntry>;
export type HeadsAnswer = z.output<typeof LogHeads>;
export type VerifyAnswer = z.output<typeof VerifyPage>;
