import type { z } from 'zod';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { type Call, WithPage } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { readCaused } from '#platform/ledger/queries.ts';
import { formatEur } from '#platform/ledger/steps.ts';
import type { Store } from '#platform/storage/store.ts';
import type { OwnedAgent, Owner } from '../owner.ts';
import type { CabinetCalls } from '../shapes.ts';
import type { CallRecord } from '../sql.ts';
import type { AgentCalls } from './calls.ts';
import { callsDocument, type CallsView, type ShownCall } from './calls-page.ts';
import type { callsPage } from './work-operations.ts';

type Input = z.output<(typeof callsPage)['input']>;
type Caused = Awaited<ReturnType<typeof readCaused>>[number];

const CALLS_PAGE = 100;
/** Those that are looked through for what a call cost: the first page of calls needs few. */
const MOVEMENTS = { first: 300, all: 1_000 };

export interface OwnerCallsOptions {
  readonly store: Pick<Store, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly calls: AgentCalls;
  readonly problemOf: CallsView['problemOf'];
}

/** The calls of the agents of an account, and what they cost. */
export class OwnerCalls {
  readonly #options: OwnerCallsOptions;

  constructor(options: OwnerCallsOptions) {
    this.#options = options;
  }

  /** Programs that name no agent are shown the first one's calls, as ever; the page shows all. */
  async answer(owner: Owner, input: Input, { wantsPage }: Call) {
    const isOfFirst = input.agent_id === undefined && !wantsPage;
    const agents = isOfFirst ? owner.agents.slice(0, 1) : owner.only(input.agent_id);
    if (agents instanceof Refusal) return agents;
    const { calls, problemOf } = this.#options;
    const isShort = wantsPage === true && input.before === undefined;
    const most = isShort ? MOVEMENTS.first : MOVEMENTS.all;
    const { made, moved, oldestMs, beforeMs } = await this.#found(agents, input, most);
    const output: z.output<typeof CabinetCalls> = {
      ...owner.head,
      agents: owner.names,
      agent_id: isOfFirst ? (agents[0]?.agentId ?? null) : input.agent_id || null,
      items: this.#items(made, input.status === 'failed' || input.operation ? [] : moved, { oldestMs, beforeMs }),
      next_before: oldestMs === null ? null : isoTime(oldestMs),
    };
    if (!wantsPage) return output;
    const operations = await Promise.all(agents.map(({ agentId }) => calls.operations(agentId)));
    const view = {
      calls: withCosts(made, moved),
      operations: [...new Set(operations.flat())].toSorted(),
      isFailed: input.status === 'failed',
      operation: input.operation ?? '',
      isFirstPage: input.before === undefined,
      problemOf,
    };
    return new WithPage(output, (site) => callsDocument.html(output, site, view));
  }

  async #found(agents: readonly OwnedAgent[], { before, status, operation }: Input, most: number) {
    const { calls, store, clock } = this.#options;
    const beforeMs = before === undefined ? clock.now() + 1 : Date.parse(before);
    const asked = { beforeMs, limit: CALLS_PAGE + 1, isFailed: status === 'failed', operation };
    const lists = await Promise.all(agents.map(({ agentId }) => calls.records(agentId, asked)));
    const all = lists.flat().toSorted((a, b) => b.atMs - a.atMs);
    const moved = await Promise.all(
      agents.map(async ({ agentId }) => (await readCaused(store, agentId, most)).map((one) => ({ ...one, agentId }))),
    );
    const made = all.slice(0, CALLS_PAGE);
    const oldestMs = all.length > CALLS_PAGE ? (made.at(-1)?.atMs ?? null) : null;
    return { made, moved: moved.flat(), oldestMs, beforeMs };
  }

  /** Calls and the ledger entries among them, in one list. */
  #items(
    made: readonly CallRecord[],
    moved: readonly Caused[],
    { oldestMs, beforeMs }: { readonly oldestMs: number | null; readonly beforeMs: number },
  ): z.output<typeof CabinetCalls>['items'] {
    const movements = moved
      .filter(({ atMs }) => atMs < beforeMs && (oldestMs === null || atMs >= oldestMs))
      .map(({ atMs, kind, amountMicro, ref, txId }) => ({
        at: isoTime(atMs),
        operation: kind,
        status: null,
        code: null,
        ms: null,
        price_eur: formatEur(amountMicro),
        receipt: ref ?? txId,
      }));
    const calls = made.map(({ atMs, operation, status, code, ms }) => ({
      at: isoTime(atMs),
      operation,
      status,
      code,
      ms,
      price_eur: null,
      receipt: null,
    }));
    return [...calls, ...movements].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  }
}

/** Which calls set money aside or move it; no call of an agent causes any other kind. */
const CAUSES: Readonly<Record<string, RegExp>> = {
  capability: /capability|^mcp/,
  bom: /bom|^mcp/,
  task: /task|quote|^do$|^mcp/,
  order_fee: /order|^mcp/,
  order_fee_reversed: /order|^mcp/,
};
/** The two clocks of a call are read one after the other. */
const SLACK_MS = 5;

/** Joins what moved to the call during which the money was set aside; what no call caused is in the ledger alone. */
function withCosts(
  made: readonly CallRecord[],
  moved: readonly (Caused & { readonly agentId: string })[],
): ShownCall[] {
  const costs = new Map<CallRecord, Caused[]>();
  for (const one of moved.toSorted((a, b) => a.seq - b.seq)) {
    const call = causeOf(made, one, costs);
    if (call !== undefined) costs.set(call, [...(costs.get(call) ?? []), one]);
  }
  return made.map((call) => ({
    ...call,
    moved: (costs.get(call) ?? []).map(({ kind, ref, amountMicro, seq }) => ({ kind, ref, amountMicro, seq })),
  }));
}

/** Of calls side by side one that has caused nothing yet, and of those the one that came last before it. */
function causeOf(
  made: readonly CallRecord[],
  { agentId, causedAtMs, kind }: Caused & { readonly agentId: string },
  costs: ReadonlyMap<CallRecord, readonly Caused[]>,
): CallRecord | undefined {
  const fitting = made.filter(
    (call) =>
      CAUSES[kind]?.test(call.operation) &&
      call.agentId === agentId &&
      call.method === 'POST' &&
      call.status < 400 &&
      call.atMs <= causedAtMs + SLACK_MS &&
      causedAtMs <= call.atMs + call.ms + SLACK_MS,
  );
  const caused = (call: CallRecord) => costs.get(call)?.length ?? 0;
  const [nearest] = fitting.toSorted((a, b) => caused(a) - caused(b) || b.atMs - a.atMs);
  return nearest;
}
