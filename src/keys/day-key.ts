import { type Clock, utcDay } from '#kernel/clock.ts';
import { newToken } from '#kernel/ids.ts';
import type { Decision, Store, Unit } from '#storage/store.ts';

interface DayKeyCommand {
  readonly day: string;
  readonly candidate: string;
}

type DayKeyRows = ReadonlyMap<string, string>;

const DAYS_OVER = 'SELECT day FROM day_key WHERE day < $1';
const DAY_KEY_INSERT = 'INSERT INTO day_key (day, secret) VALUES ($1, $2)';
const DAY_KEY_DELETE = 'DELETE FROM day_key WHERE day IN (VALUES ($1))';

/** One random key per UTC day, the same for all processes; rows of days that are over are deleted. */
const dayKeyUnit: Unit<DayKeyCommand, DayKeyRows, string> = {
  name: 'day_key',
  reads: () => [{ sql: 'SELECT day, secret FROM day_key' }],
  load: ([rows = []]) => new Map(rows.map((row) => [row['day'] as string, row['secret'] as string])),
  decide(rows, nowMs, _next, { day, candidate }): Decision<DayKeyRows, string> {
    const today = utcDay(nowMs);
    const kept = new Map([...rows].filter(([rowDay]) => rowDay >= today));
    const secret = kept.get(day) ?? candidate;
    if (day >= today) kept.set(day, secret);
    return { state: kept, result: secret };
  },
  writes: (before, after) => [
    { sql: DAY_KEY_DELETE, rows: [...before.keys()].filter((day) => !after.has(day)).map((day) => [day]) },
    { sql: DAY_KEY_INSERT, rows: [...after].filter(([day]) => !before.has(day)) },
  ],
};

/** How long before midnight the next day's key is fetched, so that no call waits for it. */
const AHEAD_MS = 600_000;

/** Hands out the key of the current UTC day, fetched ahead by the regular beat. */
export class DayKeys {
  readonly #store: Store;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #keys = new Map<string, Uint8Array>();

  constructor(store: Store, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The key of the day, or undefined while it could not be fetched. */
  current(day: string): Uint8Array | undefined {
    return this.#keys.get(day);
  }

  /** Fetches what today and the coming minutes need; the keys of days that are over go from here and the database. */
  async refresh(): Promise<void> {
    const nowMs = this.#clock.now();
    const today = utcDay(nowMs);
    const days = new Set([today, utcDay(nowMs + AHEAD_MS)]);
    // Asked each time, not once a day: the database may take a moment longer than this process to see midnight.
    const isOneOver = (await this.#store.read(DAYS_OVER, [today])).length > 0;
    for (const day of days) {
      if (this.#keys.has(day) && !isOneOver) continue;
      const secret = await this.#store.run(dayKeyUnit, { day, candidate: newToken() });
      this.#keys.set(day, Buffer.from(secret, 'base64url'));
    }
    for (const day of this.#keys.keys()) if (!days.has(day)) this.#keys.delete(day);
  }
}
