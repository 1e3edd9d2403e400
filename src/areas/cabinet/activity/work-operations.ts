import { z } from 'zod';
import { keyInvalid, keyMalformed } from '#kernel/api-key.ts';
import { mandateIdField, orderIdField, taskIdField, timeField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { transitionInvalid } from '#kernel/transition.ts';
import examples from '../examples.json' with { type: 'json' };
import * as fields from '../fields.ts';
import { notOfAccount } from '../problems.ts';
import { CabinetCalls, CabinetMandates, CabinetOrders, CabinetTasks } from '../shapes.ts';
import * as pages from './work-pages.ts';

const { cabinetRead: read, cabinetWrite: write } = fields;

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
  examples: recorded(examples.cabinet_tasks),
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
  examples: recorded(examples.cabinet_task_cancel),
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
  examples: recorded(examples.cabinet_orders),
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
  examples: recorded(examples.cabinet_order_cancel),
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
  examples: recorded(examples.cabinet_calls),
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
  examples: recorded(examples.cabinet_mandates),
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
  examples: recorded(examples.cabinet_mandate_open),
});
