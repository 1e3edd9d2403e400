/** Answers from which it is known how long most of them take. */
const KEPT = 200;
const MIN_KNOWN = 20;
const USUAL_SHARE = 0.95;
/** Of all questions at most one in twenty is sent twice. */
const QUESTIONS_PER_EXTRA = 20;
const MIN_WAIT_MS = 50;

/** Sends a question that takes longer than most a second time; the first answer counts. Only for what may be asked twice. */
export class Hedge {
  readonly #leastWaitMs: number;
  readonly #latenciesMs: number[] = [];
  #sent = 0;
  #extra = 0;

  constructor(leastWaitMs = MIN_WAIT_MS) {
    this.#leastWaitMs = leastWaitMs;
  }

  async send<T>(once: (loser: AbortSignal) => Promise<T>, nowMs: () => number): Promise<T> {
    const decided = new AbortController();
    const startedMs = nowMs();
    this.#sent += 1;
    try {
      const answer = await this.#first(() => once(decided.signal));
      this.#latenciesMs.push(nowMs() - startedMs);
      if (this.#latenciesMs.length > KEPT) this.#latenciesMs.shift();
      return answer;
    } finally {
      decided.abort();
    }
  }

  async #first<T>(once: () => Promise<T>): Promise<T> {
    const first = once();
    const waitMs = this.#waitMs();
    if (waitMs === null || !(await isLate(first, waitMs))) return first;
    if ((this.#extra + 1) * QUESTIONS_PER_EXTRA > this.#sent) return first;
    this.#extra += 1;
    // Where neither is answered, the fate of the first is told.
    return Promise.any([first, once()]).catch(() => first);
  }

  /** Null while too little is known. */
  #waitMs(): number | null {
    if (this.#latenciesMs.length < MIN_KNOWN) return null;
    const sorted = this.#latenciesMs.toSorted((a, b) => a - b);
    const usualMs = sorted[Math.floor((sorted.length - 1) * USUAL_SHARE)] as number;
    return Math.max(this.#leastWaitMs, usualMs);
  }
}

/** Whether it is still under way after this time; its failure is told to whoever awaits it. */
async function isLate(asking: Promise<unknown>, waitMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, waitMs, true);
  const stop = () => resolve(false);
  asking.then(stop, stop);
  const late = await promise;
  clearTimeout(timer);
  return late;
}
