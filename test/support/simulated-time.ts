// Time that goes on only when nothing else is going on: what takes half an hour is over at once, and every run is the same.
import type { ManualClock } from '#kernel/clock.ts';
import type { Time } from '../../client/lease.ts';

interface Due {
  readonly atMs: number;
  readonly run: () => void;
}

/** Moves the clock of the service from one thing that is due to the next. */
export class SimulatedTime implements Time {
  readonly #clock: ManualClock;
  readonly #due = new Set<Due>();
  #underWay = 0;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  nowMs(): number {
    return this.#clock.now();
  }

  stopwatch(): () => number {
    const startMs = this.nowMs();
    return () => this.nowMs() - startMs;
  }

  later(ms: number, run: () => void): () => void {
    const due = { atMs: this.nowMs() + Math.max(0, Math.ceil(ms)), run };
    this.#due.add(due);
    return () => void this.#due.delete(due);
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.later(ms, resolve));
  }

  /** Time stands still until the work, which happens outside of it, is done. */
  async outside<T>(work: Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await work;
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Lets time go on until the work is done. */
  async goOnUntil<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    done.catch(() => {});
    for (;;) {
      await settled();
      if (isDone) return done;
      if (this.#underWay > 0) continue;
      const [next] = [...this.#due].toSorted((a, b) => a.atMs - b.atMs);
      if (next === undefined) throw new Error('nothing is due, and the work is not done');
      this.#due.delete(next);
      // Overdue where somebody moved the clock, as on a machine that slept.
      this.#clock.advance(Math.max(0, next.atMs - this.nowMs()));
      next.run();
    }
  }
}

/** What was resolved has been heard of by all who waited for it. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
