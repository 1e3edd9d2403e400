import { LatencyRecord, type Measured, SAMPLE_EVERY_MS } from '#areas/discovery/latency-history.ts';
import type { Clock } from '#kernel/clock.ts';
import type { RegisterHealth } from '#platform/registers/resilience/health.ts';

/** Latencies that the status page shows, taken every ten seconds in the background. */
export class LatencySampler {
  readonly history = new LatencyRecord();
  readonly #clock: Clock;
  #nextMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  takeIfDue(
    storageMs: number | undefined,
    registers: readonly (readonly [id: string, health: RegisterHealth | null])[],
  ): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs < this.#nextMs) return;
    this.#nextMs = nowMs + SAMPLE_EVERY_MS;
    const ofRegisters = registers.flatMap(([id, health]): Measured[] => [
      { id, figure: 'p50_ms', value: health?.p50Ms ?? null },
      { id, figure: 'p95_ms', value: health?.p95Ms ?? null },
    ]);
    const storage = storageMs === undefined ? null : Math.round(storageMs * 100) / 100;
    this.history.take(this.#clock.now(), [{ id: 'storage', figure: 'latency_ms', value: storage }, ...ofRegisters]);
  }
}
