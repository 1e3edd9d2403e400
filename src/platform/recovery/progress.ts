/** What a recovery is doing. */
export type RecoveryPhase = 'count' | 'check' | 'copy' | 'audit' | 'compare';

/** Told how many rows of a phase are done, and how many there are where that is known. */
export type RecoveryProgress = (phase: RecoveryPhase, done: number, total?: number) => void;

/** Counts the rows that pass, for somebody who watches. */
export class RowCount {
  readonly #phase: RecoveryPhase;
  readonly #total: number | undefined;
  readonly #onProgress: RecoveryProgress | undefined;
  #done = 0;

  constructor(phase: RecoveryPhase, onProgress: RecoveryProgress | undefined, total?: number) {
    this.#phase = phase;
    this.#onProgress = onProgress;
    this.#total = total;
  }

  add(rows: number): void {
    this.#done += rows;
    this.#onProgress?.(this.#phase, this.#done, this.#total);
  }
}
