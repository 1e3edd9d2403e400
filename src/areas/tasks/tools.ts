import { z } from 'zod';
import { attestationField, defineTool, oneOfThem, sha256Field, stamp, timeField } from '#kernel/tool.ts';

const STATES = [
  ...(['submitted', 'quoted', 'input_required', 'payment_required', 'working', 'completed'] as const),
  ...(['failed', 'rejected', 'canceled', 'expired'] as const),
] as const;
const state = z.enum(STATES);
const money = z.string().regex(/^\d+(?:\.\d{1,6})?$/, 'must be a plain decimal amount');
const euros = (text: string) => Number(text);
const taskId = z
  .string()
  .regex(/^tsk_[0-9a-z]{26}$/, 'must be tsk_ and 26 characters')
  .meta({ description: 'Id of a task, tsk_…' });
const receiptId = z
  .string()
  .regex(/^rcp_[0-9a-z]{26}$/, 'must be rcp_ and 26 characters')
  .meta({ description: 'Receipt of the task, rcp_…' });
const receiptKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{32}$/, 'must be 32 characters of base64url')
  .meta({ description: 'The secret that create_task showed once' });
const route = z
  .strictObject({ id: z.string(), why: z.array(z.string()), alternatives: z.array(z.string()) })
  .nullable();

export const createTask = defineTool({
  name: 'create_task',
  title: 'Create a task',
  description:
    'Turns a need in plain words into a task. Anonymous callers get free routes and payment addresses; an X-Agent-Key header lets the task spend from that wallet, up to max_eur. Missing details come back as questions. Keep receipt_key: it is shown once.',
  input: z.strictObject({
    need: z.string().min(3).max(4_000).meta({ description: 'What is needed, in plain words' }),
    agent_id: z.string().min(2).max(80).default('anonymous').meta({ description: 'Your agent id' }),
    inputs: z.record(z.string(), z.unknown()).optional().meta({ description: 'Details by name' }),
    region: z.enum(['NL', 'BE', 'DE']).default('NL').meta({ description: 'Where it is about' }),
    max_eur: money
      .refine((text) => euros(text) <= 500, { message: 'must be at most 500', params: { code: 'too_large' } })
      .default('5.00')
      .meta({ description: 'Most that it may cost, at most 500' }),
    mode: z.enum(['auto', 'quote']).default('auto').meta({ description: 'quote stops before anything is spent' }),
    idempotency_key: z.string().min(1).max(255).optional().meta({ description: 'The same key gives the same task' }),
  }),
  output: z.strictObject({
    task_id: taskId,
    state,
    route,
    questions: z.array(z.strictObject({ field: z.string(), question: z.string() })).max(3),
    quote: z.strictObject({ price_eur: money, fee_eur: money, expires_at: timeField.nullable() }).nullable(),
    payment: z
      .strictObject({
        x402_url: z.string().nullable(),
        price_usdc: money.nullable(),
        free_url: z.string().nullable(),
        wallet: z.string().nullable(),
      })
      .nullable(),
    receipt_id: receiptId,
    receipt_key: receiptKey.nullable().meta({ description: 'Shown once; null where the task was made before' }),
    expires_at: timeField.nullable(),
    next: z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }),
    ...stamp,
  }),
  hints: { readOnlyHint: false, idempotentHint: false, openWorldHint: true },
});

export const checkTask = defineTool({
  name: 'check_task',
  title: 'Check a task',
  description:
    'What became of a task. Give at least one field: task_id shows state, route and hashes; receipt_id adds the digest of the result; receipt_key adds need and result.',
  input: oneOfThem({
    task_id: taskId.optional(),
    receipt_id: receiptId.optional(),
    receipt_key: receiptKey.optional(),
  }),
  needsOne: true,
  output: z.strictObject({
    task_id: taskId,
    state,
    route: z.string().nullable(),
    updated_at: timeField,
    steps: z.array(z.strictObject({ n: z.int(), name: z.string(), at: timeField })),
    result_sha256: sha256Field.nullable(),
    need: z.string().nullable(),
    result: z.unknown().meta({ description: 'null without receipt_key, and before there is one' }),
    attestation_id: attestationField.nullable(),
    error: z.strictObject({ code: z.string(), detail: z.string() }).nullable(),
    ...stamp,
  }),
});

export const getEvidence = defineTool({
  name: 'get_evidence',
  title: 'Get the evidence of a task',
  description: 'The hash chain over the steps of a task, its root and its seal. Outputs themselves are not returned.',
  input: z.strictObject({ task_id: taskId }),
  output: z.strictObject({
    task_id: taskId,
    state,
    steps: z.array(
      z.strictObject({
        n: z.int(),
        name: z.string(),
        input_sha256: sha256Field,
        output_sha256: sha256Field.nullable(),
        prev: sha256Field,
        hash: sha256Field.nullable(),
        at: timeField,
      }),
    ),
    root: sha256Field,
    chain_ok: z.boolean(),
    attestation_id: attestationField.nullable(),
    verify_url: z.string().nullable(),
    inclusion_url: z.string().nullable(),
    ...stamp,
  }),
});
