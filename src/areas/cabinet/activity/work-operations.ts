import { z } from 'zod';
import { keyInvalid, keyMalformed, suspended } from '#kernel/api-key.ts';
import { mandateIdField, orderIdField, taskIdField, timeField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { transitionInvalid } from '#kernel/transition.ts';
import { FUND_PROBLEMS } from '#platform/ledger/caller.ts';
import { ruleRefused } from '#platform/usage-rules/problems.ts';
import examples from '../examples.json' with { type: 'json' };
import * as fields from '../fields.ts';
import { notOfAccount } from '../problems.ts';
import { CabinetCalls, CabinetMandates, CabinetOrders, CabinetTasks } from '../shapes.ts';
import { ORDER_FILTERS, TASK_FILTERS } from './filters.ts';
import { mandatesDocument } from './mandate-pages.ts';
import { ordersDocument } from './order-pages.ts';
import { tasksDocument } from './task-pages.ts';
import { callsDocument } from './calls-page.ts';

const { cabinetRead: read, cabinetWrite: write, PAGE_FIELDS } = fields;
const BEFORE = { description: 'The next_before of the page before.' };
const onlyAgent = { agent_id: fields.oneAgentField };
const answerField = z
  .string()
  .max(20_000)
  .optional()
  .meta({ description: 'Answer to the question at this place. A list or an object is written as JSON.' });

function keysOf<K extends string>(filters: Readonly<Record<K, unknown>>): [K, ...K[]] {
  return Object.keys(filters) as [K, ...K[]];
}

export const tasksPage = defineOperation({
  ...read,
  operationId: 'cabinet_tasks',
  path: '/cabinet/tasks',
  summary: 'List tasks',
  description:
    'Lists the tasks of all agents, newest first. With task_id, the response includes the result and evidence of that task.',
  input: z.strictObject({
    task_id: taskIdField.optional(),
    ...onlyAgent,
    show: z
      .enum(keysOf(TASK_FILTERS))
      .optional()
      .meta({ description: 'Only tasks that wait for you, run, are done, or failed.' }),
    before: taskIdField.optional().meta(BEFORE),
  }),
  output: CabinetTasks,
  problems: [...fields.READ_PROBLEMS, notOfAccount],
  pages: tasksDocument,
  examples: recorded(examples.cabinet_tasks),
});

export const cancelOwnTask = defineOperation({
  ...write,
  operationId: 'cabinet_task_cancel',
  path: '/cabinet/tasks',
  summary: 'Cancel a task',
  description: 'Stops a task before it finishes and releases its hold.',
  input: z.strictObject({ csrf: fields.csrfField, task_id: taskIdField }),
  output: CabinetTasks,
  problems: [...fields.WRITE_PROBLEMS, notOfAccount, transitionInvalid],
  pages: tasksDocument,
  examples: recorded(examples.cabinet_task_cancel),
});

export const answerOwnTask = defineOperation({
  ...write,
  operationId: 'cabinet_task_answer',
  path: '/cabinet/tasks/answer',
  summary: 'Answer task questions',
  description: 'Answers the questions of a task in their order. The task then continues.',
  input: z.strictObject({
    csrf: fields.csrfField,
    task_id: taskIdField,
    answer_1: answerField,
    answer_2: answerField,
    answer_3: answerField,
  }),
  output: CabinetTasks,
  problems: [...fields.WRITE_PROBLEMS, notOfAccount, suspended, transitionInvalid, ruleRefused],
  pages: tasksDocument,
  examples: recorded(examples.cabinet_task_answer),
});

export const acceptOwnTask = defineOperation({
  ...write,
  operationId: 'cabinet_task_accept',
  path: '/cabinet/tasks/accept',
  summary: 'Accept the quote of a task',
  description: 'Puts a hold on the price in the wallet of the agent and starts the work.',
  input: z.strictObject({ csrf: fields.csrfField, task_id: taskIdField }),
  output: CabinetTasks,
  problems: [...fields.WRITE_PROBLEMS, notOfAccount, suspended, transitionInvalid, ...FUND_PROBLEMS],
  pages: tasksDocument,
  examples: recorded(examples.cabinet_task_accept),
});

export const ordersPage = defineOperation({
  ...read,
  operationId: 'cabinet_orders',
  path: '/cabinet/orders',
  summary: 'List orders',
  description:
    'Lists the orders of all agents, newest first, with every state and its seal. With order_id, the response includes the lines of that order.',
  input: z.strictObject({
    order_id: orderIdField.optional(),
    ...onlyAgent,
    show: z
      .enum(keysOf(ORDER_FILTERS))
      .optional()
      .meta({ description: 'Only orders that are open, delivered or cancelled.' }),
    before: orderIdField.optional().meta(BEFORE),
  }),
  output: CabinetOrders,
  problems: [...fields.READ_PROBLEMS, notOfAccount],
  pages: ordersDocument,
  examples: recorded(examples.cabinet_orders),
});

export const cancelOwnOrder = defineOperation({
  ...write,
  operationId: 'cabinet_order_cancel',
  path: '/cabinet/orders',
  summary: 'Cancel an order',
  description: 'Cancels a placed or confirmed order before it is shipped. The fee is returned.',
  input: z.strictObject({ csrf: fields.csrfField, order_id: orderIdField }),
  output: CabinetOrders,
  problems: [...fields.WRITE_PROBLEMS, notOfAccount, transitionInvalid],
  pages: ordersDocument,
  examples: recorded(examples.cabinet_order_cancel),
});

export const callsPage = defineOperation({
  ...read,
  operationId: 'cabinet_calls',
  path: '/cabinet/calls',
  summary: 'List calls',
  description:
    "Lists an agent's calls in the last 30 days, together with its ledger entries. Bodies, keys and tokens are not stored.",
  input: z.strictObject({
    agent_id: fields.oneAgentField.meta({ description: 'One agent. Empty for all agents; without it, the first one.' }),
    before: timeField.optional().meta({ description: 'Only items before this one.' }),
    status: z
      .enum(['', 'failed'])
      .optional()
      .meta({ description: 'Only calls that failed: status 400 or higher, no ledger entries.' }),
    operation: z
      .string()
      .regex(/^[a-z0-9_./-]{0,80}$/i, 'Must be the id of an operation.')
      .optional()
      .meta({ description: 'Only calls of this operation, no ledger entries.' }),
  }),
  output: CabinetCalls,
  problems: [...fields.READ_PROBLEMS, notOfAccount],
  pages: callsDocument,
  examples: recorded(examples.cabinet_calls),
});

export const mandatesPage = defineOperation({
  ...read,
  operationId: 'cabinet_mandates',
  path: '/cabinet/mandates',
  summary: 'List mandates',
  description:
    'Lists the public view of mandates that name one of your agents, newest first. Anyone with the control token can see the full mandate.',
  input: z.strictObject({ ...onlyAgent, before: mandateIdField.optional().meta(BEFORE) }),
  pageFields: [...PAGE_FIELDS, 'mandate_id'],
  output: CabinetMandates,
  problems: [...fields.READ_PROBLEMS, notOfAccount],
  pages: mandatesDocument,
  examples: recorded(examples.cabinet_mandates),
});

export const openMandate = defineOperation({
  ...write,
  operationId: 'cabinet_mandate_open',
  path: '/cabinet/mandates',
  summary: 'Show or revoke a mandate',
  description: 'Requires the control token. The token is used for this call and not stored.',
  input: z.strictObject({
    csrf: fields.csrfField,
    mandate_id: mandateIdField,
    control_token: z.string().min(1).max(200).meta({ description: 'Control token of the mandate, amhm_….' }),
    action: z.enum(['view', 'revoke']).meta({ description: 'The action.' }),
  }),
  output: CabinetMandates,
  problems: [...fields.WRITE_PROBLEMS, notOfAccount, keyMalformed, keyInvalid],
  pages: mandatesDocument,
  examples: recorded(examples.cabinet_mandate_open),
});
