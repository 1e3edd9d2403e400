import { z } from 'zod';
import { documentMarkdown } from '#kernel/document.ts';
import { defineOperation } from '#kernel/operation.ts';
import { ATTESTATION_ID_PATTERN } from '#protocol/attestation/attestation-id.ts';
import * as examples from '../examples.ts';
import { logEntryHtml } from './entry-page.ts';
import { logExplorerHtml, logHeadsHtml, verifyPageHtml } from './explorer-page.ts';
import { type EntryRow, ExplorerEntry, LogExplorer, LogHeads, VerifyPage } from './explorer-answers.ts';
import { logRead, seqField } from '../fields.ts';
import * as problems from '../problems.ts';

const SIZE = 'A size at which the log was signed';
const { LEDGER, TREE_HEAD, VERIFICATION } = examples;
const ROW: EntryRow = {
  seq: 0,
  attestation_id: VERIFICATION.output.attestation_id,
  type: 'seal',
  schema_id: 'record.integrity.v1',
  verdict: 'ACCEPT',
  sealed_at: TREE_HEAD.output.timestamp,
};

export const logExplorer = defineOperation({
  ...logRead,
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

export const logEntry = defineOperation({
  ...logRead,
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
  output: ExplorerEntry,
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

const { tree_size: treeSize, root_hash: rootHash, timestamp, checkpoint } = TREE_HEAD.output;
const HEAD = { tree_size: treeSize, root_hash: rootHash, timestamp, checkpoint };

export const logHeads = defineOperation({
  ...logRead,
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

export const verifierPage = defineOperation({
  ...logRead,
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
