import { formatCall, formatLostLines, type TrailEntry } from './call-line.ts';

/** Lines ready to be sealed. */
export type Batch = {
  readonly bytes: Buffer;
  readonly lines: number;
  /** Highest line number used, lost lines included. */
  readonly last: number;
};

/**
 * Keeps calls until they are sealed; beyond `maxLines` it only counts. The lines are made when they are taken: many in
 * one loop cost a fraction of what each would cost amid its own call.
 */
export class LineBuffer {
  readonly #maxLines: number;
  #entries: TrailEntry[] = [];
  #next: number;
  #lost = 0;
  #lostBefore = 0;

  constructor(next: number, maxLines: number) {
    this.#next = next;
    this.#maxLines = maxLines;
  }

  get lines(): number {
    return this.#entries.length;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0 && this.#lost === 0;
  }

  /** True from the first line that found no room until the next batch is taken. */
  get isLosing(): boolean {
    return this.#lost > 0;
  }

  /** All lines that found no room since the start. */
  get linesLost(): number {
    return this.#lostBefore + this.#lost;
  }

  add(entry: TrailEntry): void {
    // A full buffer stays full until it is taken, so the lost lines are one run of numbers at the end of the batch.
    if (this.#entries.length < this.#maxLines) this.#entries.push(entry);
    else this.#lost += 1;
  }

  /** Hands over all lines, with the report of the lost ones at the end, and starts empty. */
  take(nowMs: number): Batch {
    let text = '';
    let lines = this.#entries.length;
    for (const entry of this.#entries) {
      text += formatCall(this.#next, entry);
      this.#next += 1;
    }
    if (this.#lost > 0) {
      text += formatLostLines(this.#lost, this.#next, nowMs);
      this.#next += this.#lost;
      this.#lostBefore += this.#lost;
      this.#lost = 0;
      lines += 1;
    }
    this.#entries = [];
    return { bytes: Buffer.from(text, 'latin1'), lines, last: this.#next - 1 };
  }
}
