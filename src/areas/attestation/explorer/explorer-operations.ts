import { z } from 'zod';
import { documentMarkdown } from '#kernel/document.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { ATTESTATION_ID_PATTERN } from '#protocol/attestation/attestation-id.ts';
import examples from '../examples.json' with { type: 'json' };
import { logEntryHtml } from './entry-page.ts';
import { logExplorerHtml, logHeadsHtml, verifyPageHtml } from './explorer-page.ts';
import { ExplorerEntry, LogExplorer, LogHeads, VerifyPage } from './explorer-answers.ts';
import { logRead, seqField } from '../fields.ts';
import * as problems from '../problems.ts';

const SIZE = 'A size at which the log was signed';

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
  examples: recorded(examples.log_explorer),
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
  examples: recorded(examples.log_entry),
});

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
  examples: recorded(examples.log_heads),
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
  examples: recorded(examples.verify_page),
});
