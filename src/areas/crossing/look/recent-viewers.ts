import { NewestMap } from '#kernel/newest-map.ts';
import { type Clock, MINUTE_MS } from '#kernel/clock.ts';
import type { Store } from '#platform/storage/store.ts';
import { type Look, lookUnit } from './look-unit.ts';
import { LOOK, LOOKERS_OF_KEY } from '../sql.ts';

export const REMEMBERED_MS = 15 * MINUTE_MS;
export const lookExpiry = LOOK.expiring({ by: ['at'], keptMs: REMEMBERED_MS });
/** A look never waits for a commit: it is written with those of the next moment. */
const WRITE_AFTER_MS = 500;
/** While the store is out of reach no more looks than these wait for it. */
const MAX_WAITING = 10_000;
/** How long the names of other processes may be unknown after they were written. */
const KNOWN_MS = 250;
const MAX_KNOWN = 4_096;
/** One commit must not hold up others. */
const WRITTEN_AT_ONCE = 500;

/** Who looked at a key in the last fifteen minutes: visible at once in this process, a moment later in all. */
export class RecentViewers implements AsyncDisposable {
  readonly #store: Store;
  readonly #clock: Clock;
  /** Looks that are not in the store yet, by key and agent. */
  readonly #waiting = new Map<string, Map<string, Look>>();
  /** What was read of the store a moment ago, and looked in this process since: when each agent looked. */
  readonly #known = new NewestMap<string, { readonly readAtMs: number; readonly looks: Map<string, number> }>(
    MAX_KNOWN,
  );
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  remember(key: string, agent: string, atMs: number): void {
    const ofKey = this.#waiting.get(key) ?? new Map<string, Look>();
    if (!ofKey.has(agent)) {
      if (this.#count >= MAX_WAITING) return;
      this.#count += 1;
    }
    ofKey.set(agent, { key, agent, atMs });
    this.#waiting.set(key, ofKey);
    this.#known.get(key)?.looks.set(agent, atMs);
    this.#timer ??= setTimeout(() => this.#write(), WRITE_AFTER_MS).unref();
  }

  async of(key: string, nowMs: number): Promise<string[]> {
    const known = this.#known.get(key);
    if (known === undefined || this.#clock.monotonicMs() - known.readAtMs >= KNOWN_MS) return this.#read(key, nowMs);
    const names: string[] = [];
    for (const [agent, atMs] of known.looks) if (atMs > nowMs - REMEMBERED_MS) names.push(agent);
    return names;
  }

  async #read(key: string, nowMs: number): Promise<string[]> {
    const readAtMs = this.#clock.monotonicMs();
    const rows = await this.#store.read(LOOKERS_OF_KEY, [key, nowMs - REMEMBERED_MS]);
    const looks = new Map(rows.map(({ agent, atMs }) => [agent, atMs]));
    for (const { agent, atMs } of this.#waiting.get(key)?.values() ?? []) looks.set(agent, atMs);
    this.#known.set(key, { readAtMs, looks });
    return [...looks.keys()];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#write();
    await this.#writing;
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#writeWaiting());
  }

  async #writeWaiting(): Promise<void> {
    const looks = [...this.#waiting.values()].flatMap((ofKey) => [...ofKey.values()]);
    for (let from = 0; from < looks.length; from += WRITTEN_AT_ONCE) {
      const portion = looks.slice(from, from + WRITTEN_AT_ONCE);
      try {
        await this.#store.run(lookUnit, portion);
      } catch {
        // What cannot be stored now waits for the next look.
        return;
      }
      for (const look of portion) this.#forget(look);
    }
  }

  /** What is stored need not be kept here, unless the agent has looked again meanwhile. */
  #forget(look: Look): void {
    const ofKey = this.#waiting.get(look.key);
    if (ofKey?.get(look.agent) !== look) return;
    ofKey.delete(look.agent);
    this.#count -= 1;
    if (ofKey.size === 0) this.#waiting.delete(look.key);
  }
}
