import type { Clock } from '#kernel/clock.ts';
import type { Job } from '#kernel/job.ts';
import type { Logger } from '#platform/logger.ts';
import { HEARTBEAT_EVERY_MS, PRESENCE_MS, presenceUnit, type WriterPlace } from '#platform/storage/presence.ts';
import type { Store } from '#platform/storage/store.ts';

export interface JobRunnerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly process: string;
  readonly logger: Logger;
  /** Where this process takes commands that others hand on; null where it does not. */
  readonly address?: () => string | null;
  /** Told with every beat which process writes for others. */
  readonly onWriter?: (writer: WriterPlace | null) => void;
}

export interface Heartbeat {
  /** When the store last took it. */
  readonly okAtMs: number;
  readonly latencyMs: number;
  /** When everything that is looked at with a beat was last looked at. */
  readonly doneAtMs: number | null;
}

/** The beat of a process: keeps its presence, takes or keeps the lead of jobs, and runs those it leads when due. */
export class JobRunner implements AsyncDisposable {
  readonly #options: JobRunnerOptions;
  readonly #jobs: Job[] = [];
  readonly #onHeartbeat: ((liveProcesses: number) => Promise<void> | void)[] = [];
  readonly #afterHeartbeat: (() => void)[] = [];
  readonly #nextRunMs = new Map<string, number>();
  readonly #underWay = new Map<string, Promise<void>>();
  #timers: NodeJS.Timeout[] = [];
  #running: Promise<void> = Promise.resolve();
  #leads: { readonly jobs: readonly string[]; readonly untilMs: number } = { jobs: [], untilMs: 0 };
  #liveProcesses = 1;
  #lastHeartbeat: Heartbeat | undefined;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
  }

  add(jobs: readonly Job[]): void {
    this.#jobs.push(...jobs);
  }

  /** Run with every beat in every process, in the order of these calls; told how many processes share the work. */
  onHeartbeat(run: (liveProcesses: number) => Promise<void> | void): void {
    this.#onHeartbeat.push(run);
  }

  /** Run after every beat, also one that the store did not take. */
  afterHeartbeat(run: () => void): void {
    this.#afterHeartbeat.push(run);
  }

  /** The first beat is part of the start: a service that cannot write is not ready. */
  async start(): Promise<void> {
    await this.#beat();
    const beat = setInterval(() => void this.heartbeatNow(), HEARTBEAT_EVERY_MS);
    const timed = this.#jobs.filter((job) => job.ownTimer);
    this.#timers = [beat, ...timed.map((job) => setInterval(() => this.#runTimed(job), job.everyMs))];
    for (const timer of this.#timers) timer.unref();
  }

  /** Resolves when a beat that begins after this call has ended, well or not. */
  heartbeatNow(): Promise<void> {
    this.#running = this.#running
      .then(() => this.#beat())
      .catch((error: unknown) => {
        this.#options.logger.warn('heartbeat failed', { cause: (error as Error).message });
      });
    return this.#running;
  }

  /** Processes that share the work, as the last beat saw them. */
  liveProcesses(): number {
    return this.#liveProcesses;
  }

  lastHeartbeat(): Heartbeat | undefined {
    return this.#lastHeartbeat;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    for (const job of this.#jobs) job.stop?.();
    await Promise.all([this.#running, ...this.#underWay.values()]);
    const { store, process } = this.#options;
    const beat = { process, jobs: this.#jobs.map((job) => job.name), leaving: true, address: this.#address() };
    // A store that is down cannot be told; the time limit of the rows does it.
    await store.run(presenceUnit, beat).catch(() => {});
  }

  #address(): string | null {
    return this.#options.address?.() ?? null;
  }

  async #beat(): Promise<void> {
    const leads = await this.#takePart().finally(() => this.#afterHeartbeat.forEach((run) => run()));
    for (const job of this.#jobs) if (leads.includes(job.name) && !job.ownTimer) await this.#runIfDue(job);
  }

  /** Gives the names of the jobs that this process leads. */
  async #takePart(): Promise<readonly string[]> {
    const { store, clock, process } = this.#options;
    const startedMs = clock.monotonicMs();
    const names = this.#jobs.map((job) => job.name);
    const beat = { process, jobs: names, leaving: false, address: this.#address() };
    const { leads, liveProcesses, writer } = await store.run(presenceUnit, beat);
    this.#options.onWriter?.(writer);
    const doneAtMs = this.#lastHeartbeat?.doneAtMs ?? null;
    this.#lastHeartbeat = { okAtMs: clock.now(), latencyMs: clock.monotonicMs() - startedMs, doneAtMs };
    this.#leads = { jobs: leads, untilMs: startedMs + PRESENCE_MS };
    this.#liveProcesses = liveProcesses;
    for (const run of this.#onHeartbeat) await run(liveProcesses);
    this.#lastHeartbeat = { ...this.#lastHeartbeat, doneAtMs: clock.now() };
    return leads;
  }

  /** Runs a timed job now where this process leads it; resolves when the run that is under way ends. */
  async runNow(name: string): Promise<void> {
    const job = this.#jobs.find((one) => one.name === name);
    if (job !== undefined) this.#runTimed(job);
    await this.#underWay.get(name);
  }

  /** A run that takes longer than its period is not joined by a second one. */
  #runTimed(job: Job): void {
    const { clock, logger } = this.#options;
    const isLeader = this.#leads.jobs.includes(job.name) && clock.monotonicMs() < this.#leads.untilMs;
    if (!isLeader || this.#underWay.has(job.name)) return;
    const run = job
      .run()
      .catch((error: unknown) =>
        logger.warn('background job failed', { job: job.name, cause: (error as Error).message }),
      )
      .finally(() => this.#underWay.delete(job.name));
    this.#underWay.set(job.name, run);
  }

  async #runIfDue(job: Job): Promise<void> {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs < (this.#nextRunMs.get(job.name) ?? 0)) return;
    this.#nextRunMs.set(job.name, nowMs + job.everyMs);
    await job.run();
  }
}
