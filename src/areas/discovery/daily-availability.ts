import { z } from 'zod';
import { type Clock, DAY_MS, utcDay } from '#kernel/clock.ts';
import type { Operation } from '#kernel/operation.ts';
import type { Store } from '#platform/storage/store.ts';
import { type Product, productsOf, PRODUCTS } from './products.ts';
import { hourlyTally } from './sql.ts';

const WINDOW_DAYS = 90;
const DAY_HOURS = 24;
/** Counts of other processes arrive late, so the last days are read again. */
const READ_AGAIN_DAYS = 2;
/** Availability of the worst hour below which a day is degraded or down. */
const DEGRADED_BELOW = 0.999;
const DOWN_BELOW = 0.95;
/** A single failed call in a quiet hour is no outage. */
const DOWN_FAILURES = 5;

const dayState = z.enum(['up', 'degraded', 'down']);

export const DailyAvailability = z
  .strictObject({
    from: z.iso.date().meta({ description: 'The first day of every list, in UTC. Each further value is a day later.' }),
    products: z.array(
      z.strictObject({
        id: z.string().meta({ description: 'A product, or all for every call.' }),
        title: z.string(),
        pct: z.number().nullable().meta({ description: 'Share of calls without a server error. Null without calls.' }),
        pct_by_day: z.array(z.number().nullable()),
        state_by_day: z
          .array(dayState.nullable())
          .meta({ description: 'The worst hour of the day decides. Null without calls.' }),
      }),
    ),
  })
  .meta({ id: 'DailyAvailability', description: 'Availability by product for each of the last 90 days.' });

type DayState = z.output<typeof dayState>;

interface Count {
  calls: number;
  faults: number;
}

interface DayCount extends Count {
  state: DayState;
}

const SEVERITY: readonly DayState[] = ['up', 'degraded', 'down'];
const EVERY_CALL = { id: 'all', title: 'All calls' };

/** What the hourly counts say of each product and day. Whole days that are over are read once. */
export class DayCounts {
  readonly #store: Pick<Store, 'read'>;
  readonly #products: readonly Product[];
  readonly #clock: Pick<Clock, 'now'>;
  readonly #query: ReturnType<typeof hourlyTally>;
  readonly #days = new Map<number, ReadonlyMap<string, DayCount>>();
  #readFrom: number | undefined;

  constructor(store: Pick<Store, 'read'>, clock: Pick<Clock, 'now'>, operations: readonly Operation[]) {
    this.#store = store;
    this.#clock = clock;
    const offered = new Set(operations.flatMap(productsOf));
    this.#products = PRODUCTS.filter(({ id }) => offered.has(id));
    const byGroup = Map.groupBy(operations, (operation) => productsOf(operation).join(' '));
    byGroup.delete('');
    this.#query = hourlyTally(
      new Map([...byGroup].map(([group, rows]) => [group, rows.map(({ operationId }) => operationId)])),
    );
  }

  async refresh(): Promise<void> {
    const today = this.#today();
    const first = today - WINDOW_DAYS + 1;
    const from = Math.max(first, this.#readFrom ?? first);
    const hours = await this.#store.read(this.#query, [from * DAY_HOURS]);
    for (const day of this.#days.keys()) if (day < first || day >= from) this.#days.delete(day);
    for (const [day, rows] of Map.groupBy(hours, ({ hour }) => Math.floor(hour / DAY_HOURS))) {
      this.#days.set(day, ofDay(rows));
    }
    this.#readFrom = today - READ_AGAIN_DAYS + 1;
  }

  shown(): z.output<typeof DailyAvailability> {
    const first = this.#today() - WINDOW_DAYS + 1;
    const days = Array.from({ length: WINDOW_DAYS }, (_, index) => this.#days.get(first + index));
    return {
      from: utcDay(first * DAY_MS),
      products: [EVERY_CALL, ...this.#products].map(({ id, title }) => {
        const counts = days.map((day) => day?.get(id));
        const known = counts.filter((count) => count !== undefined);
        return {
          id,
          title,
          pct: percentOf({ calls: sum(known, 'calls'), faults: sum(known, 'faults') }),
          pct_by_day: counts.map((count) => (count === undefined ? null : percentOf(count))),
          state_by_day: counts.map((count) => count?.state ?? null),
        };
      }),
    };
  }

  #today(): number {
    return Math.floor(this.#clock.now() / DAY_MS);
  }
}

function sum(counts: readonly Count[], figure: keyof Count): number {
  return counts.reduce((total, count) => total + count[figure], 0);
}

/** Rounded down: a day with a failed call never reads 100. */
function percentOf({ calls, faults }: Count): number | null {
  return calls === 0 ? null : Math.floor(((calls - faults) / calls) * 1e4) / 100;
}

interface HourOfGroup extends Readonly<Count> {
  readonly hour: number;
  /** Ids of the products that these calls count for, separated by spaces. */
  readonly group: string;
}

function ofDay(rows: readonly HourOfGroup[]): Map<string, DayCount> {
  const day = new Map<string, DayCount>();
  for (const hour of Map.groupBy(rows, (row) => row.hour).values()) {
    for (const [id, { calls, faults }] of ofHour(hour)) {
      const known = day.get(id) ?? { calls: 0, faults: 0, state: 'up' };
      const state = worse(known.state, stateOf({ calls, faults }));
      day.set(id, { calls: known.calls + calls, faults: known.faults + faults, state });
    }
  }
  return day;
}

function ofHour(rows: readonly HourOfGroup[]): Map<string, Count> {
  const counts = new Map<string, Count>();
  for (const { group, calls, faults } of rows) {
    for (const id of [EVERY_CALL.id, ...group.split(' ').filter((one) => one !== '')]) {
      const known = counts.get(id) ?? { calls: 0, faults: 0 };
      counts.set(id, { calls: known.calls + calls, faults: known.faults + faults });
    }
  }
  return counts;
}

function stateOf({ calls, faults }: Count): DayState {
  const share = (calls - faults) / calls;
  if (share < DOWN_BELOW && faults >= DOWN_FAILURES) return 'down';
  return share < DEGRADED_BELOW ? 'degraded' : 'up';
}

function worse(one: DayState, other: DayState): DayState {
  return SEVERITY.indexOf(one) >= SEVERITY.indexOf(other) ? one : other;
}
