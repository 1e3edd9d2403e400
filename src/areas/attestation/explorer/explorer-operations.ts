import { z } from 'zod';
import { documentMarkdown } from '#kernel/document.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { ATTESTATION_ID_PATTERN } from '#protocol/attestation/attestation-id.ts';
import examples from '../examples.json' with { type: 'json' };
import { logEntryHtml } from './entry-page.ts';
import { logExplorerHtml } from './explorer-page.ts';
import { logHeadsHtml, noCheckpointHtml } from './heads-page.ts';
import { verifyPageHtml } from './verify-page.ts';
import {
  ENTRY_KINDS,
  ExplorerEntry,
  LogExplorer,
  LogHeads,
  VERDICTS,
  VERIFY_EXAMPLES,
  VerifyPage,
} from './explorer-answers.ts';
import { logRead, seqField } from '../fields.ts';
import * as problems from '../problems.ts';

const SIZE = 'A size at which the log was signed.';
/** A form without script sends every field, so blank means no filter. */
const dayField = z.union([z.iso.date(), z.literal('')], 'Must be a date such as 2026-11-15.').optional();

export const logExplorer = defineOperation({
  ...logRead,
  operationId: 'log_explorer',
  path: '/log',
  summary: 'Search the log',
  description:
    'Lists the newest entries, or finds what a text refers to: an entry number, an attestation id, a digest (leaf hash or commitment to the claim), a verify reference, a lease, a task, an order, a mandate, a check or a receipt.',
  input: z.strictObject({
    q: z.string().max(200).optional().meta({ description: 'What to search for.' }),
    before: seqField.optional().meta({ description: 'Return only entries before this one.' }),
    kind: z
      .enum([...ENTRY_KINDS, 'all'])
      .optional()
      .meta({ description: 'Only entries of this kind: a schema id, mark or release.' }),
    verdict: z
      .enum([...VERDICTS, 'all'])
      .optional()
      .meta({ description: 'Only seals with this verdict.' }),
    from: dayField.meta({ description: 'Only entries sealed on this day (UTC) or later.' }),
    to: dayField.meta({ description: 'Only entries sealed on this day (UTC) or earlier.' }),
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
  summary: 'Get a log entry with its proof',
  description:
    "The same as the verify response, with the log's keys. The page hashes the entry, follows its path and checks the signature again in your browser.",
  input: z.strictObject({
    ref: z
      .string()
      .regex(
        new RegExp(`^(?:0|[1-9]\\d{0,14})$|${ATTESTATION_ID_PATTERN}`),
        'Must be an entry number or an attestation id.',
      )
      .meta({ description: "The entry's number or attestation id." }),
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
  summary: 'Compare two checkpoints',
  description:
    'Returns two signed checkpoints and the consistency proof between them. The proof verifies only if the older log is a prefix of the newer one. If older is the larger size, the two are swapped. The page checks both signatures and the proof in your browser.',
  input: z.strictObject({
    older: z
      .int()
      .min(1)
      .optional()
      .meta({ description: `${SIZE} Default: the size before the newer one.` }),
    newer: z
      .int()
      .min(1)
      .optional()
      .meta({ description: `${SIZE} Default: the newest size.` }),
  }),
  output: LogHeads,
  cache: 'no-store',
  problems: [problems.noCheckpoint],
  pages: {
    html: (output, site) => logHeadsHtml(output, site),
    markdown: (output) => documentMarkdown(output, 'Compare checkpoints'),
  },
  refusalPage: (refusal, _sent, site) => noCheckpointHtml(refusal, site),
  examples: recorded(examples.log_heads),
});

export const verifierPage = defineOperation({
  ...logRead,
  operationId: 'verify_page',
  path: '/verify',
  summary: 'Verify a file in the browser',
  description:
    'The page verifies a proof file, a seal response, a ledger page or a receipt without uploading it. This response has the keys that it uses.',
  input: z.strictObject({
    example: z
      .enum(VERIFY_EXAMPLES)
      .optional()
      .meta({ description: 'Adds a file to try: an entry of this log, unchanged or with a changed date.' }),
  }),
  output: VerifyPage,
  cache: 'no-store',
  problems: [],
  pages: { html: verifyPageHtml, markdown: (output) => documentMarkdown(output, 'Verify a file') },
  examples: recorded(examples.verify_page),
});
