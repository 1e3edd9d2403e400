/** How much of one core audits may take that anybody can ask for, and how much they may have saved up. */
const SHARE = 0.1;
const MAX_SAVED_MS = 3_000;

/** A share of the time that passes, for work that nobody pays for. What a run took beyond it is waited out. */
export class AuditBudget {
  readonly #monotonicMs: () => number;
  readonly #maxSavedMs: number;
  #savedMs: number;
  #atMs: number;

  /** @param patience how many times more may be saved up than usual */
  constructor(monotonicMs: () => number, patience = 1) {
    this.#monotonicMs = monotonicMs;
    this.#maxSavedMs = patience * MAX_SAVED_MS;
    this.#savedMs = this.#maxSavedMs;
    this.#atMs = monotonicMs();
  }

  hasTime(): boolean {
    this.#earn();
    return this.#savedMs > 0;
  }

  /** Runs what is asked for and takes what it took from the budget, also when it fails. */
  async spend<T>(work: () => Promise<T>): Promise<T> {
    const startedMs = this.#monotonicMs();
    try {
      return await work();
    } finally {
      this.#earn();
      this.#savedMs -= this.#monotonicMs() - startedMs;
    }
  }

  #earn(): void {
    const nowMs = this.#monotonicMs();
    this.#savedMs = Math.min(this.#maxSavedMs, this.#savedMs + SHARE * (nowMs - this.#atMs));
    this.#atMs = nowMs;
  }
}
