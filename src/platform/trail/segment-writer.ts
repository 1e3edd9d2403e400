import { utcDay } from '#kernel/clock.ts';
import type { TrailFile, TrailFiles } from './files.ts';
import type { Batch } from './line-buffer.ts';
import type { ResumePoint } from './resume.ts';
import { sealBlock } from './seal.ts';
import { formatHead, segmentPath, type Torn } from './segment.ts';

/** The last sealed line of a process: what an anchor fixes. */
export type TrailHead = {
  readonly process: string;
  readonly segment: number;
  readonly line: number;
  readonly hash: string;
};

export type SegmentWriterOptions = {
  readonly dir: string;
  readonly process: string;
  readonly files: TrailFiles;
  readonly segmentBytes: number;
  readonly resume: ResumePoint;
};

type StagedBlock = { readonly bytes: Buffer; readonly block: number; readonly head: TrailHead };

/**
 * Appends sealed blocks to the segments of one process. `stage` fixes the bytes of the next block, `commit` puts them
 * on the file at the place after the last seal. A failed commit is repeated with the same bytes at the same place,
 * so a partial or unnoticed write is overwritten by itself. Commits must not overlap.
 */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  #head: TrailHead;
  #block: number;
  #torn: Torn | null;
  #file: TrailFile | null = null;
  /** Full segments whose bytes may not be on the disk yet; the next sync closes them. */
  #retired: TrailFile[] = [];
  #fileSegment = 0;
  #day = '';
  #position = 0;
  #staged: StagedBlock | null = null;

  constructor(options: SegmentWriterOptions) {
    const { process, resume } = options;
    this.#options = options;
    this.#head = { process, segment: resume.segment, line: resume.line, hash: resume.hash };
    this.#block = resume.block;
    this.#torn = resume.torn;
  }

  get head(): TrailHead {
    return this.#head;
  }

  stage(batch: Batch, nowMs: number): void {
    const { process, line, hash: prev } = this.#head;
    const opens = this.#needsNewSegment(nowMs);
    const segment = this.#head.segment + (opens ? 1 : 0);
    const parts = [batch.bytes];
    if (opens) {
      const head = { segment, process, first: line + 1, prev, torn: this.#torn };
      parts.unshift(Buffer.from(formatHead(head, nowMs), 'latin1'));
      this.#day = utcDay(nowMs);
    }
    const block = this.#block + 1;
    const lines = batch.lines + (opens ? 1 : 0);
    const { bytes, hash } = sealBlock(parts, { block, lines, last: batch.last, prev });
    this.#staged = { bytes, block, head: { process, segment, line: batch.last, hash } };
  }

  async commit(): Promise<void> {
    const staged = this.#staged;
    if (staged === null) return;
    const file = await this.#fileOf(staged.head.segment);
    for (let done = 0; done < staged.bytes.length; ) {
      const taken = await file.write(staged.bytes.subarray(done), this.#position + done);
      if (taken === 0) throw new Error('The segment of the audit trail takes no more bytes');
      done += taken;
    }
    this.#position += staged.bytes.length;
    this.#head = staged.head;
    this.#block = staged.block;
    this.#torn = null;
    this.#staged = null;
  }

  /** May run beside `commit`, not beside itself: everything committed before the call is on the disk afterwards. */
  async sync(): Promise<void> {
    // Fixed before the first wait: a commit meanwhile may retire the current file, which the next sync then closes.
    const current = this.#file;
    for (const old of [...this.#retired]) {
      await old.sync();
      this.#retired.shift();
      await old.close();
    }
    await current?.sync();
  }

  async close(): Promise<void> {
    const open = this.#file === null ? this.#retired : [...this.#retired, this.#file];
    this.#file = null;
    this.#retired = [];
    await Promise.all(open.map((file) => file.close()));
  }

  // A clock that steps back over midnight must not open segments to and fro.
  #needsNewSegment(nowMs: number): boolean {
    return this.#file === null || this.#position >= this.#options.segmentBytes || utcDay(nowMs) > this.#day;
  }

  async #fileOf(segment: number): Promise<TrailFile> {
    if (this.#file !== null && this.#fileSegment === segment) return this.#file;
    const { dir, process, files } = this.#options;
    const file = await files.create(segmentPath(dir, process, segment));
    if (this.#file !== null) this.#retired.push(this.#file);
    this.#file = file;
    this.#fileSegment = segment;
    this.#position = 0;
    return file;
  }
}
