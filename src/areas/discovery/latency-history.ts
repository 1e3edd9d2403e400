import { z } from 'zod';

const EVERY_S = 10;
const KEPT_S = 3_600;
const MAX_POINTS = KEPT_S / EVERY_S;

export const SAMPLE_EVERY_MS = EVERY_S * 1_000;

export const LatencyHistory = z
  .strictObject({
    every_s: z.int(),
    kept_s: z.int(),
    at: z.array(z.int()).meta({ description: 'Unix seconds of each point, oldest first.' }),
    series: z.array(
      z.strictObject({
        id: z.string().meta({ description: 'A component or a register.' }),
        figure: z.enum(['latency_ms', 'p50_ms', 'p95_ms']),
        values: z
          .array(z.number().nullable())
          .meta({ description: 'One value per point. Null if nothing was measured.' }),
      }),
    ),
  })
  .meta({ id: 'LatencyHistory', description: 'Latencies of this process, kept in memory.' });

export type Latencies = z.output<typeof LatencyHistory>;

export interface Measured {
  readonly id: string;
  readonly figure: Latencies['series'][number]['figure'];
  readonly value: number | null;
}

/** The latencies of the last hour, one point every ten seconds; older ones go. */
export class LatencyRecord {
  #at: number[] = [];
  readonly #series = new Map<string, { id: string; figure: Measured['figure']; values: (number | null)[] }>();

  take(atMs: number, measured: readonly Measured[]): void {
    const before = this.#at.length;
    for (const { id, figure, value } of measured) {
      const name = `${id} ${figure}`;
      const series = this.#series.get(name) ?? { id, figure, values: Array<null>(before).fill(null) };
      series.values.push(value);
      this.#series.set(name, series);
    }
    this.#at.push(Math.round(atMs / 1_000));
    const surplus = this.#at.length - MAX_POINTS;
    if (surplus <= 0) return;
    this.#at = this.#at.slice(surplus);
    for (const series of this.#series.values()) series.values = series.values.slice(surplus);
  }

  /** Series in which something was measured. */
  shown(): Latencies {
    const series = [...this.#series.values()].filter(({ values }) => values.some((value) => value !== null));
    return { every_s: EVERY_S, kept_s: KEPT_S, at: this.#at, series: series.map((one) => ({ ...one })) };
  }
}
