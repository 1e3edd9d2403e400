import type { Hash } from 'node:crypto';
import type { LineEnd } from '#platform/storage/file-lines.ts';
import { blockHash, overrunsSeal, sealPrefix, type TrailSeal } from './seal.ts';
import { parseHead, type SegmentHead } from './segment.ts';

const CALL_LINE = /^\{"n":(\d{1,15}),"at":"/;
const LOST_LINE = /^\{"lost":(\d{1,15}),"from":(\d{1,15}),"at":"[^"]*"\}$/;

export type LineVerdict =
  | { readonly is: 'call' | 'lost' | 'part' }
  | { readonly is: 'head'; readonly head: SegmentHead }
  | { readonly is: 'fault'; readonly code: 'malformed_line' | 'line_number'; readonly detail: string };

export type SealVerdict = 'intact' | 'changed' | 'foreign_prev' | 'wrong_count';

/** The lines since the last seal. Nothing that it counts is evidence before `judgeSeal` says so. */
export class BlockCheck {
  /** The hash of the block before; null where a fault has made it unknown. */
  #prev: string | null;
  #hash: Hash | null;
  #next: number | null;
  #lines = 0;
  calls = 0;
  lost = 0;

  constructor(prev: string | null, next: number | null) {
    this.#prev = prev;
    this.#hash = prev === null ? null : blockHash(prev);
    this.#next = next;
  }

  /** The head of a segment, its first line, states hash and number to go on from. */
  startFrom(head: SegmentHead): void {
    this.#prev = head.prev;
    this.#hash = blockHash(head.prev);
    this.#next = head.first;
  }

  take(bytes: Buffer): void {
    this.#hash?.update(bytes);
    this.#lines += 1;
  }

  /** What a line that is no seal is, and whether its number is the next one. */
  judgeLine(text: string, end: LineEnd, isFirst: boolean): LineVerdict {
    // An interrupted write leaves the beginning of a line, or of nothing at all.
    if (end === 'end_of_file')
      return overrunsSeal(text) ? malformed('The last line goes on after its end') : { is: 'part' };
    if (end === 'overlong') return malformed('The line is longer than any line of a trail');
    if (isFirst) {
      const head = parseHead(text);
      return head === null ? malformed('The first line is not the head of a segment') : { is: 'head', head };
    }
    const lost = LOST_LINE.exec(text);
    if (lost !== null) return this.#number(Number(lost[2]), Number(lost[1]), 'lost');
    const call = CALL_LINE.exec(text);
    if (call === null || !isJson(text)) return malformed('The line is not an audit trail line');
    return this.#number(Number(call[1]), 1, 'call');
  }

  judgeSeal(seal: TrailSeal, text: string): SealVerdict {
    if (this.#prev !== null && this.#prev !== seal.prev) return 'foreign_prev';
    // Without a hash to start from the block cannot be checked; the fault that took it away is in the report.
    const hash = this.#hash?.update(sealPrefix(text), 'latin1').digest('hex') ?? seal.hash;
    if (hash !== seal.hash) return 'changed';
    const isCounted = seal.lines === this.#lines && (this.#next === null || seal.last === this.#next - 1);
    return isCounted ? 'intact' : 'wrong_count';
  }

  #number(number: number, count: number, is: 'call' | 'lost'): LineVerdict {
    const expected = this.#next ?? number;
    this.#next = number + count;
    if (is === 'lost') this.lost += count;
    else this.calls += 1;
    if (number === expected) return { is };
    return { is: 'fault', code: 'line_number', detail: `The line has number ${number} where ${expected} is next.` };
  }
}

function malformed(reason: string): LineVerdict {
  return { is: 'fault', code: 'malformed_line', detail: `${reason}.` };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
