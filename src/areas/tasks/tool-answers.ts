import { type Clock, isoTime } from '#kernel/clock.ts';
import { refuseFields } from '#kernel/general-problems.ts';
import { Refusal } from '#kernel/problem.ts';
import { decode } from '#kernel/query-decoder.ts';
import type { ToolWork } from '#kernel/tool.ts';
import { CreateInput } from './fields.ts';
import { unknownTask } from './problems.ts';
import type { Tasks } from './service.ts';
import type { checkTask, createTask, getEvidence } from './tools.ts';

export interface ToolAnswersOptions {
  readonly tasks: Tasks;
  readonly clock: Pick<Clock, 'now'>;
  readonly sandbox: boolean;
}

export interface ToolAnswers {
  readonly create_task: ToolWork<typeof createTask>;
  readonly check_task: ToolWork<typeof checkTask>;
  readonly get_evidence: ToolWork<typeof getEvidence>;
}

/** Tasks as tools: the same operations with the members that the tool table promises. */
export function toolAnswers({ tasks, clock, sandbox }: ToolAnswersOptions): ToolAnswers {
  const stamp = () => ({ as_of: isoTime(clock.now()), ...(sandbox && { sandbox: true as const }) });
  return {
    async create_task(input, { requestId, addressTag, agentKey }) {
      const read = decode(CreateInput, { ...input, ...(agentKey !== undefined && { agent_key: agentKey }) });
      if (!read.ok) return refuseFields(read.errors);
      const call = { requestId, addressTag, mediaType: 'application/json' };
      const made = await tasks.create(read.input as CreateInput, call, 'create_task');
      if (made instanceof Refusal) return made;
      const { task_id, state, route, questions, quote, payment, receipt_id, receipt_key, expires_at } = made.body;
      return {
        task_id,
        state: state as 'working',
        quote,
        payment,
        receipt_id,
        expires_at,
        route: route.id === null ? null : { id: route.id, why: route.why, alternatives: route.alternatives },
        questions: questions.map(({ id, text }) => ({ field: id, question: text })),
        receipt_key: receipt_key ?? null,
        next: { tool: 'check_task', arguments: { task_id, ...(receipt_key !== undefined && { receipt_key }) } },
        ...stamp(),
      };
    },
    async check_task({ task_id, receipt_id, receipt_key }, { agentKey }) {
      const ref =
        task_id ?? receipt_id ?? (receipt_key === undefined ? undefined : await tasks.idOfReceiptKey(receipt_key));
      if (ref === undefined) return new Refusal(unknownTask, { detail: 'no task has this receipt key' });
      const status = await tasks.check({ ref, receipt_key, agent_key: agentKey });
      if (status instanceof Refusal) return status;
      const { state, route, updated_at, steps, result_sha256, need, result, attestation_id, error } = status;
      return {
        task_id: status.task_id,
        state: state as 'working',
        route,
        updated_at,
        steps,
        result_sha256,
        need,
        result,
        attestation_id,
        error,
        ...stamp(),
      };
    },
    async get_evidence({ task_id }) {
      const evidence = await tasks.evidence(task_id);
      return evidence instanceof Refusal ? evidence : { ...evidence, state: evidence.state as 'working', ...stamp() };
    },
  };
}
