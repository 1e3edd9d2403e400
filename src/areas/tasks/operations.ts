import { z } from 'zod';
import { taskIdField } from '#kernel/fields.ts';
import { idempotencyConflict } from '#kernel/idempotency.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { transitionInvalid } from '#kernel/transition.ts';
import { BY_IDEMPOTENCY_KEY } from '#platform/ledger/answers.ts';
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
  'Avouch routes the request by its words, without a model. It never guesses, gives its reasons and asks at most three questions. If the task ends within two seconds, the response has its final state; otherwise it has a poll address. Anonymous callers get free routes only. A request for a paid verdict ends in payment_required with its x402 address. The evidence of every step is hash-chained and sealed.';
const making = {
  ...write,
  access: 'agent_or_none',
  input: CreateTaskInput,
  headerFields: BY_IDEMPOTENCY_KEY,
  headerOnly: { 'x-agent-key': 'agent_key' },
  output: TaskAnswer,
  successStatus: 201,
} as const;
const makingProblems = [...KEY_PROBLEMS, ruleRefused, idempotencyConflict, problems.inFlight];

export const doTask = defineOperation({
  ...making,
  operationId: 'do',
  path: '/do',
  summary: 'Try a task without an account (three per 30 days)',
  description: `${ABOUT} One address can run three tasks in 30 days without an account.`,
  problems: [problems.freeTriesUsed, ...makingProblems],
  examples: recorded(examples.do),
});

export const createTask = defineOperation({
  ...making,
  operationId: 'create_task',
  walletPrice: { eur: '0.00', rule: 'the price in the task quote' },
  path: '/api/tasks',
  summary: 'Create a task',
  description: ABOUT,
  problems: makingProblems,
  examples: recorded(examples.create_task),
});

export const checkTask = defineOperation({
  ...read,
  operationId: 'check_task',
  access: 'task_owner',
  path: '/api/tasks/{ref}',
  summary: 'Get a task',
  description:
    'The task id shows state, route and times. The receipt id also shows the digest of the result. With the receipt key (X-Receipt-Key) or the agent key (X-Agent-Key), the response includes the request, result, questions and price.',
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
  summary: 'Get the evidence of a task',
  description:
    'Lists every step with the digests of its input and output, chained by SHA-256 and recomputed for this call. The root is sealed in the public log. The outputs themselves are not shown.',
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
  summary: 'Answer task questions',
  description: 'Adds inputs, chooses the route or rewords the request. The task then continues.',
  input: z.strictObject({
    task_id: taskIdField,
    inputs: inputsField,
    need: needField.optional(),
    route: routeField.optional().meta({ description: 'The route to use.' }),
    ...ownerFields,
  }),
  problems: [...owningProblems, ruleRefused, problems.inFlight],
  examples: recorded(examples.answer_task),
});

export const acceptQuote = defineOperation({
  ...owning,
  operationId: 'accept_quote',
  path: '/api/tasks/{task_id}/accept',
  summary: 'Accept a quote',
  description:
    'Puts a hold on the price in the wallet and starts the work. A task that could not be paid is quoted again and retried.',
  input: OwnerInput,
  problems: [...owningProblems, ...FUND_PROBLEMS, problems.inFlight],
  examples: recorded(examples.accept_quote),
});

export const cancelTask = defineOperation({
  ...owning,
  whileSuspended: 'allowed',
  operationId: 'cancel_task',
  path: '/api/tasks/{task_id}/cancel',
  summary: 'Cancel a task',
  description: 'Stops a task before it finishes. The hold is released, nothing is charged, and no result is shown.',
  input: OwnerInput,
  problems: owningProblems,
  examples: recorded(examples.cancel_task),
});

export type AnswerInput = z.output<typeof answerTask.input>;
export type OwnerInput = Pick<z.output<typeof OwnerInput>, 'receipt_key' | 'agent_key'>;
