// How long the event loop of this process stands still while callers operate.
import { closeSync, openSync, readSync } from 'node:fs';
import { createHistogram, performance, type RecordableHistogram } from 'node:perf_hooks';
import { round } from './_rounds.ts';

const EVERY_MS = 1;

export interface LoopPauses {
  readonly perSecond: number;
  readonly longestMs: number;
  readonly p999Ms: number;
  /** Without the time in which others had the cores; null where the system does not tell. */
  readonly ownLongestMs: number | null;
  readonly ownP999Ms: number | null;
}

export interface PauseOptions {
  readonly callers: number;
  readonly durationMs: number;
}

export async function loopPauses(operate: () => Promise<unknown>, options: PauseOptions): Promise<LoopPauses> {
  let done = 0;
  const startedMs = performance.now();
  const endMs = startedMs + options.durationMs;
  const loop = async () => {
    while (performance.now() < endMs) {
      await operate();
      done += 1;
    }
  };
  using watch = new PauseWatch();
  await Promise.all(Array.from({ length: options.callers }, loop));
  return { perSecond: round((done * 1_000) / (performance.now() - startedMs)), ...watch.pauses() };
}

/** A timer that is due every millisecond: how much later it runs is a pause. */
class PauseWatch implements Disposable {
  readonly #pauses = createHistogram();
  readonly #ownPauses = createHistogram();
  readonly #waited = WaitedTime.open();
  readonly #timer: NodeJS.Timeout;
  #lastMs = performance.now();

  constructor() {
    let waitedMs = this.#waited?.totalMs() ?? 0;
    this.#timer = setInterval(() => {
      const nowMs = performance.now();
      const pauseMs = nowMs - this.#lastMs - EVERY_MS;
      record(this.#pauses, pauseMs);
      this.#lastMs = nowMs;
      if (this.#waited === undefined) return;
      const totalMs = this.#waited.totalMs();
      record(this.#ownPauses, pauseMs - (totalMs - waitedMs));
      waitedMs = totalMs;
    }, EVERY_MS);
  }

  pauses(): Omit<LoopPauses, 'perSecond'> {
    const own = this.#waited === undefined ? undefined : this.#ownPauses;
    return {
      longestMs: msOf(this.#pauses.max),
      p999Ms: msOf(this.#pauses.percentile(99.9)),
      ownLongestMs: own === undefined ? null : msOf(own.max),
      ownP999Ms: own === undefined ? null : msOf(own.percentile(99.9)),
    };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#waited?.[Symbol.dispose]();
  }
}

/** How long the main thread was ready to run and had no core, as Linux counts it. */
class WaitedTime implements Disposable {
  readonly #file: number;
  readonly #buffer = Buffer.alloc(128);

  private constructor(file: number) {
    this.#file = file;
  }

  static open(): WaitedTime | undefined {
    try {
      return new WaitedTime(openSync(`/proc/self/task/${process.pid}/schedstat`, 'r'));
    } catch {
      return undefined;
    }
  }

  totalMs(): number {
    const length = readSync(this.#file, this.#buffer, 0, this.#buffer.length, 0);
    return Number(this.#buffer.toString('latin1', 0, length).split(' ')[1]) / 1e6;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}

/** Histograms hold whole numbers from 1 on. */
function record(histogram: RecordableHistogram, pauseMs: number): void {
  histogram.record(Math.max(1, Math.round(pauseMs * 1_000)));
}

function msOf(microseconds: number): number {
  return round(microseconds / 1_000);
}
