import type { Line } from '#platform/storage/file-lines.ts';
import { BlockCheck, type SealVerdict } from './block-check.ts';
import type { TrailFaultCode, TrailFindings, TrailWarningCode } from './report.ts';
import { parseSeal, type TrailSeal } from './seal.ts';
import type { SegmentFile, SegmentHead, Torn } from './segment.ts';
import { isSameTail } from './tail.ts';

/** Where the chain stands after the last seal; a fault that leaves nothing to go on from makes it unknown. */
export type ChainState = { readonly block: number; readonly line: number; readonly hash: string } | 'unknown';

export type FindingSink = {
  readonly faults: TrailFindings<TrailFaultCode>;
  readonly warnings: TrailFindings<TrailWarningCode>;
  /** Called for every seal whose hash was recomputed and is right. */
  readonly onSeal: (line: number, hash: string) => void;
};

type HeldFault = { readonly line: number; readonly code: TrailFaultCode; readonly detail: string };
type HeldWarning = { readonly line: number; readonly code: TrailWarningCode; readonly detail: string };

// A few findings say where a block is wrong; the rest of the block would repeat them.
const MAX_HELD = 8;

const SEAL_FAULTS = {
  changed: ['line_changed', 'do not match their seal: a line was changed, removed, added or moved'],
  foreign_prev: [
    'chain_broken',
    'carry a seal that does not continue the block before: a block was removed or replaced',
  ],
  wrong_count: ['line_number', 'carry a seal that counts other lines than these'],
} as const satisfies Record<Exclude<SealVerdict, 'intact'>, readonly [TrailFaultCode, string]>;

/** Checks the lines of one segment as they are read. */
export class SegmentCheck {
  readonly #file: SegmentFile;
  readonly #sink: FindingSink;
  readonly #tail: Torn | null;
  #state: ChainState;
  #block: BlockCheck;
  #lineNumber = 0;
  #blockStart = 1;
  // Findings about lines without a seal yet: the next segment may report them as a tail, which is no fault.
  #heldFaults: HeldFault[] = [];
  #heldWarnings: HeldWarning[] = [];
  size = 0;
  /** Offset after the last seal; 0 while the segment has none. */
  sealedEnd = 0;
  calls = 0;
  lost = 0;

  /** `tail` is what was left over before this segment, so what its head has to report. */
  constructor(file: SegmentFile, state: ChainState, tail: Torn | null, sink: FindingSink) {
    this.#file = file;
    this.#state = state;
    this.#tail = tail;
    this.#sink = sink;
    this.#block = newBlock(state);
  }

  get state(): ChainState {
    return this.#state;
  }

  visit({ bytes, end }: Line): void {
    this.#lineNumber += 1;
    this.size += bytes.length;
    const text = bytes.toString('latin1', 0, end === 'newline' ? bytes.length - 1 : bytes.length);
    const isFirst = this.#lineNumber === 1;
    const seal = end === 'newline' && !isFirst ? parseSeal(text) : null;
    if (seal !== null) {
      this.#onSeal(seal, text);
      return;
    }
    const verdict = this.#block.judgeLine(text, end, isFirst);
    if (verdict.is === 'head') this.#onHead(verdict.head);
    else if (verdict.is === 'lost') this.#warn('lines_lost', `Lines were lost: ${text}.`);
    else if (verdict.is === 'fault') this.#fault(verdict.code, verdict.detail);
    this.#block.take(bytes);
  }

  /** To be called on the newest segment: no later one can report its tail. */
  finishNewest(): void {
    if (this.size === this.sealedEnd) return;
    this.#warn('torn_tail', `${this.size - this.sealedEnd} bytes after the last seal are not sealed (yet).`);
    this.#release();
  }

  #onHead(head: SegmentHead): void {
    const { process, segment } = this.#file;
    if (head.process !== process || head.segment !== segment) {
      this.#fault('segment_order', `The head names segment ${head.segment} of process ${head.process}.`);
      this.#state = 'unknown';
    } else if (this.#state !== 'unknown' && head.prev !== this.#state.hash) {
      this.#fault('chain_broken', 'The head does not continue the segment before.');
      this.#state = 'unknown';
    } else if (this.#state !== 'unknown') {
      this.#checkStart(head, this.#state.line + 1);
    }
    this.#block.startFrom(head);
  }

  #checkStart(head: SegmentHead, next: number): void {
    if (head.first !== next) this.#fault('line_number', `The head starts at line ${head.first} where ${next} is next.`);
    const found = this.#tail;
    if (!isSameTail(head.torn, found)) {
      if (head.torn !== null)
        this.#fault('tail_changed', 'The unsealed bytes before this segment are not those it reports.');
      else this.#fault('unreported_tail', `${found?.bytes} unsealed bytes before this segment are not reported by it.`);
    } else if (found !== null) {
      this.#warn(
        'reported_tail',
        `${found.bytes} bytes from segment ${found.segment} on were never sealed (interrupted run).`,
      );
    }
  }

  #onSeal(seal: TrailSeal, text: string): void {
    const verdict = this.#block.judgeSeal(seal, text);
    const isSequel = this.#state === 'unknown' || seal.block === this.#state.block + 1;
    if (verdict !== 'intact') {
      const [code, words] = SEAL_FAULTS[verdict];
      this.#fault(code, `Lines ${this.#blockStart} to ${this.#lineNumber} ${words}.`);
    } else if (isSequel) this.#sink.onSeal(seal.last, seal.hash);
    else this.#fault('block_number', `The seal has number ${seal.block}, which does not follow the one before.`);
    this.#release();
    this.calls += this.#block.calls;
    this.lost += this.#block.lost;
    // Going on from what the seal says keeps one fault from being reported for every later block.
    this.#state = { block: seal.block, line: seal.last, hash: seal.hash };
    this.#block = newBlock(this.#state);
    this.sealedEnd = this.size;
    this.#blockStart = this.#lineNumber + 1;
  }

  #fault(code: TrailFaultCode, detail: string): void {
    if (this.#heldFaults.length < MAX_HELD) this.#heldFaults.push({ line: this.#lineNumber, code, detail });
  }

  #warn(code: TrailWarningCode, detail: string): void {
    if (this.#heldWarnings.length < MAX_HELD) this.#heldWarnings.push({ line: this.#lineNumber, code, detail });
  }

  #release(): void {
    for (const held of this.#heldFaults) this.#sink.faults.add({ file: this.#file.name, ...held });
    for (const held of this.#heldWarnings) this.#sink.warnings.add({ file: this.#file.name, ...held });
    this.#heldFaults = [];
    this.#heldWarnings = [];
  }
}

function newBlock(state: ChainState): BlockCheck {
  return state === 'unknown' ? new BlockCheck(null, null) : new BlockCheck(state.hash, state.line + 1);
}
