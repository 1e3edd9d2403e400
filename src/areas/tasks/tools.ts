import { z } from 'zod';
import { taskIdField } from '#kernel/fields.ts';
import { Refusal } from '#kernel/problem.ts';
import { defineTool, oneOfThem, stamp, type ToolWork } from '#kernel/tool.ts';
import { Evidence, TaskAnswer, TaskStatus } from './fields.ts';
import { unknownTask } from './problems.ts';
import type { Tasks } from './service.ts';

/** What every answer of a tool carries. */
export interface Stamp {
  readonly as_of: string;
  readonly sandbox?: true;
}

interface Stamping {
  readonly stamp: () => Stamp;
}

const made = TaskAnswer.shape;

/** A task that was just made, with the tool that says how it goes on. */
export const CreatedTask = z.strictObject({
  task_id: made.task_id,
  state: made.state,
  route: z.strictObject({ id: z.string(), why: z.array(z.string()), alternatives: z.array(z.string()) }).nullable(),
  questions: z.array(z.strictObject({ field: z.string(), question: z.string() })).max(3),
  quote: made.quote,
  payment: made.payment,
  receipt_id: made.receipt_id,
  receipt_key: z.string().nullable().meta({ description: 'Shown once. Null if the task already existed.' }),
  expires_at: made.expires_at,
  next: z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }),
  ...stamp,
});

export const createdTask = {
  output: CreatedTask,
  from(
    {
      task_id,
      state,
      route,
      questions,
      quote,
      payment,
      receipt_id,
      receipt_key,
      expires_at,
    }: z.output<typeof TaskAnswer>,
    area: Stamping,
  ): z.output<typeof CreatedTask> {
    return {
      task_id,
      state,
      quote,
      payment,
      receipt_id,
      expires_at,
      route: route.id === null ? null : { id: route.id, why: route.why, alternatives: route.alternatives },
      questions: questions.map(({ id, text }) => ({ field: id, question: text })),
      receipt_key: receipt_key ?? null,
      next: { tool: 'check_task', arguments: { task_id, ...(receipt_key !== undefined && { receipt_key }) } },
      ...area.stamp(),
    };
  },
};

const StampedEvidence = z.strictObject({ ...Evidence.shape, ...stamp });

export const stampedEvidence = {
  output: StampedEvidence,
  from: (evidence: z.output<typeof Evidence>, area: Stamping): z.output<typeof StampedEvidence> => ({
    ...evidence,
    ...area.stamp(),
  }),
};

const receiptId = z
  .string()
  .regex(/^rcp_[0-9a-z]{26}$/, 'Must be rcp_ and 26 characters.')
  .meta({ description: 'The receipt id of the task, rcp_….' });
const receiptKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{32}$/, 'Must be 32 characters of base64url.')
  .meta({ description: 'The secret that create_task returned once.' });
const status = TaskStatus.shape;

/** Unlike its operation it takes any one of three references. */
export const checkTaskTool = defineTool({
  name: 'check_task',
  title: 'Check a task',
  description:
    'Returns the status of a task. Give at least one field: task_id returns state, route and hashes. receipt_id adds the digest of the result. receipt_key adds the request and the result.',
  input: oneOfThem({
    task_id: taskIdField.optional(),
    receipt_id: receiptId.optional(),
    receipt_key: receiptKey.optional(),
  }),
  needsOne: true,
  output: z.strictObject({
    task_id: status.task_id,
    state: status.state,
    route: z.string().nullable(),
    updated_at: status.updated_at,
    steps: status.steps,
    result_sha256: status.result_sha256,
    need: status.need,
    result: status.result,
    attestation_id: status.attestation_id,
    error: status.error,
    ...stamp,
  }),
});

/** The row has one field for both references. */
export function checkedBy({ ref }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return String(ref).startsWith('rcp_') ? { receipt_id: ref } : { task_id: ref };
}

type Checking = Stamping & { readonly tasks: Pick<Tasks, 'check' | 'idOfReceiptKey'> };

export async function checkedTask(
  { tasks, stamp: stamped }: Checking,
  ...[{ task_id, receipt_id, receipt_key }, { agentKey }]: Parameters<ToolWork<typeof checkTaskTool>>
): Promise<z.output<typeof checkTaskTool.output> | Refusal> {
  const ofKey = receipt_key === undefined ? undefined : () => tasks.idOfReceiptKey(receipt_key);
  const ref = task_id ?? receipt_id ?? (await ofKey?.());
  if (ref === undefined) return new Refusal(unknownTask, { detail: 'No task has this receipt key.' });
  const found = await tasks.check({ ref, receipt_key, agent_key: agentKey });
  if (found instanceof Refusal) return found;
  const { state, route, updated_at, steps, result_sha256, need, result, attestation_id, error } = found;
  return {
    task_id: found.task_id,
    state,
    route,
    updated_at,
    steps,
    result_sha256,
    need,
    result,
    attestation_id,
    error,
    ...stamped(),
  };
}
