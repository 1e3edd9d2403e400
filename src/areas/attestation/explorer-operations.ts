import { z } from 'zod';
import { documentMarkdown } from '#kernel/document.ts';
import { defineOperation } from '#kernel/operation.ts';
import { ATTESTATION_ID_PATTERN } from '#protocol/attestation/attestation-id.ts';
import * as examples from './examples.ts';
import { logEntryHtml } from './entry-page.ts';
import { logExplorerHtml, logHeadsHtml, verifyPageHtml } from './explorer-page.ts';
import { base64, hex, read, seqField, timeField } from './fields.ts';
import { TreeHead } from './log-operations.ts';
import * as problems from './problems.ts';
import { Verification } from './verify-operations.ts';

const EntryRow = z
  .strictObject({
    seq: seqField,
    attestation_id: z.string(),
    type: z.enum(['seal', 'mark', 'release']),
    /** Of a seal its schema, of the others nothing. */
    schema_id: z.string().nullable(),
    verdict: z.enum(['ACCEPT', 'REJECT']).nullable(),
    sealed_at: timeField,
  })
  .meta({ id: 'LogEntryRow' });

export const LogExplorer = z
  .strictObject({
    origin: z.string(),
    tree_size: z.int(),
    root_hash: hex,
    timestamp: timeField.meta({ description: 'When the newest checkpoint was signed' }),
    entries: z.array(EntryRow).meta({ description: 'Newest first' }),
    before: seqField.nullable().meta({ description: 'Asks for the page after this one; null on the last' }),
    search: z
      .strictObject({
        q: z.string(),
        kind: z.string().meta({ description: 'What the text looks like' }),
        found: z.boolean(),
        entries: z.array(EntryRow),
        url: z.string().nullable().meta({ description: 'Where more is said of a reference without an entry' }),
      })
      .nullable(),
  })
  .meta({ id: 'LogExplorer' });

const SIZE = 'A size at which the log was signed';
const { LEDGER, TREE_HEAD, VERIFICATION } = examples;
const ROW: z.output<typeof EntryRow> = {
  seq: 0,
  attestation_id: VERIFICATION.output.attestation_id,
  type: 'seal',
  schema_id: 'record.integrity.v1',
  verdict: 'ACCEPT',
  sealed_at: TREE_HEAD.output.timestamp,
};

export const logExplorer = defineOperation({
  ...read,
  operationId: 'log_explorer',
  path: '/log',
  summary: 'The newest entries of the log, and a search',
  description:
    'Finds what a text refers to: an entry number, an attestation id, a digest (hash of the leaf or commitment to the claim), a verify reference, a lease, a task, an order, a mandate, a check or a receipt.',
  input: z.strictObject({
    q: z.string().max(200).optional().meta({ description: 'What to look for' }),
    before: seqField.optional().meta({ description: 'Only entries before this one' }),
  }),
  output: LogExplorer,
  cache: 'no-store',
  problems: [],
  pages: { html: logExplorerHtml, markdown: (output) => documentMarkdown(output, 'Log') },
  examples: [
    {
      name: 'newest',
      input: {},
      output: {
        origin: TREE_HEAD.output.origin,
        tree_size: 1,
        root_hash: TREE_HEAD.output.root_hash,
        timestamp: TREE_HEAD.output.timestamp,
        entries: [ROW],
        before: null,
        search: null,
      },
    },
  ],
});

export const LogEntry = Verification.extend({
  leaf_hash: hex,
  vkeys: z.array(z.string()).meta({ description: 'The keys with which the log signs or signed' }),
  verify_url: z.string(),
}).meta({ id: 'LogEntry' });

export const logEntry = defineOperation({
  ...read,
  operationId: 'log_entry',
  path: '/log/{ref}',
  summary: 'One entry of the log with its proof',
  description:
    'As verify answers it, with the keys. The page hashes the entry, follows its path and checks the signature again in the browser.',
  input: z.strictObject({
    ref: z
      .string()
      .regex(
        new RegExp(`^(?:0|[1-9]\\d{0,14})$|${ATTESTATION_ID_PATTERN}`),
        'must be an entry number or an attestation id',
      )
      .meta({ description: 'Number or attestation id of the entry' }),
  }),
  output: LogEntry,
  cache: 'no-store',
  problems: [problems.attestationNotFound],
  pages: { html: logEntryHtml, markdown: (output) => documentMarkdown(output, `Log entry ${output.seq}`) },
  examples: [
    {
      name: 'entry',
      input: { ref: VERIFICATION.output.attestation_id },
      output: {
        ...VERIFICATION.output,
        leaf_hash: (LEDGER.output.entries[0] as { leaf_hash: string }).leaf_hash,
        vkeys: TREE_HEAD.output.vkeys,
        verify_url: `https://avouch.example/api/attest/verify/${VERIFICATION.output.attestation_id}`,
      },
    },
  ],
});

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
    hashes: z.array(base64).meta({ description: 'Consistency proof from the older to the newer size' }),
    sizes: z.array(z.int()).meta({ description: 'The newest sizes at which the log was signed' }),
  })
  .meta({ id: 'LogHeads' });

const { tree_size: treeSize, root_hash: rootHash, timestamp, checkpoint } = TREE_HEAD.output;
const HEAD = { tree_size: treeSize, root_hash: rootHash, timestamp, checkpoint };

export const logHeads = defineOperation({
  ...read,
  operationId: 'log_heads',
  path: '/log/heads',
  summary: 'Two heads of the log and the proof between them',
  description:
    'The log of the older head is a prefix of that of the newer one, or the proof does not verify. The page checks both signatures and the proof in the browser.',
  input: z.strictObject({
    older: z
      .int()
      .min(1)
      .optional()
      .meta({ description: `${SIZE}; the one before the newer when absent` }),
    newer: z
      .int()
      .min(1)
      .optional()
      .meta({ description: `${SIZE}; the newest when absent` }),
  }),
  output: LogHeads,
  cache: 'no-store',
  problems: [problems.noCheckpoint],
  pages: { html: logHeadsHtml, markdown: (output) => documentMarkdown(output, 'Heads of the log') },
  examples: [
    {
      name: 'heads',
      input: {},
      output: {
        origin: TREE_HEAD.output.origin,
        vkeys: TREE_HEAD.output.vkeys,
        older: HEAD,
        newer: HEAD,
        hashes: [],
        sizes: [treeSize],
      },
    },
  ],
});

const ReceiptKey = z
  .strictObject({ key_id: z.string(), public_key: base64, role: z.enum(['root', 'legacy']) })
  .meta({ id: 'ReceiptKeyView' });

export const VerifyPage = z
  .strictObject({
    origin,
    vkeys: z.array(z.string()).meta({ description: 'The keys with which the log signs or signed' }),
    receipt_keys: z.array(ReceiptKey),
    verifier: z.string().meta({ description: 'The verifier as one file, for Node and browsers' }),
  })
  .meta({ id: 'VerifyKeys' });

export const verifyPage = defineOperation({
  ...read,
  reads: 'nothing',
  operationId: 'verify_page',
  path: '/verify',
  summary: 'Check a file in the browser',
  description:
    'A page that checks a proof file, the answer of a seal, a page of the ledger or a receipt without sending it anywhere; here the keys that it checks with.',
  input: z.strictObject({}),
  output: VerifyPage,
  cache: 'no-store',
  problems: [],
  pages: { html: verifyPageHtml, markdown: (output) => documentMarkdown(output, 'Verify a file') },
  examples: [
    {
      name: 'keys',
      input: {},
      output: {
        origin: TREE_HEAD.output.origin,
        vkeys: TREE_HEAD.output.vkeys,
        receipt_keys: [{ key_id: 'r1', public_key: 'ebVWLo/mVPlAeLES6KmLp5AfhTrmlb7X4OORC60ElmQ=', role: 'root' }],
        verifier: 'https://avouch.example/verify/avouch-verify.mjs',
      },
    },
  ],
});

export type ExplorerAnswer = z.output<typeof LogExplorer>;
export type EntryRow = z.output<typeof EntryRow>;
export type EntryAnswer = z.output<typeof LogEntry>;
export type HeadsAnswer = z.output<typeof LogHeads>;
export type VerifyAnswer = z.output<typeof VerifyPage>;
