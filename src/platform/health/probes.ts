import type { Clock } from '#kernel/clock.ts';

export interface Probe {
  /** The part that it asks. */
  readonly id: string;
  /** How long after the start it is first asked: what loads late is not loaded for this. */
  readonly afterMs: number;
  readonly ask: () => Promise<unknown>;
}

export interface Probed {
  readonly isWell: boolean;
  /** What was thrown where it is not. */
  readonly fault: unknown;
  readonly atMs: number;
  readonly latencyMs: number;
}

/** Often enough that no part is older than a minute when a beat or two are late. */
const EVERY_MS = 25_000;
/** One that does not answer is asked with every beat, so that its return is soon known. */
const AGAIN_MS = 5_000;

/** Asks parts that nobody else may have asked whether they answer; one that hangs is not asked again meanwhile. */
export class ComponentProbes {
  readonly #clock: Clock;
  readonly #probes: Probe[] = [];
  readonly #newest = new Map<string, Probed>();
  readonly #dueMs = new Map<string, number>();

  constructor(clock: Clock, probes: readonly Probe[]) {
    this.#clock = clock;
    for (const probe of probes) this.add(probe);
  }

  add(probe: Probe): void {
    this.#probes.push(probe);
    this.#dueMs.set(probe.id, this.#clock.monotonicMs() + probe.afterMs);
  }

  /** Undefined before it was first asked. */
  newest(id: string): Probed | undefined {
    return this.#newest.get(id);
  }

  /** Begins those that are due; nobody waits for them. */
  runDue(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const probe of this.#probes) if (nowMs >= (this.#dueMs.get(probe.id) as number)) void this.#run(probe);
  }

  async #run({ id, ask }: Probe): Promise<void> {
    const startedMs = this.#clock.monotonicMs();
    this.#dueMs.set(id, Number.POSITIVE_INFINITY);
    const { isWell, fault } = await ask().then(
      () => ({ isWell: true, fault: undefined }),
      (error: unknown) => ({ isWell: false, fault: error }),
    );
    const latencyMs = this.#clock.monotonicMs() - startedMs;
    this.#newest.set(id, { isWell, fault, atMs: this.#clock.now(), latencyMs });
    this.#dueMs.set(id, startedMs + (isWell ? EVERY_MS : AGAIN_MS));
  }
}
