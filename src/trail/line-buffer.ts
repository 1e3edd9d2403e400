import { AsciiBytes } from './ascii-bytes.ts';
import { MAX_LINE_BYTES, type TrailEntry, writeCallLine, writeLostLine } from './call-line.ts';

/** Lines ready to be sealed. */
export type Batch = {
  /** Views into the buffer: to be sealed before the next line is added. */
  readonly parts: readonly Buffer[];
  readonly lines: number;
  /** Highest line number used, lost lines included. */
  readonly last: number;
};

const CHUNK_BYTES = 131_072;

/** Numbers the lines of calls and keeps them until they are sealed; beyond `maxBytes` it only counts. */
export class LineBuffer {
  readonly #maxBytes: number;
  readonly #chunk = new AsciiBytes(CHUNK_BYTES);
  #full: Buffer[] = [];
  #fullBytes = 0;
  #lines = 0;
  #next: number;
  #lost = 0;
  #lostBefore = 0;

  constructor(next: number, maxBytes: number) {
    this.#next = next;
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#fullBytes + this.#chunk.length;
  }

  get isEmpty(): boolean {
    return this.#lines === 0 && this.#lost === 0;
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
    if (this.bytes >= this.#maxBytes) {
      this.#lost += 1;
      return;
    }
    if (this.#chunk.room < MAX_LINE_BYTES) this.#empty();
    writeCallLine(this.#chunk, this.#next, entry);
    this.#next += 1;
    this.#lines += 1;
  }

  /** Hands over all lines, with the report of the lost ones at the end, and starts empty. */
  take(nowMs: number): Batch {
    if (this.#lost > 0) {
      if (this.#chunk.room < MAX_LINE_BYTES) this.#empty();
      writeLostLine(this.#chunk, this.#lost, this.#next, nowMs);
      this.#next += this.#lost;
      this.#lines += 1;
      this.#lostBefore += this.#lost;
      this.#lost = 0;
    }
    const parts = [...this.#full, this.#chunk.view()];
    const batch = { parts, lines: this.#lines, last: this.#next - 1 };
    this.#chunk.length = 0;
    this.#full = [];
    this.#fullBytes = 0;
    this.#lines = 0;
    return batch;
  }

  #empty(): void {
    this.#full.push(Buffer.from(this.#chunk.view()));
    this.#fullBytes += this.#chunk.length;
    this.#chunk.length = 0;
  }
}
