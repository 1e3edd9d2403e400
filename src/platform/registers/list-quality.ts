import type { Clock } from '#kernel/clock.ts';
import type { Quality } from '#platform/screening/quality/quality.ts';
import { type LoadedList, measureInThread } from './list-thread.ts';

/** What was measured of one list. */
export interface ListQuality extends Quality {
  readonly measuredAtMs: number;
}

export interface ListQualityOptions {
  readonly clock: Clock;
  /** The list in use could not be measured. */
  readonly unmeasured: (detail: string) => void;
  /** The end of the service. */
  readonly signal: AbortSignal;
  /** Of each set; fewer make the figures coarser and the work less. */
  readonly queries?: number;
}

interface Run {
  readonly sha256: string;
  readonly stop: AbortController;
}

interface Result {
  readonly sha256: string;
  readonly quality: ListQuality | 'failed';
  readonly atMs: number;
}

/** A start takes the list that was kept, then a new one: only the one that stays is worth the work. */
const SETTLED_MS = 60_000;
const RETRY_MS = 60_000;
const QUERIES = 1_000;

/** Measures the list in use in a thread of its own: soon after it came, or when somebody asks first. */
export class ListQualityMeter implements AsyncDisposable {
  readonly #options: ListQualityOptions;
  #run: Run | null = null;
  #result: Result | null = null;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> = Promise.resolve();

  constructor(options: ListQualityOptions) {
    this.#options = options;
  }

  /** A list came into use: earlier ones are measured no longer, and this one unless it was before. */
  expect(loaded: LoadedList): void {
    clearTimeout(this.#timer);
    if (this.#run?.sha256 !== loaded.sha256) this.#run?.stop.abort();
    if (this.#isMeasured(loaded)) return;
    this.#timer = setTimeout(() => void this.of(loaded), SETTLED_MS).unref();
  }

  /** What is known of this list, at once; where nothing is, measuring begins. */
  of(loaded: LoadedList): ListQuality | 'measuring' | 'failed' {
    const known = this.#result?.sha256 === loaded.sha256 ? this.#result : null;
    if (known !== null && known.quality !== 'failed') return known.quality;
    if (this.#run?.sha256 === loaded.sha256) return 'measuring';
    if (known !== null && this.#options.clock.now() - known.atMs < RETRY_MS) return 'failed';
    this.#begin(loaded);
    return 'measuring';
  }

  #isMeasured({ sha256 }: LoadedList): boolean {
    return this.#result?.sha256 === sha256 && this.#result.quality !== 'failed';
  }

  #begin(loaded: LoadedList): void {
    clearTimeout(this.#timer);
    this.#run?.stop.abort();
    const run = { sha256: loaded.sha256, stop: new AbortController() };
    this.#run = run;
    this.#underWay = this.#underWay.then(() => this.#measure(loaded, run));
  }

  async #measure(loaded: LoadedList, run: Run): Promise<void> {
    const { clock, unmeasured, signal: end, queries = QUERIES } = this.#options;
    const signal = AbortSignal.any([run.stop.signal, end]);
    const quality = await measureInThread(loaded, queries, signal).catch((error: Error) => error);
    if (this.#run === run) this.#run = null;
    if (signal.aborted) return;
    const [atMs, { sha256 }] = [clock.now(), run];
    const isFailed = quality instanceof Error;
    if (isFailed) unmeasured(quality.message);
    this.#result = { sha256, quality: isFailed ? 'failed' : { ...quality, measuredAtMs: atMs }, atMs };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    await this.#underWay;
  }
}
