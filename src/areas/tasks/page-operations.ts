import { z } from 'zod';
import { documentMarkdown } from '#kernel/document.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import examples from './examples.json' with { type: 'json' };
import { taskRefField } from './fields.ts';
import * as problems from './problems.ts';
import { taskHtml, TaskPage, type TaskPageAnswer } from './task-page.ts';

const shared = {
  tag: 'tasks',
  effects: false,
  reads: 'store',
  access: 'none',
  price: null,
  rate: 'crossing-read',
  cache: 'no-store',
  output: TaskPage,
  pages: { html: taskHtml, markdown: (output: TaskPageAnswer) => documentMarkdown(output, 'Task') },
} as const;

export const taskPage = defineOperation({
  ...shared,
  operationId: 'task_page',
  method: 'get',
  path: '/tasks/{receipt_id}',
  summary: 'Show a task as a page',
  description: 'Shows state, route and the evidence timeline. Enter the receipt key to see the result.',
  input: z.strictObject({ receipt_id: taskRefField }),
  problems: [problems.unknownTask],
  examples: recorded(examples.task_page),
});

export const openTaskPage = defineOperation({
  ...shared,
  operationId: 'open_task_page',
  method: 'post',
  path: '/tasks/{receipt_id}',
  takesForm: true,
  summary: 'Show a task page with its result',
  description:
    'The form on the task page posts here, with the receipt key. The key is never part of an address and is not stored.',
  input: z.strictObject({
    receipt_id: taskRefField,
    receipt_key: z.string().min(1).max(200).meta({ description: 'Shown once, when the task was created.' }),
  }),
  problems: [problems.unknownTask, problems.receiptKeyInvalid],
  examples: recorded(examples.open_task_page),
});
