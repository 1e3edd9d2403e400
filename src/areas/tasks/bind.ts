import { type BoundOperation, bind } from '#kernel/bound-operation.ts';
import { acceptQuote, answerTask, cancelTask, checkTask, createTask, doTask, getEvidence } from './operations.ts';
import { openTaskPage, taskPage } from './page-operations.ts';
import type { Tasks } from './service.ts';

/** The rows of this area, in the order in which documents show them. */
export const TASK_OPERATIONS = [
  doTask,
  createTask,
  checkTask,
  getEvidence,
  answerTask,
  acceptQuote,
  cancelTask,
  ...[taskPage, openTaskPage],
];

export function bindTasks(tasks: Tasks): BoundOperation[] {
  return [
    bind(doTask, (input, call) => tasks.create(input, call, 'do')),
    bind(createTask, (input, call) => tasks.create(input, call, 'create_task')),
    bind(checkTask, (input) => tasks.check(input)),
    bind(getEvidence, ({ task_id }) => tasks.evidence(task_id)),
    bind(answerTask, (input, call) => tasks.answer(input, call)),
    bind(acceptQuote, (input) => tasks.accept(input)),
    bind(cancelTask, (input) => tasks.cancel(input)),
    bind(taskPage, (input) => tasks.page(input.receipt_id)),
    bind(openTaskPage, (input) => tasks.page(input.receipt_id, input.receipt_key)),
  ];
}
