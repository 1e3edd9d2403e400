import type { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import { formatEur } from '#platform/ledger/steps.ts';
import { digestOf, isChainWhole, rootOf, type TaskStep } from './evidence.ts';
import type { Evidence, TaskAnswer, TaskStatus } from './fields.ts';
import type { TaskView } from './state.ts';
import { ANONYMOUS } from '#kernel/task-route.ts';
import { isInFlight, isOver, type Task } from './task.ts';

export interface ViewOptions {
  readonly baseUrl: string;
  readonly sandbox: boolean;
}

/** Everything of a task, for its owner. */
export function taskAnswer(
  view: TaskView,
  shown: ViewOptions,
  once: { readonly receiptKey?: string; readonly triesLeft?: number | null } = {},
): z.output<typeof TaskAnswer> {
  const { task } = view;
  const { route, why, alternatives, entities } = task.routing;
  return {
    task_id: task.id,
    state: task.state,
    agent_id: task.agentId,
    need: task.need,
    region: task.region,
    max_eur: formatEur(task.maxMicro),
    route: { id: route, why: [...why], alternatives: [...alternatives], entities: { ...entities } },
    ...askedView(task, shown),
    receipt_id: task.receiptId,
    ...(once.receiptKey !== undefined && { receipt_key: once.receiptKey }),
    poll: isInFlight(task.state) ? `/api/tasks/${task.id}` : null,
    steps: stepList(view.steps),
    result: resultOf(view),
    free_tries_left: once.triesLeft ?? null,
    ...endView(view, shown),
  };
}

/** `public`: whoever knows the task id; `receipt`: whoever knows its receipt id. */
export function taskStatus(
  view: TaskView,
  level: 'public' | 'receipt' | 'owner',
  shown: ViewOptions,
): z.output<typeof TaskStatus> {
  const { task } = view;
  const isOwner = level === 'owner';
  const result = resultOf(view);
  const nothing = { questions: [], quote: null, payment: null };
  return {
    task_id: task.id,
    state: task.state,
    route: task.routing.route,
    steps: stepList(view.steps),
    result_sha256: result === null || level === 'public' ? null : digestOf(result),
    need: isOwner ? task.need : null,
    result: isOwner ? result : null,
    ...(isOwner ? askedView(task, shown) : nothing),
    ...endView(view, shown),
    ...(!isOwner && { receipt: null, charged_eur: null }),
  };
}

/** `isSealed` says whether the public log holds this root; null where nothing was sealed. */
export function evidenceView(
  view: TaskView,
  isSealed: boolean | null,
  { baseUrl }: ViewOptions,
): z.output<typeof Evidence> {
  const { task, steps } = view;
  const { attestationId } = task;
  return {
    task_id: task.id,
    state: task.state,
    steps: steps.map(({ n, name, inputSha256, outputSha256, prev, hash, atMs }) => ({
      n,
      name,
      input_sha256: inputSha256,
      output_sha256: outputSha256,
      prev,
      hash,
      at: isoTime(atMs),
    })),
    root: sealedRoot(steps) ?? rootOf(task.id, steps),
    chain_ok: isChainWhole(task.id, steps) && isSealed !== false,
    attestation_id: attestationId,
    verify_url: attestationId === null ? null : `${baseUrl}/api/attest/verify/${attestationId}`,
    inclusion_url: attestationId === null ? null : `${baseUrl}/api/attest/verify/${attestationId}?format=tlog-proof`,
  };
}

/** The hash that was sealed: the one before the seal. */
export function sealedRoot(steps: readonly TaskStep[]): string | null {
  return steps.find(({ name }) => name === 'seal')?.prev ?? null;
}

function askedView(
  task: Task,
  { baseUrl }: ViewOptions,
): Pick<z.output<typeof TaskAnswer>, 'questions' | 'quote' | 'payment'> {
  const { quote } = task;
  const sold = quote?.sold ?? null;
  const isUnpaid = task.state === 'payment_required';
  return {
    questions: task.questions.map(({ id, text, choices }) => ({
      id,
      text,
      ...(choices !== undefined && { choices: [...choices] }),
    })),
    quote: quote && {
      price_eur: formatEur(quote.priceMicro),
      fee_eur: formatEur(quote.feeMicro),
      expires_at: task.state === 'quoted' && task.dueAtMs !== null ? isoTime(task.dueAtMs) : null,
    },
    payment: isUnpaid
      ? {
          x402_url: sold && baseUrl + sold.x402Path,
          price_usdc: sold && sold.priceUsdc,
          free_url: sold?.freePath == null ? null : baseUrl + sold.freePath,
          wallet: task.agentId === ANONYMOUS ? '/api/agents/register' : '/api/agents/wallet/topup',
        }
      : null,
  };
}

function endView({ task, steps }: TaskView, { sandbox }: ViewOptions) {
  return {
    charged_eur: chargedOf(task, steps),
    receipt: task.receipt as Record<string, unknown> | null,
    evidence_root: sealedRoot(steps),
    attestation_id: task.attestationId,
    error: task.error && { ...task.error },
    created_at: isoTime(task.createdAtMs),
    updated_at: isoTime(task.updatedAtMs),
    expires_at: isOver(task.state) || task.dueAtMs === null ? null : isoTime(task.dueAtMs),
    ...(sandbox && { sandbox: true as const }),
  };
}

/** What was paid for it: nothing for one that ended otherwise than completed. */
function chargedOf({ state }: Task, steps: readonly TaskStep[]): string | null {
  if (!isOver(state)) return null;
  const output = steps.findLast(({ name }) => name === 'settle')?.output ?? null;
  const { charged_micro } = output === null ? { charged_micro: 0 } : (JSON.parse(output) as { charged_micro: number });
  return formatEur(state === 'completed' ? charged_micro : 0);
}

function stepList(steps: readonly TaskStep[]) {
  return steps.map(({ n, name, atMs }) => ({ n, name, at: isoTime(atMs) }));
}

/** What the work gave; shown only where the task is completed, which is when it was paid. */
function resultOf({ task, steps }: TaskView): Record<string, unknown> | null {
  const output = steps.findLast(({ name }) => name === 'execute')?.output ?? null;
  if (task.state !== 'completed' || output === null) return null;
  return (JSON.parse(output) as { result: Record<string, unknown> }).result;
}
