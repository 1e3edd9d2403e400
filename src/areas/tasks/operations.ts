import { z } from 'zod';
import { taskIdField } from '#kernel/fields.ts';
import { idempotencyConflict } from '#kernel/idempotency.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { transitionInvalid } from '#kernel/transition.ts';
import { FUND_PROBLEMS, KEY_PROBLEMS, READ_KEY_PROBLEMS } from '#platform/ledger/caller.ts';
import { ruleRefused } from '#platform/usage-rules/problems.ts';
import examples from './examples.json' with { type: 'json' };
import {
  BY_OWNER,
  CreateTaskInput,
  Evidence,
  inputsField,
  needField,
  ownerFields,
  routeField,
  TaskAnswer,
  taskRefField,
  TaskStatus,
} from './fields.ts';
import * as problems from './problems.ts';

const BODY_BYTES = 262_144;
const free = { tag: 'tasks', access: 'none', price: null, cache: 'no-store' } as const;
const write = { ...free, method: 'post', effects: true, rate: 'tasks', bodyLimitBytes: BODY_BYTES } as const;
const read = { ...free, method: 'get', effects: false, reads: 'store', rate: 'crossing-read' } as const;

const ABOUT =
  'The need is routed by what it says, without a model: it never guesses, says why, and asks at most three questions. A task that ends within two seconds is answered in its last state, otherwise with poll. An anonymous caller gets what is free; a need for a paid verdict ends in payment_required with its x402 address. Evidence of every step is chained and sealed.';
const making = {
  ...write,
  access: 'agent_or_none',
  input: CreateTaskInput,
  headerOnly: { 'x-agent-key': 'agent_key' },
  output: TaskAnswer,
  successStatus: 201,
} as const;
const makingProblems = [...KEY_PROBLEMS, ruleRefused, idempotencyConflict, problems.inFlight];

export const doTask = defineOperation({
  ...making,
  operationId: 'do',
  path: '/do',
  summary: 'Have something done, three times without registration',
  description: `${ABOUT} Three tasks in thirty days run from one address without registration.`,
  problems: [problems.freeTriesUsed, ...makingProblems],
  examples: recorded(examples.do),
});

export const createTask = defineOperation({
  ...making,
  operationId: 'create_task',
  walletPrice: { eur: '0.00', rule: 'what the quote of the task says' },
  path: '/api/tasks',
  summary: 'Make a task from a need in words',
  description: ABOUT,
  problems: makingProblems,
  examples: recorded(examples.create_task),
});

export const checkTask = defineOperation({
  ...read,
  operationId: 'check_task',
  access: 'task_owner',
  path: '/api/tasks/{ref}',
  summary: 'How a task stands',
  description:
    'The task id shows state, route and times, the receipt id also the digest of the result; the receipt key (X-Receipt-Key) or the key of the agent (X-Agent-Key) show need, result, questions and price.',
  input: z.strictObject({ ref: taskRefField, ...ownerFields }),
  headerOnly: BY_OWNER,
  output: TaskStatus,
  problems: [...READ_KEY_PROBLEMS, problems.receiptKeyInvalid, problems.unknownTask],
  examples: recorded(examples.check_task),
});

export const getEvidence = defineOperation({
  ...read,
  operationId: 'get_evidence',
  path: '/api/tasks/{task_id}/evidence',
  summary: 'The chain of evidence of a task',
  description:
    'Every step with the digests of what went in and came out, chained by SHA-256 and recomputed now; the root is sealed in the public log. Outputs themselves are not shown.',
  input: z.strictObject({ task_id: taskIdField }),
  output: Evidence,
  problems: [problems.unknownTask],
  examples: recorded(examples.get_evidence),
});

const owning = { ...write, access: 'task_owner', headerOnly: BY_OWNER, output: TaskAnswer } as const;
const owningProblems = [...READ_KEY_PROBLEMS, problems.receiptKeyInvalid, problems.unknownTask, transitionInvalid];
const OwnerInput = z.strictObject({ task_id: taskIdField, ...ownerFields });

export const answerTask = defineOperation({
  ...owning,
  operationId: 'answer_task',
  path: '/api/tasks/{task_id}/input',
  summary: 'Answer the questions of a task',
  description: 'Adds inputs, names the route or words the need anew, and goes on.',
  input: z.strictObject({
    task_id: taskIdField,
    inputs: inputsField,
    need: needField.optional(),
    route: routeField.optional().meta({ description: 'The route that is meant' }),
    ...ownerFields,
  }),
  problems: [...owningProblems, ruleRefused, problems.inFlight],
  examples: recorded(examples.answer_task),
});

export const acceptQuote = defineOperation({
  ...owning,
  operationId: 'accept_quote',
  path: '/api/tasks/{task_id}/accept',
  summary: 'Accept the quote of a task',
  description:
    'Holds the price in the wallet and begins the work. A task that was not paid for is quoted again and tried again.',
  input: OwnerInput,
  problems: [...owningProblems, ...FUND_PROBLEMS],
  examples: recorded(examples.accept_quote),
});

export const cancelTask = defineOperation({
  ...owning,
  whileSuspended: 'allowed',
  operationId: 'cancel_task',
  path: '/api/tasks/{task_id}/cancel',
  summary: 'Cancel a task',
  description: 'Ends a task before its end. What was held is free again, nothing is charged, and no result is shown.',
  input: OwnerInput,
  problems: owningProblems,
  examples: recorded(examples.cancel_task),
});

export type AnswerInput = z.output<typeof answerTask.input>;
export type OwnerInput = Pick<z.output<typeof OwnerInput>, 'receipt_key' | 'agent_key'>;
