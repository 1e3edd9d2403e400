import type { Clock } from '#kernel/clock.ts';

/** What is known of a part, from memory. */
export interface ComponentState {
  readonly status: 'up' | 'degraded' | 'down' | 'not_configured';
  readonly detail: string | null;
  /** When it was last found so; null where nobody has looked yet. */
  readonly lastCheckMs: number | null;
  readonly latencyMs?: number | null;
}

export interface ComponentRow {
  readonly id: string;
  /** True for a part without which the service is out. */
  readonly required: boolean;
  readonly look: () => ComponentState;
}

export interface Component extends Required<ComponentState> {
  readonly id: string;
  readonly required: boolean;
  readonly sinceMs: number;
}

const FRESH_MS = 60_000;

/** The parts of the service. None is called up that was not found so within the last minute. */
export class ComponentBoard {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #rows: readonly ComponentRow[];
  readonly #since = new Map<string, { readonly status: string; readonly atMs: number }>();

  constructor(clock: Pick<Clock, 'now'>, rows: readonly ComponentRow[]) {
    this.#clock = clock;
    this.#rows = rows;
  }

  view(): Component[] {
    const nowMs = this.#clock.now();
    return this.#rows.map(({ id, required, look }) => {
      const state = fresh(look(), nowMs);
      const known = this.#since.get(id);
      const since = known?.status === state.status ? known : { status: state.status, atMs: nowMs };
      this.#since.set(id, since);
      return { id, required, latencyMs: null, ...state, sinceMs: since.atMs };
    });
  }
}

function fresh(state: ComponentState, nowMs: number): ComponentState {
  const { status, lastCheckMs } = state;
  if (status !== 'up' || (lastCheckMs !== null && nowMs - lastCheckMs <= FRESH_MS)) return state;
  const detail = lastCheckMs === null ? 'not checked yet' : 'not checked in the last minute';
  return { ...state, status: 'degraded', detail };
}
