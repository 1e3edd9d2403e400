import { defineProblem } from '#kernel/problem.ts';

export const freeTriesUsed = defineProblem({
  code: 'free_tries_used',
  status: 401,
  title: 'Free tries used',
  help: 'One address can run three free tasks in 30 days on /do, and they are used up. Nothing was started. Register an agent at the address in register, or use /api/tasks.',
});
export const inFlight = defineProblem({
  code: 'in_flight',
  status: 429,
  title: 'A task is running',
  help: 'An address can run one anonymous task at a time. Nothing was started. Retry after the time in Retry-After, or register an agent.',
});
export const unknownTask = defineProblem({
  code: 'unknown_task',
  status: 404,
  title: 'Task not found',
  help: 'No task has this id or receipt id. Check the id. Tasks are deleted 180 days after they end.',
});
export const receiptKeyInvalid = defineProblem({
  code: 'receipt_key_invalid',
  status: 403,
  title: 'Not the task owner',
  help: 'The keys sent do not belong to this task. Send the receipt key, shown when the task was created, as X-Receipt-Key. Or send the key of the agent that created it as X-Agent-Key. Nothing was changed.',
});
export const lessonsExceeded = defineProblem({
  code: 'lessons_exceeded',
  status: 429,
  title: 'Too many lessons',
  help: 'One address can record ten lessons in an hour. Nothing was stored. Retry after the time in Retry-After.',
});
