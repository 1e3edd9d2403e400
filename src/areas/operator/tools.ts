import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { plainText } from '#kernel/text-field.ts';
import { attestationField, defineTool, stamp } from '#kernel/tool.ts';

const seal = z.strictObject({ attestation_id: attestationField, log_seq: z.int(), sealed_at: timeField, ...stamp });
const write = { readOnlyHint: false, idempotentHint: false };

export const listTasksInReview = defineTool({
  name: 'list_tasks_in_review',
  title: 'List tasks and top-ups that need review',
  description: "Oldest first. Agents' texts are in untrusted_ fields.",
  input: z.strictObject({
    limit: z.int().min(1).max(100).default(20).meta({ description: 'Maximum number of items.' }),
  }),
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        id: z.string(),
        kind: z.enum(['task', 'top_up']),
        since: timeField,
        reason: z.string(),
        untrusted_text: z.string().nullable(),
      }),
    ),
    ...stamp,
  }),
});

export const issueStatement = defineTool({
  name: 'issue_statement',
  title: 'Seal a statement by the service',
  description: 'The statement is in clear in the public log, permanently.',
  input: z.strictObject({
    statement: plainText(1, 4_000).meta({ description: 'The statement.' }),
    corrects_attestation_id: attestationField.optional().meta({ description: 'The entry that it corrects.' }),
  }),
  output: seal,
  hints: write,
});

export const declareKey = defineTool({
  name: 'declare_key',
  title: 'Declare a key of the service',
  description: 'The declaration is in clear in the public log, permanently. It does not change any key in use.',
  input: z.strictObject({
    public_key: z.string().min(1).max(200).meta({ description: 'A note verifier key or a raw public key.' }),
    role: z.enum(['root', 'legacy']).meta({ description: 'root: in force.' }),
    scope: z.enum(['log-checkpoint', 'receipts']).meta({ description: 'What the key signs.' }),
    superseded_by: z.string().min(1).max(200).optional().meta({ description: 'The key that replaced it.' }),
  }),
  output: seal,
  hints: write,
});

export const repositoryWrite = defineTool({
  name: 'repository_write',
  title: 'Propose a change to one file',
  description: 'Opens a pull request in the configured repository. It never writes to the default branch.',
  input: z.strictObject({
    path: z
      .string()
      .max(300)
      .regex(/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.-]+(?:\/[\w.-]+)*$/, 'Must be a plain relative path.')
      .meta({ description: 'Path of the file.' }),
    content: z.string().max(500_000).meta({ description: 'The complete new text of the file.' }),
    message: plainText(1, 200).meta({ description: 'One line about the change.' }),
  }),
  output: z.strictObject({ url: z.string(), branch: z.string(), ...stamp }),
  hints: { ...write, openWorldHint: true },
});
