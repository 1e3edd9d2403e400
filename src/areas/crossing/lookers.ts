import type { Clock } from '#kernel/clock.ts';
import type { Store } from '#storage/store.ts';
import { type Look, lookUnit } from './look-unit.ts';
import { LOOKERS_OF_KEY } from './sql.ts';

const REMEMBERED_MS = 15 * 60_000;
/** A look never waits for a commit: it is written with those of the next moment. */
const WRITE_AFTER_MS = 500;
/** While the store is out of reach no more looks than these wait for it. */
const MOST_WAITING = 10_000;
/** One commit must not hold up others. */
const WRITTEN_AT_ONCE = 500;

/** Who looked at a key in the last fifteen minutes: visible at once in this process, a moment later in all. */
export class Lookers implements AsyncDisposable {
  readonly #store: Store;
  readonly #clock: Pick<Clock, 'now'>;
  /** Looks that are not in the store yet, by key and agent. */
  readonly #waiting = new Map<string, Map<string, Look>>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Store, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  remember(key: string, agent: string, atMs: number): void {
    const ofKey = this.#waiting.get(key) ?? new Map<string, Look>();
    if (!ofKey.has(agent)) {
      if (this.#count >= MOST_WAITING) return;
      this.#count += 1;
    }
    ofKey.set(agent, { key, agent, atMs });
    this.#waiting.set(key, ofKey);
    this.#timer ??= setTimeout(() => this.#write(), WRITE_AFTER_MS).unref();
  }

  async of(key: string, nowMs: number): Promise<string[]> {
    const rows = await this.#store.read(LOOKERS_OF_KEY, [key, nowMs - REMEMBERED_MS]);
    const stored = rows.map((row) => row['agent'] as string);
    const waiting = this.#waiting.get(key);
    return waiting === undefined ? stored : [...new Set([...stored, ...waiting.keys()])];
  }

  /** Forgets looks past their time, in portions; says how many went. */
  sweep(): Promise<number> {
    return this.#store.run(lookUnit, { looks: [], forgetUntilMs: this.#clock.now() - REMEMBERED_MS });
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
        await this.#store.run(lookUnit, { looks: portion, forgetUntilMs: null });
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
