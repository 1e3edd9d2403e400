import { z } from 'zod';
import { idForm } from '#kernel/ids.ts';
import { parseMicro } from '#kernel/money.ts';
import { withFaultCode } from '#kernel/query-decoder.ts';
import { canonicalField, cleanedText, plainText } from '#kernel/text-field.ts';
import { agentKeyField } from '#platform/ledger/caller.ts';
import { STEP_NAMES } from './evidence.ts';
import { ROUTE_IDS } from './route-table.ts';
import { ANONYMOUS } from '#kernel/task-route.ts';
import { PHASE_A_MOST_MICRO, REGIONS } from '#platform/phase.ts';
import { TASK_STATES } from './task.ts';

const time = z.iso.datetime({ precision: 3 });
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const needField = cleanedText({ min: 3, max: 4_000, description: 'What should be done, in plain words.' });
export const inputsField = canonicalField(z.record(z.string().max(80), z.unknown()))
  .default({})
  .meta({
    description: 'Named inputs in addition to the text. Treated as data: the usage rules do not apply to them.',
  });
export const routeField = z.enum(ROUTE_IDS as [string, ...string[]]);

const receiptKeyField = z
  .string()
  .max(200)
  .optional()
  .meta({ description: 'Receipt key of the task, shown once when the task was created.' });
export const ownerFields = { receipt_key: receiptKeyField, agent_key: agentKeyField };
export const BY_OWNER = { 'x-receipt-key': 'receipt_key', 'x-agent-key': 'agent_key' };

export const taskRefField = z
  .string()
  .regex(idForm('(?:tsk_|rcp_)'), 'Must be a task id (tsk_…) or a receipt id (rcp_…).')
  .meta({ description: 'The task id or its receipt id.' });

/** The key alone opens the task again, and others may call from the same address. */
export const MIN_ANONYMOUS_KEY = 16;

export const CreateTaskInput = z.strictObject({
  agent_id: z
    .string()
    .min(2)
    .max(80)
    .meta({ description: `Either ${ANONYMOUS}, or the id of the agent whose key is in X-Agent-Key.` }),
  need: needField,
  inputs: inputsField,
  region: withFaultCode(
    z.enum(REGIONS).default('NL').meta({ description: 'Country that the task is about: NL, BE or DE.' }),
    'region_unsupported',
  ),
  max_eur: z
    .string()
    .transform((text, context) => {
      const micro = parseMicro(text);
      if (micro === null) {
        context.addIssue({
          code: 'custom',
          message: 'Must be a decimal number of euros.',
          params: { code: 'not_an_amount' },
        });
      } else if (micro > PHASE_A_MOST_MICRO) {
        const message = 'Must be at most 500 EUR. Larger tasks are not insured yet.';
        context.addIssue({ code: 'custom', message, params: { code: 'amount_over_phase_a' } });
      }
      return micro ?? 0;
    })
    .default(5_000_000)
    .meta({ description: 'Maximum price in EUR that needs no further approval: at most 500, default 5.00.' }),
  mode: z.enum(['auto', 'quote']).default('auto').meta({
    description:
      'With auto, the task runs when the quote is within max_eur and the wallet balance. With quote, it waits for accept.',
  }),
  idempotency_key: plainText(1, 255)
    .optional()
    .meta({
      description: `A repeated call with the same key returns the same task. If ${ANONYMOUS}, use ${MIN_ANONYMOUS_KEY} characters or more.`,
    }),
  agent_key: agentKeyField,
});
export type CreateTaskInput = z.output<typeof CreateTaskInput>;

const Question = z
  .strictObject({ id: z.string(), text: z.string(), choices: z.array(z.string()).optional() })
  .meta({ id: 'TaskQuestion', description: 'Use id as the member name in your answer.' });
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
  .meta({ id: 'TaskPayment', description: 'Where to buy this, and how to get a wallet that can pay.' });
const Failure = z.strictObject({ code: z.string(), detail: z.string() }).meta({ id: 'TaskError' });
const state = z.enum(TASK_STATES as [string, ...string[]]);
const steps = z.array(z.strictObject({ n: z.int(), name: z.enum(STEP_NAMES), at: time }));
const anything = z.record(z.string(), z.unknown());

const ends = {
  charged_eur: z.string().nullable().meta({ description: 'Shown to the owner only.' }),
  receipt: anything.nullable().meta({ description: 'Signature over task_id and result, once the task is completed.' }),
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
      .meta({ description: 'How the request was understood.' }),
    ...asked,
    receipt_id: z.string(),
    receipt_key: z
      .string()
      .optional()
      .meta({ description: 'Shown once. Gives access to the request and the result later.' }),
    poll: z.string().nullable().meta({ description: 'Where to poll while the task is running.' }),
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
    result_sha256: sha256.nullable().meta({
      description:
        'SHA-256 of the canonical JSON of result alone. The receipt signs task_id and result together, so its result_sha256 differs. Shown with the receipt id or to the owner.',
    }),
    need: z.string().nullable().meta({ description: 'Shown to the owner only.' }),
    result: anything.nullable().meta({ description: 'Shown to the owner only.' }),
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
