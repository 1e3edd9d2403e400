import { LatencyRecord, type Measured, SAMPLE_EVERY_MS } from '#areas/discovery/latency-history.ts';
import type { Clock } from '#kernel/clock.ts';
import type { RegisterHealth } from '#platform/registers/resilience/health.ts';

/** What pages show of this moment, taken every ten seconds in the background. */
export class LatencySampler {
  readonly history = new LatencyRecord();
  readonly #liveLeases: () => Promise<number>;
  readonly #clock: Clock;
  #nextMs = 0;
  #claims: number | null = null;

  /** @param liveLeases how many leases are held now */
  constructor(liveLeases: () => Promise<number>, clock: Clock) {
    this.#liveLeases = liveLeases;
    this.#clock = clock;
  }

  /** Leases held; null before the first count and while the store is out of reach. */
  claims(): number | null {
    return this.#claims;
  }

  async takeIfDue(
    storageMs: number | undefined,
    registers: readonly (readonly [id: string, health: RegisterHealth | null])[],
  ): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs < this.#nextMs) return;
    this.#nextMs = nowMs + SAMPLE_EVERY_MS;
    const ofRegisters = registers.flatMap(([id, health]): Measured[] => [
      { id, figure: 'p50_ms', value: health?.p50Ms ?? null },
      { id, figure: 'p95_ms', value: health?.p95Ms ?? null },
    ]);
    const storage = storageMs === undefined ? null : Math.round(storageMs * 100) / 100;
    this.history.take(this.#clock.now(), [{ id: 'storage', figure: 'latency_ms', value: storage }, ...ofRegisters]);
    this.#claims = await this.#liveLeases().catch(() => null);
  }
}
