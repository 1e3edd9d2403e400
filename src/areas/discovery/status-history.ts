import { z } from 'zod';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { timeField } from '#kernel/fields.ts';
import type { Store, Unit } from '#platform/storage/store.ts';
import { listed, type ValueOf } from '#platform/storage/table.ts';
import * as sql from './sql.ts';

export const StatusChange = z
  .strictObject({
    component: z.string().meta({ description: 'A component or a register.' }),
    status: z.enum(['up', 'degraded', 'down', 'not_configured']),
    at: timeField,
    detail: z.string().nullable(),
  })
  .meta({ id: 'StatusChange' });

type Change = ValueOf<typeof sql.STATUS_CHANGE>;

interface Changes {
  readonly last: ReadonlyMap<string, Change>;
  readonly added: readonly Change[];
}

const reads = (commands: readonly Change[]) => ({
  last: listed(sql.LAST_STATUS_CHANGES_OF, new Set(commands.map(({ component }) => component))),
});

/** Adds a change once, however many processes saw it. */
const statusChangeUnit: Unit<[Change, null], Changes, typeof reads> = {
  name: 'status_change',
  reads,
  load: ({ last }) => ({ last: new Map(last.map((change) => [change.component, change])), added: [] }),
  decide({ last, added }, _nowMs, _next, { component, status, atMs, detail }) {
    const before = last.get(component);
    if (isSame(before?.status, status)) return { state: { last, added }, result: null };
    const change = { component, status, atMs: Math.max(atMs, (before?.atMs ?? 0) + 1), detail };
    return { state: { last: new Map(last).set(component, change), added: [...added, change] }, result: null };
  },
  writes: (_before, { added }) => [sql.STATUS_CHANGE.insert(added)],
};

/** A component without a change so far was up; one that was switched off while it was up did not change. */
function isSame(before: Change['status'] = 'up', now: Change['status']): boolean {
  const isWell = (status: Change['status']) => status === 'up' || status === 'not_configured';
  return before === now || (isWell(before) && isWell(now));
}

/** How a component is; null if nobody has checked it yet. */
export interface Noted {
  readonly id: string;
  readonly status: Change['status'] | null;
  readonly detail: string | null;
}

/** When components changed. What could not be written waits in memory for the next beat. */
export class StatusHistory implements AsyncDisposable {
  readonly #store: Pick<Store, 'read' | 'run'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #known: Map<string, Change['status']>;
  #newest: readonly Change[];
  #waiting: readonly Change[] = [];
  #writing: Promise<void> | undefined;

  private constructor(
    store: Pick<Store, 'read' | 'run'>,
    clock: Pick<Clock, 'now'>,
    stored: { readonly last: readonly Change[]; readonly newest: readonly Change[] },
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#known = new Map(stored.last.map(({ component, status }) => [component, status]));
    this.#newest = stored.newest;
  }

  static async open(store: Pick<Store, 'read' | 'run'>, clock: Pick<Clock, 'now'>): Promise<StatusHistory> {
    const [last, newest] = [await store.read(sql.LAST_STATUS_CHANGES), await store.read(sql.NEWEST_STATUS_CHANGES)];
    return new StatusHistory(store, clock, { last, newest });
  }

  /** Compares with what it knows: also with what was so before a restart. */
  note(seen: readonly Noted[]): void {
    const atMs = this.#clock.now();
    const changes = seen.flatMap(({ id, status, detail }) => {
      if (status === null || isSame(this.#known.get(id), status)) return [];
      this.#known.set(id, status);
      return [{ component: id, atMs, status, detail }];
    });
    this.#waiting = [...this.#waiting, ...changes];
    if (this.#waiting.length > 0) void this.#write();
  }

  /** Reads what other processes wrote. A store out of reach leaves it as it was. */
  async refresh(): Promise<void> {
    if (this.#waiting.length === 0) await this.#readNewest();
  }

  /** Newest first, with those that wait to be written. */
  shown(): z.output<typeof StatusChange>[] {
    return [...this.#waiting.toReversed(), ...this.#newest].map(({ component, status, atMs, detail }) => ({
      component,
      status,
      at: isoTime(atMs),
      detail,
    }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing;
    if (this.#waiting.length > 0) await this.#write();
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeWaiting().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async #writeWaiting(): Promise<void> {
    let written = 0;
    try {
      for (const change of this.#waiting) {
        await this.#store.run(statusChangeUnit, change);
        written += 1;
      }
    } catch {
      // The rest is written with the next beat.
    }
    if (written === 0) return;
    await this.#readNewest();
    this.#waiting = this.#waiting.slice(written);
  }

  async #readNewest(): Promise<void> {
    this.#newest = await this.#store.read(sql.NEWEST_STATUS_CHANGES).catch(() => this.#newest);
  }
}
