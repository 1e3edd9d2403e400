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
  summary: 'State and evidence of a task, as a page',
  description: 'State, route and the timeline of evidence. The result shows after entering the receipt key.',
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
  summary: 'The same with need, reasons and result, for who has the receipt key',
  description: 'The form of the page posts here. The key stands in no address and is not kept.',
  input: z.strictObject({
    receipt_id: taskRefField,
    receipt_key: z.string().min(1).max(200).meta({ description: 'Shown once, when the task was made' }),
  }),
  problems: [problems.unknownTask, problems.receiptKeyInvalid],
  examples: recorded(examples.open_task_page),
});
