import { type Clock, DAY_MS, isoTime } from '#kernel/clock.ts';
import { randomUnit } from '#kernel/ids.ts';
import type { Cell, Row, Step, Store, Unit } from '#platform/storage/store.ts';
import * as sql from '../sql.ts';

const RETENTION_MS = 30 * DAY_MS;
/** More calls than these between two beats are counted elsewhere and not listed here. */
const MAX_NOTED = 2_000;
const NUMBERS = 2 ** 40;

interface Noted {
  readonly atMs: number;
  readonly op: string;
  readonly method?: string | undefined;
  readonly status?: number | undefined;
  readonly code?: string | null | undefined;
  readonly ms?: number | undefined;
}

type CallCommand =
  | { readonly type: 'note'; readonly rows: readonly (readonly Cell[])[] }
  | { readonly type: 'forget'; readonly agentId: string }
  | { readonly type: 'sweep'; readonly beforeMs: number };

interface State {
  readonly found: readonly Row[];
  readonly added: readonly (readonly Cell[])[];
  readonly removed: readonly Row[];
}

const callUnit: Unit<[CallCommand, number], State> = {
  name: 'agent_call',
  reads(commands) {
    const sweep = commands.find((one) => one.type === 'sweep');
    return [
      { sql: sql.CALLS_OF_AGENTS, list: commands.flatMap((one) => (one.type === 'forget' ? one.agentId : [])) },
      { sql: sql.CALLS_OVER, ...(sweep === undefined ? { list: [] } : { params: [sweep.beforeMs] }) },
    ];
  },
  load: (rows) => ({ found: rows.flat(), added: [], removed: [] }),
  decide(state, _nowMs, _next, command) {
    if (command.type === 'note') {
      return { state: { ...state, added: [...state.added, ...command.rows] }, result: command.rows.length };
    }
    const isMeant = (row: Row) =>
      command.type === 'forget' ? row['agent_id'] === command.agentId : (row['at'] as number) <= command.beforeMs;
    const meant = state.found.filter(isMeant);
    return { state: { ...state, removed: [...state.removed, ...meant] }, result: meant.length };
  },
  writes: (_before, { added, removed }) => [
    { sql: sql.CALL_INSERT, rows: added },
    { sql: sql.CALL_DELETE, rows: removed.map((row) => [row['agent_id'], row['at'], row['n']] as Cell[]) },
  ],
};

/** Which calls came under the keys of an agent: when, what, and what became of them; never what was in them. */
export class AgentCalls {
  readonly #store: Store;
  readonly #clock: Pick<Clock, 'now'>;
  #noted: Cell[][] = [];

  constructor(store: Store, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  note(agentId: string | undefined, { atMs, op, method = '', status = 0, code = null, ms = 0 }: Noted): void {
    if (agentId === undefined || this.#noted.length >= MAX_NOTED) return;
    this.#noted.push([agentId, atMs, Math.floor(randomUnit() * NUMBERS), op, method, status, code, ms]);
  }

  /** Writes what was noted since the last time; what cannot be written is lost, as the trail has it. */
  async flush(): Promise<void> {
    const rows = this.#noted;
    this.#noted = [];
    if (rows.length > 0) await this.#store.run(callUnit, { type: 'note', rows }).catch(() => undefined);
  }

  sweep(): Promise<number> {
    return this.#store.run(callUnit, { type: 'sweep', beforeMs: this.#clock.now() - RETENTION_MS });
  }

  eraseStep(agentId: string): Step {
    return { unit: callUnit, command: { type: 'forget', agentId } };
  }

  /** Newest first, those of the last moments included. */
  async list(agentId: string, beforeMs: number, limit: number) {
    await this.flush();
    return (await this.#store.read(sql.CALLS_OF_AGENT, [agentId, beforeMs, limit])).map((row) => ({
      at: isoTime(row['at'] as number),
      operation: row['operation'] as string,
      status: row['status'] as number | null,
      code: row['code'] as string | null,
      ms: row['ms'] as number | null,
    }));
  }
}
