import type { TrailHead } from './segment-writer.ts';

/** Everything that can be wrong with a trail; `detail` says it in one sentence. */
export type TrailFaultCode =
  | 'directory_missing'
  | 'segment_missing'
  | 'segment_order'
  | 'malformed_line'
  | 'line_number'
  | 'block_number'
  | 'line_changed'
  | 'chain_broken'
  | 'unreported_tail'
  | 'tail_changed'
  | 'anchor_missing'
  | 'id_missing'
  | 'more_faults';

/** What an operator should know although nothing was changed. */
export type TrailWarningCode =
  | 'no_segments'
  | 'unknown_file'
  | 'torn_tail'
  | 'reported_tail'
  | 'lines_lost'
  | 'id_replaced'
  | 'other_trails'
  | 'more_warnings';

export type TrailFinding<Code> = {
  /** Name of the segment; null where the finding is about no file. */
  readonly file: string | null;
  /** Line in that file, counted from 1; null where the finding is about no line. */
  readonly line: number | null;
  readonly code: Code;
  readonly detail: string;
};

export type TrailProcessReport = {
  readonly process: string;
  readonly segments: number;
  /** Sealed lines of calls. */
  readonly lines: number;
  /** Calls of which the trail says itself that their lines were lost. */
  readonly lost: number;
  /** The last seal; null where the process has none. */
  readonly head: Omit<TrailHead, 'process'> | null;
};

export type TrailReport = {
  readonly ok: boolean;
  readonly processes: readonly TrailProcessReport[];
  /** How many anchors were compared. */
  readonly anchors: number;
  readonly faults: readonly TrailFinding<TrailFaultCode>[];
  readonly warnings: readonly TrailFinding<TrailWarningCode>[];
};

// A file of nothing but newlines must not turn into a report as large as itself.
const MAX_FINDINGS = 1000;

/** Findings in the order found; those beyond the limit are counted by one closing finding. */
export class TrailFindings<Code> {
  readonly #moreCode: Code;
  readonly #list: TrailFinding<Code>[] = [];
  #left = 0;

  constructor(moreCode: Code) {
    this.#moreCode = moreCode;
  }

  add(finding: TrailFinding<Code>): void {
    if (this.#list.length < MAX_FINDINGS) this.#list.push(finding);
    else this.#left += 1;
  }

  list(): readonly TrailFinding<Code>[] {
    if (this.#left === 0) return this.#list;
    const detail = `${this.#left} further findings are not listed.`;
    return [...this.#list, { file: null, line: null, code: this.#moreCode, detail }];
  }
}
