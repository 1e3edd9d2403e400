import type { Clock } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { type SourceState, unread } from './dataset-unit.ts';
import type { Ingestion } from './ingestion.ts';
import type { DataSource } from './source.ts';

export interface IngestJobOptions {
  readonly ingestion: Ingestion;
  readonly clock: Pick<Clock, 'now'>;
  readonly sources: readonly DataSource[];
  readonly warn: (source: string, code: string, detail: string) => void;
}

/** Part of an interval over which sources are spread, so that they are not all read in the same minute. */
const SPREAD = 0.1;

/** When a source is read next. */
function dueMs(source: DataSource, state: SourceState): number {
  if (state.snapshot === '') return state.notBeforeMs;
  const drawn = Number.parseInt(sha256Hex(`${source.id} ${state.snapshot}`).slice(0, 8), 16) / 2 ** 32;
  const early = Math.floor(source.everyMs * SPREAD * drawn);
  return Math.max(state.checkedAtMs + source.everyMs - early, state.notBeforeMs);
}

/** Reads what is due, one source after the other; the leader among the processes runs it. */
export class IngestJob {
  readonly #options: IngestJobOptions;
  readonly #stop = new AbortController();

  constructor(options: IngestJobOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { ingestion, clock, sources, warn } = this.#options;
    for (const source of sources) {
      if (this.#stop.signal.aborted) return;
      const state = (await ingestion.states()).get(source.id) ?? unread(source.id);
      if (clock.now() < dueMs(source, state)) continue;
      const outcome = await ingestion.run(source, { signal: this.#stop.signal });
      if (outcome.kind === 'refused' && outcome.code !== 'STOPPED') warn(source.id, outcome.code, outcome.detail);
    }
  }

  /** Ends the read that is under way; the snapshots in use stay. */
  stop(): void {
    this.#stop.abort();
  }
}
