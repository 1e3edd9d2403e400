import { DAY_MS } from '#kernel/clock.ts';
import { randomUnit } from '#kernel/ids.ts';
import { onlyOne } from '#platform/storage/head.ts';
import type { Store, Unit } from '#platform/storage/store.ts';
import * as sql from '../sql.ts';

export const callExpiry = sql.CALL.expiring({ by: ['at'], keptMs: 30 * DAY_MS });
/** More calls than these between two beats are counted elsewhere and not listed here. */
const MAX_NOTED = 2_000;
const NUMBERS = 2 ** 40;
const FAILED = 400;
/** Counting more would keep the page waiting. */
export const MOST_COUNTED = 10_000;

interface CallCount {
  readonly total: number;
  readonly failed: number;
  readonly isMore: boolean;
}

export interface CallFilter {
  readonly beforeMs: number;
  readonly limit: number;
  readonly isFailed?: boolean;
  readonly operation?: string | undefined;
}

interface Noted {
  readonly atMs: number;
  readonly op: string;
  readonly method?: string | undefined;
  readonly status?: number | undefined;
  readonly code?: string | null | undefined;
  readonly ms?: number | undefined;
}

type CallCommand =
  | { readonly type: 'note'; readonly calls: readonly sql.CallRecord[] }
  | { readonly type: 'forget'; readonly calls: readonly CallKey[] };

type CallKey = Pick<sql.CallRecord, 'agentId' | 'atMs' | 'n'>;

interface State {
  readonly added: readonly sql.CallRecord[];
  readonly removed: readonly CallKey[];
}

const callUnit: Unit<[CallCommand, number], State> = {
  name: 'agent_call',
  reads: () => ({}),
  load: () => ({ added: [], removed: [] }),
  decide(state, _nowMs, _next, command) {
    const result = command.calls.length;
    if (command.type === 'note') return { state: { ...state, added: [...state.added, ...command.calls] }, result };
    return { state: { ...state, removed: [...state.removed, ...command.calls] }, result };
  },
  writes: (_before, { added, removed }) => [
    sql.CALL.upsert(added),
    sql.CALL.remove(removed.map(({ agentId, atMs, n }) => [agentId, atMs, n])),
  ],
};

/** Which calls came under the keys of an agent: when, what, and what became of them; never what was in them. */
export class AgentCalls {
  readonly #store: Store;
  #noted: sql.CallRecord[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  note(agentId: string | undefined, { atMs, op, method = '', status = 0, code = null, ms = 0 }: Noted): void {
    if (agentId === undefined || this.#noted.length >= MAX_NOTED) return;
    const n = Math.floor(randomUnit() * NUMBERS);
    this.#noted.push({ agentId, atMs, n, operation: op, method, status, code, ms });
  }

  /** Writes what was noted since the last time; what cannot be written is lost, as the trail has it. */
  async flush(): Promise<void> {
    const calls = this.#noted;
    this.#noted = [];
    if (calls.length > 0) await this.#store.run(callUnit, { type: 'note', calls }).catch(() => undefined);
  }

  /** Deletes a portion of the calls of an agent that goes, and says how many went. */
  async erasePortion(agentId: string): Promise<number> {
    await this.flush();
    const calls = await this.#store.read(sql.CALLS_TO_ERASE, [agentId]);
    return calls.length === 0 ? 0 : this.#store.run(callUnit, { type: 'forget', calls });
  }

  /** Those that follow one in the list, newest first; those of the last moments included. */
  async page(agentId: string, last: CallKey | undefined, limit: number): Promise<readonly sql.CallRecord[]> {
    await this.flush();
    const { atMs, n } = last ?? { atMs: Number.MAX_SAFE_INTEGER, n: 0 };
    return this.#store.read(sql.CALLS_AFTER, [agentId, atMs, n, limit]);
  }

  async records(agentId: string, { beforeMs, limit, isFailed, operation = '' }: CallFilter) {
    await this.flush();
    const cells = [agentId, beforeMs, limit, isFailed ? FAILED : 0];
    if (operation === '') return this.#store.read(sql.CALLS_OF_AGENT, cells);
    return this.#store.read(sql.CALLS_OF_OPERATION, [...cells, operation]);
  }

  /** How many came since a moment and how many failed, of each no more than `most`; says whether there were more. */
  async countSince(agentId: string, sinceMs: number, most = MOST_COUNTED): Promise<CallCount> {
    await this.flush();
    const { total, failed } = onlyOne(await this.#store.read(sql.CALLS_SINCE, [agentId, sinceMs, most + 1]));
    return { total: Math.min(total, most), failed: Math.min(failed, most), isMore: total > most };
  }

  /** The operations among the newest thousand calls of an agent. */
  async operations(agentId: string): Promise<string[]> {
    return (await this.#store.read(sql.OPERATIONS_OF_AGENT, [agentId])).map(({ operation }) => operation);
  }
}
