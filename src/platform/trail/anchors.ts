import type { Clock } from '#kernel/clock.ts';
import { anchorTrail } from '#platform/log/trail-anchor.ts';
import type { Store } from '#platform/storage/store.ts';
import type { Trail } from '#platform/trail/trail.ts';

const ANCHOR_EVERY_MS = 600_000;

export interface TrailAnchorsOptions {
  readonly trail: Trail;
  /** Names it among the trails of all directories. */
  readonly trailId: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly sandbox: boolean;
}

/** Fixes the head of this process's audit trail in the public log, at intervals and at a clean stop. */
export class TrailAnchors {
  readonly #options: TrailAnchorsOptions;
  #dueMs: number;
  #anchoredLine: number;
  #lastAnchorMs: number | null = null;

  constructor(options: TrailAnchorsOptions) {
    this.#options = options;
    this.#dueMs = options.clock.monotonicMs() + ANCHOR_EVERY_MS;
    this.#anchoredLine = options.trail.head().line;
  }

  lastAnchorMs(): number | null {
    return this.#lastAnchorMs;
  }

  async anchorIfDue(): Promise<void> {
    if (this.#options.clock.monotonicMs() >= this.#dueMs) await this.anchor();
  }

  /** Lines are on the disk before the log names them; a trail without new lines needs no new anchor. */
  async anchor(): Promise<void> {
    const { trail, trailId, store, clock, sandbox } = this.#options;
    this.#dueMs = clock.monotonicMs() + ANCHOR_EVERY_MS;
    try {
      const { process, line, hash } = await trail.sync();
      if (line === this.#anchoredLine) return;
      this.#lastAnchorMs = await anchorTrail(store, { trail: trailId, process, line, hash }, sandbox);
      this.#anchoredLine = line;
    } catch {
      // A full disk or a lost database: the state of both is on the status page, and the next anchor covers these lines.
    }
  }
}
