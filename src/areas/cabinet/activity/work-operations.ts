import { z } from 'zod';
import { keyInvalid, keyMalformed } from '#kernel/api-key.ts';
import { mandateIdField, orderIdField, taskIdField, timeField } from '#kernel/fields.ts';
import { defineOperation } from '#kernel/operation.ts';
import { transitionInvalid } from '#kernel/transition.ts';
import * as fields from '../fields.ts';
import { AGENT_ID, AGENTS, EXAMPLE_AT, EXAMPLE_HEAD } from '../fields.ts';
import { notOfAccount } from '../problems.ts';
import { CabinetCalls, CabinetMandates, CabinetOrders, CabinetTasks } from '../shapes.ts';
import * as pages from './work-pages.ts';

const { cabinetRead: read, cabinetWrite: write } = fields;
const TASK_ID = 'tsk_0123456789abcdefghjkmnpqrs';
const ORDER_ID = 'ord_0123456789abcdefghjkmnpqrs';
const MANDATE_ID = 'mnd_0123456789abcdefghjkmnpqrs';
const LIST = { ...EXAMPLE_HEAD, agents: AGENTS };

export const tasksPage = defineOperation({
  ...read,
  operationId: 'cabinet_tasks',
  path: '/cabinet/tasks',
  summary: 'Tasks of all agents, and one with its evidence',
  description: 'The newest tasks; with task_id also what it gave and the chain of its evidence.',
  input: z.strictObject({ task_id: taskIdField.optional() }),
  output: CabinetTasks,
  problems: [...fields.READ_PROBLEMS, notOfAccount],
  pages: pages.tasksDocument,
  examples: [{ name: 'none', input: {}, output: { ...LIST, tasks: [], task: null } }],
});

export const cancelOwnTask = defineOperation({
  ...write,
  operationId: 'cabinet_task_cancel',
  path: '/cabinet/tasks',
  summary: 'Cancel a task of an agent',
  description: 'Ends a task before its end; what was held is free again.',
  input: z.strictObject({ csrf: fields.csrfField, task_id: taskIdField }),
  output: CabinetTasks,
  problems: [...fields.WRITE_PROBLEMS, notOfAccount, transitionInvalid],
  pages: pages.tasksDocument,
  examples: [{ name: 'canceled', input: { task_id: TASK_ID }, output: { ...LIST, tasks: [], task: null } }],
});

export const ordersPage = defineOperation({
  ...read,
  operationId: 'cabinet_orders',
  path: '/cabinet/orders',
  summary: 'Orders of all agents, and one with its history',
  description: 'The newest orders with every state and its seal; with order_id also the lines of it.',
  input: z.strictObject({ order_id: orderIdField.optional() }),
  output: CabinetOrders,
  problems: [...fields.READ_PROBLEMS, notOfAccount],
  pages: pages.ordersDocument,
  examples: [{ name: 'none', input: {}, output: { ...LIST, orders: [], order: null } }],
});

export const cancelOwnOrder = defineOperation({
  ...write,
  operationId: 'cabinet_order_cancel',
  path: '/cabinet/orders',
  summary: 'Cancel an order of an agent',
  description: 'Ends an order that the supplier has not confirmed; the fee is free again.',
  input: z.strictObject({ csrf: fields.csrfField, order_id: orderIdField }),
  output: CabinetOrders,
  problems: [...fields.WRITE_PROBLEMS, notOfAccount, transitionInvalid],
  pages: pages.ordersDocument,
  examples: [{ name: 'cancelled', input: { order_id: ORDER_ID }, output: { ...LIST, orders: [], order: null } }],
});

export const callsPage = defineOperation({
  ...read,
  operationId: 'cabinet_calls',
  path: '/cabinet/calls',
  summary: 'Calls of an agent and what they cost',
  description:
    'Calls under the keys of an agent in the last 30 days, between the movements of its wallet. Bodies, keys and tokens are not kept.',
  input: z.strictObject({
    agent_id: fields.agentIdField.optional(),
    before: timeField.optional().meta({ description: 'Only what came before' }),
  }),
  output: CabinetCalls,
  problems: [...fields.READ_PROBLEMS, notOfAccount],
  pages: pages.callsDocument,
  examples: [
    {
      name: 'a call',
      input: {},
      output: {
        ...LIST,
        agent_id: AGENT_ID,
        items: [
          {
            at: EXAMPLE_AT,
            operation: 'get_wallet',
            status: 200,
            code: null,
            ms: 3,
            price_eur: null,
            receipt: null,
          },
        ],
        next_before: null,
      },
    },
  ],
});

export const mandatesPage = defineOperation({
  ...read,
  operationId: 'cabinet_mandates',
  path: '/cabinet/mandates',
  summary: 'Mandates that name an agent of the account',
  description: 'Their public view. What they allow in full is shown to whoever has the control token.',
  input: z.strictObject({}),
  output: CabinetMandates,
  problems: fields.READ_PROBLEMS,
  pages: pages.mandatesDocument,
  examples: [{ name: 'none', input: {}, output: { ...LIST, mandates: [], opened: null } }],
});

export const openMandate = defineOperation({
  ...write,
  operationId: 'cabinet_mandate_open',
  path: '/cabinet/mandates',
  summary: 'See or revoke a mandate with its control token',
  description: 'The token is used for this one call and not kept.',
  input: z.strictObject({
    csrf: fields.csrfField,
    mandate_id: mandateIdField,
    control_token: z.string().min(1).max(200).meta({ description: 'Control token of the mandate, amhm_…' }),
    action: z.enum(['view', 'revoke']).meta({ description: 'What to do with it' }),
  }),
  output: CabinetMandates,
  problems: [...fields.WRITE_PROBLEMS, notOfAccount, keyMalformed, keyInvalid],
  pages: pages.mandatesDocument,
  examples: [
    {
      name: 'seen',
      input: { mandate_id: MANDATE_ID, control_token: 'amhm_…', action: 'view' },
      output: { ...LIST, mandates: [], opened: { mandate_id: MANDATE_ID, max_commit_cents: 50_000 } },
    },
  ],
});
