import { linesOf } from '#platform/storage/file-lines.ts';
import type { TrailProcessReport } from './report.ts';
import { GENESIS_HASH } from './seal.ts';
import type { SegmentFile } from './segment.ts';
import { type ChainState, type FindingSink, SegmentCheck } from './segment-check.ts';
import { reportTail, type TailPiece } from './tail.ts';

// The longest call line: 33 parameter names and six texts of 128 escaped characters, about 7 KiB.
const MAX_LINE_BYTES = 65_536;

/** Re-reads the segments of one process in order and recomputes every hash. */
export class ChainCheck {
  readonly #process: string;
  readonly #sink: FindingSink;
  #state: ChainState = { block: 0, line: 0, hash: GENESIS_HASH };
  #tail: TailPiece[] = [];
  #segments = 0;
  #lastSegment = 0;
  #sealedSegment = 0;
  #lines = 0;
  #lost = 0;

  constructor(process: string, sink: FindingSink) {
    this.#process = process;
    this.#sink = sink;
  }

  async check(segments: readonly SegmentFile[], onSegment: () => void = () => {}): Promise<TrailProcessReport> {
    for (const file of segments) {
      this.#expectNext(file);
      await this.#checkSegment(file, file === segments.at(-1));
      onSegment();
    }
    return this.#report();
  }

  #expectNext({ name, segment }: SegmentFile): void {
    const expected = this.#lastSegment + 1;
    if (segment !== expected) {
      const missing = segment - 1 > expected ? `Segments ${expected} to ${segment - 1} are` : `Segment ${expected} is`;
      const detail = `${missing} missing before this one.`;
      this.#sink.faults.add({ file: name, line: null, code: 'segment_missing', detail });
      this.#state = 'unknown';
      this.#tail = [];
    }
    this.#lastSegment = segment;
    this.#segments += 1;
  }

  async #checkSegment(file: SegmentFile, isNewest: boolean): Promise<void> {
    const tail = this.#state === 'unknown' ? null : await reportTail(this.#tail, this.#state.line + 1);
    const check = new SegmentCheck(file, this.#state, tail, this.#sink);
    for await (const line of linesOf(file.path, MAX_LINE_BYTES)) check.visit(line);
    if (isNewest) check.finishNewest();
    const { segment, path } = file;
    const piece = { segment, path, from: check.sealedEnd, bytes: check.size - check.sealedEnd };
    if (check.sealedEnd === 0) {
      this.#tail.push(piece);
      return;
    }
    this.#tail = [piece];
    this.#state = check.state;
    this.#sealedSegment = segment;
    this.#lines += check.calls;
    this.#lost += check.lost;
  }

  #report(): TrailProcessReport {
    const counts = { process: this.#process, segments: this.#segments, lines: this.#lines, lost: this.#lost };
    const state = this.#state;
    if (this.#sealedSegment === 0 || state === 'unknown') return { ...counts, head: null };
    return { ...counts, head: { segment: this.#sealedSegment, line: state.line, hash: state.hash } };
  }
}
