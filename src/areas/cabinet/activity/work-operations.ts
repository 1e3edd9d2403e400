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
  summary: 'List tasks',
  description:
    'Lists the newest tasks of all agents. With task_id, the response includes the result and evidence of that task.',
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
  summary: 'Cancel a task',
  description: 'Stops a task before it finishes and releases its hold.',
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
  summary: 'List orders',
  description:
    'Lists the newest orders of all agents, with every state and its seal. With order_id, the response includes the lines of that order.',
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
  summary: 'Cancel an order',
  description: 'Cancels a placed or confirmed order before it is shipped. The fee is returned.',
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
  summary: 'List calls',
  description:
    "Lists an agent's calls in the last 30 days, together with its ledger entries. Bodies, keys and tokens are not stored.",
  input: z.strictObject({
    agent_id: fields.agentIdField.optional(),
    before: timeField.optional().meta({ description: 'Only items before this one.' }),
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
  summary: 'List mandates',
  description:
    'Lists the public view of mandates that name one of your agents. Anyone with the control token can see the full mandate.',
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
  pages: pages.mandatesDocument,
  examples: recorded(examples.cabinet_mandate_open),
});
