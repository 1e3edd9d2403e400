import type { Clock } from '#kernel/clock.ts';
import type { Logger } from './logger.ts';
import { BEAT_EVERY_MS, presenceUnit } from '#storage/presence.ts';
import type { Store } from '#storage/store.ts';

/** Work that one process at a time does for all of them. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<void>;
}

export interface BackgroundOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly process: string;
  readonly jobs: readonly Job[];
  /** Run with every beat in every process; told how many processes share the work. */
  readonly onBeat: (liveProcesses: number) => Promise<void>;
  readonly logger: Logger;
}

/** The beat of a process: keeps its presence, takes or keeps the lead of jobs, and runs those it leads when due. */
export class Background implements AsyncDisposable {
  readonly #options: BackgroundOptions;
  readonly #nextRunMs = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #lastBeat: { okAtMs: number; latencyMs: number } | undefined;

  constructor(options: BackgroundOptions) {
    this.#options = options;
  }

  /** The first beat is part of the start: a service that cannot write is not ready. */
  async start(): Promise<void> {
    await this.#beat();
    this.#timer = setInterval(() => {
      this.#running = this.#running
        .then(() => this.#beat())
        .catch((error: unknown) => {
          this.#options.logger.warn('background beat failed', { cause: (error as Error).message });
        });
    }, BEAT_EVERY_MS).unref();
  }

  lastBeat(): { readonly okAtMs: number; readonly latencyMs: number } | undefined {
    return this.#lastBeat;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
    const { store, process, jobs } = this.#options;
    const beat = { process, jobs: jobs.map((job) => job.name), leaving: true };
    // A store that is down cannot be told; the time limit of the rows does it.
    await store.run(presenceUnit, beat).catch(() => {});
  }

  async #beat(): Promise<void> {
    const { store, clock, process, jobs, onBeat } = this.#options;
    const startedMs = clock.monotonicMs();
    const names = jobs.map((job) => job.name);
    const { leads, liveProcesses } = await store.run(presenceUnit, { process, jobs: names, leaving: false });
    this.#lastBeat = { okAtMs: clock.now(), latencyMs: clock.monotonicMs() - startedMs };
    await onBeat(liveProcesses);
    for (const job of jobs) if (leads.includes(job.name)) await this.#runIfDue(job);
  }

  async #runIfDue(job: Job): Promise<void> {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs < (this.#nextRunMs.get(job.name) ?? 0)) return;
    this.#nextRunMs.set(job.name, nowMs + job.everyMs);
    await job.run();
  }
}
