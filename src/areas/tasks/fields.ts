import { z } from 'zod';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { idForm } from '#kernel/ids.ts';
import { parseMicro } from '#kernel/money.ts';
import { withFaultCode } from '#kernel/query-decoder.ts';
import { cleanedText, plainText } from '#kernel/text-field.ts';
import { agentKeyField } from '#platform/ledger/caller.ts';
import { STEP_NAMES } from './evidence.ts';
import { ROUTE_IDS } from './route-table.ts';
import { ANONYMOUS } from '#kernel/task-route.ts';
import { PHASE_A_MOST_MICRO, REGIONS } from '#platform/phase.ts';
import { TASK_STATES } from './task.ts';

const time = z.iso.datetime({ precision: 3 });
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const needField = cleanedText({ min: 3, max: 4_000, description: 'What should be done, in words' });
export const inputsField = z
  .record(z.string().max(80), z.unknown())
  .refine((given) => hasOneText(given), {
    message: 'must be JSON of at most 60 levels, in Unicode',
    params: { code: 'not_canonical' },
  })
  .default({})
  .meta({ description: 'What the work needs beside the text, by name; data, never judged by the rules' });
export const routeField = z.enum(ROUTE_IDS as [string, ...string[]]);

function hasOneText(value: unknown): boolean {
  try {
    canonicalJson({ inputs: value });
    return true;
  } catch {
    return false;
  }
}

const receiptKeyField = z
  .string()
  .max(200)
  .optional()
  .meta({ description: 'Receipt key of the task, shown once when it was made' });
export const ownerFields = { receipt_key: receiptKeyField, agent_key: agentKeyField };
export const BY_OWNER = { 'x-receipt-key': 'receipt_key', 'x-agent-key': 'agent_key' };

export const taskRefField = z
  .string()
  .regex(idForm('(?:tsk_|rcp_)'), 'must be a task id, tsk_…, or a receipt id, rcp_…')
  .meta({ description: 'Id of the task or of its receipt' });

export const CreateTaskInput = z.strictObject({
  agent_id: z
    .string()
    .min(2)
    .max(80)
    .meta({ description: `${ANONYMOUS}, or the agent whose key is in X-Agent-Key` }),
  need: needField,
  inputs: inputsField,
  region: withFaultCode(
    z.enum(REGIONS).default('NL').meta({ description: 'Where the task is about; NL, BE and DE are offered' }),
    'region_unsupported',
  ),
  max_eur: z
    .string()
    .transform((text, context) => {
      const micro = parseMicro(text);
      if (micro === null) {
        context.addIssue({
          code: 'custom',
          message: 'must be a decimal number of EUR',
          params: { code: 'not_an_amount' },
        });
      } else if (micro > PHASE_A_MOST_MICRO) {
        const message = 'must be at most 500 EUR: larger tasks await new insurance';
        context.addIssue({ code: 'custom', message, params: { code: 'amount_over_phase_a' } });
      }
      return micro ?? 0;
    })
    .default(5_000_000)
    .meta({ description: 'Most that the task may cost without being asked again; at most 500, 5.00 unless given' }),
  mode: z
    .enum(['auto', 'quote'])
    .default('auto')
    .meta({ description: 'auto runs when the quote fits max_eur and the wallet, quote waits for accept' }),
  idempotency_key: plainText(1, 255).optional().meta({ description: 'Makes a repeated call give the same task' }),
  agent_key: agentKeyField,
});
export type CreateTaskInput = z.output<typeof CreateTaskInput>;

const Question = z
  .strictObject({ id: z.string(), text: z.string(), choices: z.array(z.string()).optional() })
  .meta({ id: 'TaskQuestion', description: 'id names the member of the answer' });
const Quote = z
  .strictObject({ price_eur: z.string(), fee_eur: z.string(), expires_at: time.nullable() })
  .meta({ id: 'TaskQuote' });
const Payment = z
  .strictObject({
    x402_url: z.string().nullable(),
    price_usdc: z.string().nullable(),
    free_url: z.string().nullable(),
    wallet: z.string(),
  })
  .meta({ id: 'TaskPayment', description: 'Where the need is sold, and the way to a wallet that pays' });
const Failure = z.strictObject({ code: z.string(), detail: z.string() }).meta({ id: 'TaskError' });
const state = z.enum(TASK_STATES as [string, ...string[]]);
const steps = z.array(z.strictObject({ n: z.int(), name: z.enum(STEP_NAMES), at: time }));
const anything = z.record(z.string(), z.unknown());

const ends = {
  receipt: anything.nullable().meta({ description: 'Signs task_id and result, once completed' }),
  evidence_root: sha256.nullable(),
  attestation_id: z.string().nullable(),
  error: Failure.nullable(),
  created_at: time,
  updated_at: time,
  expires_at: time.nullable(),
  sandbox: z.literal(true).optional(),
};
const asked = { questions: z.array(Question).max(3), quote: Quote.nullable(), payment: Payment.nullable() };

export const TaskAnswer = z
  .strictObject({
    task_id: z.string(),
    state,
    agent_id: z.string(),
    need: z.string(),
    region: z.enum(REGIONS),
    max_eur: z.string(),
    route: z
      .strictObject({
        id: routeField.nullable(),
        why: z.array(z.string()),
        alternatives: z.array(routeField),
        entities: z.record(z.string(), z.string()),
      })
      .meta({ description: 'How the need was understood' }),
    ...asked,
    receipt_id: z.string(),
    receipt_key: z.string().optional().meta({ description: 'Shown once; opens need and result later' }),
    poll: z.string().nullable().meta({ description: 'Where to ask again while the task is in flight' }),
    steps,
    result: anything.nullable(),
    free_tries_left: z.int().nullable(),
    ...ends,
  })
  .meta({ id: 'Task' });

export const TaskStatus = z
  .strictObject({
    task_id: z.string(),
    state,
    route: routeField.nullable(),
    steps,
    result_sha256: sha256.nullable().meta({ description: 'With the receipt id or as owner' }),
    need: z.string().nullable().meta({ description: 'As owner' }),
    result: anything.nullable().meta({ description: 'As owner' }),
    ...asked,
    ...ends,
  })
  .meta({ id: 'TaskStatus' });

export const Evidence = z
  .strictObject({
    task_id: z.string(),
    state,
    steps: z.array(
      z.strictObject({
        n: z.int(),
        name: z.enum(STEP_NAMES),
        input_sha256: sha256,
        output_sha256: sha256.nullable(),
        prev: sha256,
        hash: sha256.nullable(),
        at: time,
      }),
    ),
    root: sha256,
    chain_ok: z.boolean(),
    attestation_id: z.string().nullable(),
    verify_url: z.string().nullable(),
    inclusion_url: z.string().nullable(),
  })
  .meta({ id: 'TaskEvidence' });
