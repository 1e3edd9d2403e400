import { type Clock, HOUR_MS } from '#kernel/clock.ts';
import type { Store, Unit } from '#platform/storage/store.ts';
import { given } from '#platform/storage/table.ts';
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

const reads = (commands: readonly TallyCommand[]) => ({
  old: given(sql.TALLY_OLD, [Math.max(...commands.map(({ keepFrom }) => keepFrom))]),
});

/** Adds to the counts of all processes; what left the window goes. */
const tallyUnit: Unit<[TallyCommand, null], TallyState, typeof reads> = {
  name: 'tally',
  reads,
  load: ({ old }) => ({ old: old.map(({ hour }) => hour), added: new Map() }),
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
    { ...sql.TALLY.insert([...added.values()]), sql: sql.TALLY_ADD },
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
  /** By operation and hour: one text of both would be put together at every call. */
  #waiting = new Map<string, Map<number, Tally>>();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  count(operation: string, status: number, atMs: number): void {
    this.#add({ hour: Math.floor(atMs / HOUR_MS), operation, calls: 1, faults: status >= 500 ? 1 : 0 });
  }

  /** Writes what was counted; a store out of reach gets it with the next. */
  async flush(): Promise<void> {
    const tallies = [...this.#waiting.values()].flatMap((hours) => [...hours.values()]);
    if (tallies.length === 0) return;
    this.#waiting = new Map();
    const keepFrom = this.#hoursAgo(WINDOW_DAYS * DAY_HOURS);
    try {
      await this.#store.run(tallyUnit, { tallies, keepFrom });
    } catch (error) {
      for (const tally of tallies) this.#add(tally);
      throw error;
    }
  }

  /** Calls of the last day, to the hour. */
  async callsOfDay(): Promise<number> {
    const tallies = await this.#store.read(sql.TALLY_SINCE, [this.#hoursAgo(DAY_HOURS)]);
    return tallies.reduce((sum, { calls }) => sum + calls, 0);
  }

  async availability(): Promise<Availability> {
    const tallies = await this.#store.read(sql.TALLY_SINCE, [this.#hoursAgo(WINDOW_DAYS * DAY_HOURS)]);
    const shares = tallies.map(({ operation, calls, faults }) => ({
      operation_id: operation,
      pct: Math.floor(((calls - faults) / calls) * 1e6) / 1e4,
      n: calls,
    }));
    const [worst] = shares.toSorted((a, b) => a.pct - b.pct || (a.operation_id < b.operation_id ? -1 : 1));
    return {
      window_days: WINDOW_DAYS,
      definition: 'Share of calls without a server error, per operation. The figure is the minimum.',
      minimum_pct: worst?.pct ?? null,
      worst_endpoint: worst?.operation_id ?? null,
      by_endpoint: shares,
    };
  }

  #hoursAgo(hours: number): number {
    return Math.floor(this.#clock.now() / HOUR_MS) - hours;
  }

  #add({ hour, operation, calls, faults }: Tally): void {
    const hours = this.#waiting.get(operation) ?? new Map<number, Tally>();
    const tally = hours.get(hour);
    if (tally === undefined) {
      this.#waiting.set(operation, hours.set(hour, { hour, operation, calls, faults }));
      return;
    }
    tally.calls += calls;
    tally.faults += faults;
  }
}
