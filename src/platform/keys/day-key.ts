import { type Clock, DAY_MS, utcDay } from '#kernel/clock.ts';
import { newToken } from '#kernel/ids.ts';
import type { Query, Store, Unit } from '#platform/storage/store.ts';
import { query, table, text } from '#platform/storage/table.ts';

interface DayKeyCommand {
  readonly day: string;
  readonly candidate: string;
}

type DayKeyRows = ReadonlyMap<string, string>;

/** How long a key is in force, and where it is kept till then. */
interface Lifetime {
  readonly table: 'day_key' | 'try_key';
  /** The first day of the time in which a moment lies. */
  readonly firstDay: (ms: number) => string;
}

const ONE_DAY: Lifetime = { table: 'day_key', firstDay: utcDay };

/** Days that the key of free tries lives. */
export const TRY_DAYS = 30;
const THIRTY_DAYS_MS = TRY_DAYS * DAY_MS;

export function firstOfThirtyDays(ms: number): string {
  return utcDay(Math.floor(ms / THIRTY_DAYS_MS) * THIRTY_DAYS_MS);
}

/** For the one count that must outlive the day: what an address has tried free. */
export const THIRTY_DAYS: Lifetime = { table: 'try_key', firstDay: firstOfThirtyDays };

/** For a store that nobody serves any more: keys that must die would live on in it. */
export const FORGET_KEYS = ['DELETE FROM day_key', 'DELETE FROM try_key'] as const;

const dayKeyTable = (name: Lifetime['table']) => table(name, { day: text(), secret: text() }, { key: ['day'] });
const reads = (keys: ReturnType<typeof dayKeyTable>) => ({ keys: keys.select('') });

type DayKeyUnit = Unit<[DayKeyCommand, string], DayKeyRows, typeof reads>;

/** One random key for each time, the same for all processes; rows of times that are over are deleted. */
function dayKeyUnit({ table: name, firstDay }: Lifetime): DayKeyUnit {
  const dayKey = dayKeyTable(name);
  return {
    name,
    reads: () => reads(dayKey),
    load: ({ keys }) => new Map(keys.map(({ day, secret }) => [day, secret])),
    decide(rows, nowMs, _next, { day, candidate }) {
      const today = firstDay(nowMs);
      const kept = new Map([...rows].filter(([rowDay]) => rowDay >= today));
      const secret = kept.get(day) ?? candidate;
      if (day >= today) kept.set(day, secret);
      return { state: kept, result: secret };
    },
    writes: (before, after) => [
      dayKey.remove([...before.keys()].filter((day) => !after.has(day)).map((day) => [day])),
      dayKey.insert([...after].filter(([day]) => !before.has(day)).map(([day, secret]) => ({ day, secret }))),
    ],
  };
}

/** How long before midnight the next day's key is fetched, so that no call waits for it. */
const AHEAD_MS = 600_000;

/** Hands out the key in force, fetched ahead by the regular beat. */
export class DayKeys {
  readonly #store: Store;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #lifetime: Lifetime;
  readonly #daysBefore: Query<unknown>;
  readonly #unit: DayKeyUnit;
  readonly #keys = new Map<string, Uint8Array>();

  constructor(store: Store, clock: Pick<Clock, 'now'>, lifetime = ONE_DAY) {
    this.#store = store;
    this.#clock = clock;
    this.#lifetime = lifetime;
    this.#daysBefore = query(`SELECT day FROM ${lifetime.table} WHERE day < $1`, { day: text() });
    this.#unit = dayKeyUnit(lifetime);
  }

  /** The key of the time that begins with the day, or undefined while it could not be fetched. */
  current(day: string): Uint8Array | undefined {
    return this.#keys.get(day);
  }

  /** Fetches what today and the coming minutes need; the keys of days that are over go from here and the database. */
  async refresh(): Promise<void> {
    const nowMs = this.#clock.now();
    const { firstDay } = this.#lifetime;
    const today = firstDay(nowMs);
    const days = new Set([today, firstDay(nowMs + AHEAD_MS)]);
    // Asked each time, not once a day: the database may take a moment longer than this process to see midnight.
    const isOneOver = (await this.#store.read(this.#daysBefore, [today])).length > 0;
    for (const day of days) {
      if (this.#keys.has(day) && !isOneOver) continue;
      const secret = await this.#store.run(this.#unit, { day, candidate: newToken() });
      this.#keys.set(day, Buffer.from(secret, 'base64url'));
    }
    for (const day of this.#keys.keys()) if (!days.has(day)) this.#keys.delete(day);
  }
}
