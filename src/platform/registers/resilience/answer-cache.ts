import { NewestMap } from '#kernel/newest-map.ts';
import { DAY_MS } from '#kernel/clock.ts';
import type { NotFound, RegisterAnswer } from '../outcome.ts';

const MAX_ENTRIES = 10_000;
const MAX_AGE_MS = DAY_MS;

type Kept = RegisterAnswer<unknown> | NotFound;

/** Answers in memory by a keyed hash of the question; what is no longer fresh is not given out. */
export class AnswerCache {
  readonly #entries = new NewestMap<string, { readonly outcome: Kept; readonly freshUntilMs: number }>(MAX_ENTRIES);

  /** The clock is the monotonic one: a wall clock that is set back must not make an answer young again. */
  get(key: string, nowMs: number): Kept | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (nowMs < entry.freshUntilMs) return { ...entry.outcome, source: 'cache' };
    this.#entries.delete(key);
    return undefined;
  }

  put(key: string, outcome: Kept, { nowMs, freshMs }: { readonly nowMs: number; readonly freshMs: number }): void {
    this.#entries.set(key, { outcome, freshUntilMs: nowMs + Math.min(freshMs, MAX_AGE_MS) });
  }
}
