import { type Clock, HOUR_MS } from '#kernel/clock.ts';
import type { Store, Unit } from '#platform/storage/store.ts';
import * as sql from './sql.ts';

const DAY_HOURS = 24;
const WINDOW_DAYS = 90;

interface Tally {
  readonly hour: number;
  readonly operation: string;
  calls: number;
  faults: number;
}

interface TallyCommand {
  readonly tallies: readonly Readonly<Tally>[];
  /** Hours before it are forgotten. */
  readonly keepFrom: number;
}

interface TallyState {
  readonly old: readonly number[];
  readonly added: ReadonlyMap<string, Readonly<Tally>>;
}

/** Adds to the counts of all processes; what left the window goes. */
const tallyUnit: Unit<[TallyCommand, null], TallyState> = {
  name: 'tally',
  reads: (commands) => [{ sql: sql.TALLY_OLD, params: [Math.max(...commands.map(({ keepFrom }) => keepFrom))] }],
  load: ([rows = []]) => ({ old: rows.map((row) => row['hour'] as number), added: new Map() }),
  decide(state, _nowMs, _next, { tallies }) {
    const added = new Map(state.added);
    for (const tally of tallies) {
      const name = `${tally.hour} ${tally.operation}`;
      const known = added.get(name) ?? { ...tally, calls: 0, faults: 0 };
      added.set(name, { ...tally, calls: known.calls + tally.calls, faults: known.faults + tally.faults });
    }
    return { state: { ...state, added }, result: null };
  },
  writes: (_before, { old, added }) => [
    { sql: sql.TALLY_DROP, rows: old.map((hour) => [hour]) },
    {
      sql: sql.TALLY_ADD,
      rows: [...added.values()].map(({ hour, operation, calls, faults }) => [hour, operation, calls, faults]),
    },
  ],
};

export interface Availability {
  readonly window_days: number;
  readonly definition: string;
  readonly minimum_pct: number | null;
  readonly worst_endpoint: string | null;
  readonly by_endpoint: readonly { readonly operation_id: string; readonly pct: number; readonly n: number }[];
}

/** Counts the calls of every operation and those that the service failed: in memory at once, in the store by the minute. */
export class CallTally {
  readonly #store: Store;
  readonly #clock: Clock;
  #waiting = new Map<string, Tally>();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  count(operation: string, status: number, atMs: number): void {
    const hour = Math.floor(atMs / HOUR_MS);
    const tally = this.#waiting.get(operation);
    if (tally === undefined || tally.hour !== hour) {
      // What is left of the hour before is kept under a name of its own until it is written.
      if (tally !== undefined) this.#waiting.set(`${operation} ${tally.hour}`, tally);
      this.#waiting.set(operation, { hour, operation, calls: 1, faults: status >= 500 ? 1 : 0 });
      return;
    }
    tally.calls += 1;
    if (status >= 500) tally.faults += 1;
  }

  /** Writes what was counted; a store out of reach gets it with the next. */
  async flush(): Promise<void> {
    const tallies = [...this.#waiting.values()];
    if (tallies.length === 0) return;
    this.#waiting = new Map();
    const keepFrom = this.#hoursAgo(WINDOW_DAYS * DAY_HOURS);
    try {
      await this.#store.run(tallyUnit, { tallies, keepFrom });
    } catch (error) {
      for (const tally of tallies) this.#putBack(tally);
      throw error;
    }
  }

  /** Calls of the last day, to the hour. */
  async callsOfDay(): Promise<number> {
    const rows = await this.#store.read(sql.TALLY_SINCE, [this.#hoursAgo(DAY_HOURS)]);
    return rows.reduce((sum, row) => sum + Number(row['calls']), 0);
  }

  async availability(): Promise<Availability> {
    const rows = await this.#store.read(sql.TALLY_SINCE, [this.#hoursAgo(WINDOW_DAYS * DAY_HOURS)]);
    const shares = rows.map((row) => {
      const [calls, faults] = [Number(row['calls']), Number(row['faults'])];
      return {
        operation_id: row['operation'] as string,
        pct: Math.floor(((calls - faults) / calls) * 1e6) / 1e4,
        n: calls,
      };
    });
    const [worst] = shares.toSorted((a, b) => a.pct - b.pct || (a.operation_id < b.operation_id ? -1 : 1));
    return {
      window_days: WINDOW_DAYS,
      definition: 'share of calls answered without a fault of the service, per operation; the figure is the minimum',
      minimum_pct: worst?.pct ?? null,
      worst_endpoint: worst?.operation_id ?? null,
      by_endpoint: shares,
    };
  }

  #hoursAgo(hours: number): number {
    return Math.floor(this.#clock.now() / HOUR_MS) - hours;
  }

  #putBack(tally: Tally): void {
    const name = `${tally.operation} ${tally.hour}`;
    const since = this.#waiting.get(name);
    this.#waiting.set(name, {
      ...tally,
      calls: tally.calls + (since?.calls ?? 0),
      faults: tally.faults + (since?.faults ?? 0),
    });
  }
}
