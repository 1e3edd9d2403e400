import { defineProblem } from '#kernel/problem.ts';

export const freeTriesUsed = defineProblem({
  code: 'free_tries_used',
  status: 401,
  title: 'Free tries used',
  help: 'Three tasks in thirty days run free from one address on /do. Register an agent (the member register says where) or use /api/tasks.',
});
export const inFlight = defineProblem({
  code: 'in_flight',
  status: 429,
  title: 'A task is in flight',
  help: 'One anonymous task at a time runs for an address. Wait for it, as Retry-After says, or register an agent.',
});
export const unknownTask = defineProblem({
  code: 'unknown_task',
  status: 404,
  title: 'Unknown task',
  help: 'No task has this id or receipt. A task is deleted 180 days after its end.',
});
export const receiptKeyInvalid = defineProblem({
  code: 'receipt_key_invalid',
  status: 403,
  title: 'Not the owner of the task',
  help: 'Send the receipt key that was shown when the task was made as X-Receipt-Key, or the key of the agent that made it as X-Agent-Key.',
});
export const lessonsExceeded = defineProblem({
  code: 'lessons_exceeded',
  status: 429,
  title: 'Too many lessons',
  help: 'Ten lessons in an hour are taken from one address. Wait as Retry-After says.',
});
