import { mkdir } from 'node:fs/promises';
import type { Clock } from '#kernel/clock.ts';
import type { TrailEntry } from './call-line.ts';
import { nodeFiles, type TrailFiles } from './files.ts';
import { LineBuffer } from './line-buffer.ts';
import { findResumePoint } from './resume.ts';
import { isProcessName } from './segment.ts';
import { SegmentWriter, type TrailHead } from './segment-writer.ts';
import { Turns } from './turns.ts';

export type TrailOptions = {
  readonly dir: string;
  /** Names the writer; one running process per name and directory. */
  readonly process: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly segmentBytes?: number;
  readonly flushEveryMs?: number;
  /** As many lines are written at once without waiting for the timer. */
  readonly flushLines?: number;
  /** Lines kept in memory while the disk does not take them. */
  readonly bufferLines?: number;
  readonly files?: TrailFiles;
};

export type TrailStatus = {
  /** Calls recorded since the start, the lost ones included. */
  readonly lines: number;
  readonly linesLost: number;
  readonly failing: boolean;
  /** When the buffer was last written out, in milliseconds since the epoch. */
  readonly lastFlushMs: number;
};

const MIB = 1024 * 1024;

/** The audit trail of one process: takes a line per call, writes sealed blocks, never repairs what is on disk. */
export class Trail implements AsyncDisposable {
  readonly #writer: SegmentWriter;
  readonly #buffer: LineBuffer;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #writes = new Turns();
  readonly #syncs = new Turns();
  readonly #flushEveryMs: number;
  readonly #flushLines: number;
  #timer: NodeJS.Timeout | null = null;
  #flushIsDue = false;
  #fault: Error | null = null;
  #lines = 0;
  #lastFlushMs: number;
  #isClosed = false;

  private constructor(writer: SegmentWriter, options: TrailOptions) {
    this.#writer = writer;
    this.#buffer = new LineBuffer(writer.head.line + 1, options.bufferLines ?? 16_384);
    this.#clock = options.clock;
    this.#flushEveryMs = options.flushEveryMs ?? 100;
    this.#flushLines = options.flushLines ?? 512;
    this.#lastFlushMs = options.clock.now();
  }

  /** Opens a new segment that continues the chain; its sealed head is written before this returns. */
  static async open(options: TrailOptions): Promise<Trail> {
    const { dir, process, clock, files = nodeFiles, segmentBytes = 64 * MIB } = options;
    if (!isProcessName(process)) throw new Error(`"${process}" cannot name a process in the audit trail`);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const resume = await findResumePoint(dir, process);
    const writer = new SegmentWriter({ dir, process, files, segmentBytes, resume });
    writer.stage({ bytes: Buffer.alloc(0), lines: 0, last: resume.line }, clock.now());
    try {
      await writer.commit();
    } catch (cause) {
      await writer.close();
      throw new Error('The audit trail cannot be written; free space or check the rights of its directory', { cause });
    }
    return new Trail(writer, options);
  }

  /** Takes note of one call. Synchronous, touches no file; without effect once disposed. */
  record(entry: TrailEntry): void {
    if (this.#isClosed) return;
    this.#lines += 1;
    this.#buffer.add(entry);
    if (this.#fault === null && this.#buffer.lines >= this.#flushLines) this.#flushSoon();
    else if (this.#timer === null) this.#flushLater();
  }

  /** True while lines do not reach the disk: calls with effects must then be refused. */
  get failing(): boolean {
    return this.#fault !== null || this.#buffer.isLosing;
  }

  /** The last sealed line. */
  head(): TrailHead {
    return this.#writer.head;
  }

  status(): TrailStatus {
    const { failing } = this;
    return { lines: this.#lines, linesLost: this.#buffer.linesLost, failing, lastFlushMs: this.#lastFlushMs };
  }

  /** All lines recorded before the call are sealed and on the disk once it returns the head; throws otherwise. */
  sync(): Promise<TrailHead> {
    return this.#syncs.take(async () => {
      const head = await this.#writes.take(async () => {
        await this.#flush();
        if (this.#fault !== null) throw new Error('The audit trail cannot be written', { cause: this.#fault });
        return this.#writer.head;
      });
      // Outside the turn of the writes: a slow disk must not fill the buffer meanwhile.
      await this.#writer.sync();
      return head;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#stopTimer();
    try {
      await this.sync();
    } finally {
      await this.#writer.close();
    }
  }

  #flushSoon(): void {
    if (this.#flushIsDue) return;
    this.#flushIsDue = true;
    this.#stopTimer();
    void this.#writes.take(async () => {
      this.#flushIsDue = false;
      await this.#flush();
    });
  }

  #flushLater(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#flushSoon();
    }, this.#flushEveryMs).unref();
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Writes a block that failed before, then what is buffered. A failure is kept and tried again by the timer. */
  async #flush(): Promise<void> {
    try {
      await this.#writer.commit();
      const nowMs = this.#clock.now();
      if (!this.#buffer.isEmpty) {
        this.#writer.stage(this.#buffer.take(nowMs), nowMs);
        await this.#writer.commit();
      }
      this.#lastFlushMs = nowMs;
      this.#fault = null;
    } catch (fault) {
      this.#fault = fault instanceof Error ? fault : new Error(String(fault));
      this.#flushLater();
    }
  }
}
