import type { TrailFaultCode, TrailFindings, TrailWarningCode } from './report.ts';
import { TRAIL_ID_FILE } from './trail-id.ts';

/** A head that was fixed outside the trail. */
export type TrailAnchor = {
  readonly process: string;
  readonly line: number;
  readonly hash: string;
  /** The id of its trail; null or absent in an anchor that every trail takes for its own. */
  readonly trail?: string | null;
};

/**
 * Compares the seals of a directory with the anchors of its trail. One log may hold those of several trails, in which
 * processes have the same names: another one's are not compared, and counted aloud, for a trail that lost its id would
 * else pass for one that was never anchored.
 */
export class AnchorCheck {
  readonly #id: string | undefined;
  readonly #anchors: readonly TrailAnchor[];
  readonly #seen = new Set<string>();

  constructor(id: string | undefined, anchors: readonly TrailAnchor[]) {
    this.#id = id;
    this.#anchors = anchors;
  }

  /** A seal of the directory that is intact. */
  seen(seal: TrailAnchor): void {
    this.#seen.add(keyOf(seal));
  }

  /** How many anchors are of this trail. */
  get count(): number {
    return this.#split().own.length;
  }

  report(faults: TrailFindings<TrailFaultCode>, warnings: TrailFindings<TrailWarningCode>): void {
    const { own, others, earlier } = this.#split();
    const at = { file: null, line: null };
    for (const { process, line } of own.filter((anchor) => !this.#seen.has(keyOf(anchor)))) {
      const detail = `No seal has the anchored hash of line ${line} of process ${process}: the trail was cut short or rewritten.`;
      faults.add({ ...at, code: 'anchor_missing', detail });
    }
    if (earlier.size > 0) {
      const detail = `The file ${TRAIL_ID_FILE} is missing or was replaced: seals are anchored for ${[...earlier].join(', ')}.`;
      warnings.add({ ...at, code: 'id_replaced', detail });
    }
    if (others.length === 0) return;
    if (this.#id === undefined && earlier.size === 0) {
      const detail = `The file ${TRAIL_ID_FILE} is missing or damaged: which of ${others.length} anchors belong to this trail cannot be told.`;
      faults.add({ ...at, code: 'id_missing', detail });
      return;
    }
    const trails = new Set(others.map(({ trail }) => trail));
    const detail = `The public log has ${others.length} anchors of other trails, not compared: ${[...trails].join(', ')}.`;
    warnings.add({ ...at, code: 'other_trails', detail });
  }

  /** Ids under which a seal of the directory is anchored are its own too: it had them before its file was lost. */
  #split() {
    const named = this.#anchors.filter(({ trail = null }) => trail !== null && trail !== this.#id);
    const earlier = new Set(named.filter((anchor) => this.#seen.has(keyOf(anchor))).map(({ trail }) => trail));
    const others = named.filter(({ trail }) => !earlier.has(trail));
    const left = new Set(others);
    return { own: this.#anchors.filter((anchor) => !left.has(anchor)), others, earlier };
  }
}

function keyOf({ process, line, hash }: TrailAnchor): string {
  return `${process} ${line} ${hash}`;
}
