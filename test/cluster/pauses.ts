// How long writes stood still, and whether that is longer than promised.
import { seconds } from './meter.ts';
import type { ServiceNode } from './services.ts';

export interface Limit {
  readonly services: readonly ServiceNode[];
  /** Without one the pause is only a figure. */
  readonly maxSeconds?: number;
}

export class Pauses {
  readonly figures: Record<string, number> = {};
  /** The median of writes meanwhile. */
  readonly writeMs: Record<string, number> = {};
  /** Sentences about pauses that were longer than promised. */
  readonly late: string[] = [];

  /** Does the work, waits until each service has acknowledged a write again, and measures the longest pause till then. */
  async during(what: string, { services, maxSeconds = Infinity }: Limit, work: () => Promise<void>): Promise<void> {
    const startedMs = performance.now();
    await work();
    await Promise.all(services.map(({ meter }) => meter.nextWrite()));
    for (const { name, meter } of services) {
      const pause = seconds(meter.longestPauseMs(startedMs));
      this.#keepLongest(`${what}, ${name}`, pause);
      this.writeMs[`${what}, ${name}`] = meter.writeMs(startedMs).p50;
      if (pause > maxSeconds)
        this.late.push(`${what}: writes of ${name} stood still for ${pause} s, ${maxSeconds} s are promised`);
    }
  }

  /** Does the work and measures how long it takes from then until the service acknowledges a write. */
  async until(what: string, service: ServiceNode, maxSeconds: number, work: () => Promise<void>): Promise<void> {
    const startedMs = performance.now();
    await work();
    await service.meter.nextWrite();
    const took = seconds(performance.now() - startedMs);
    this.#keepLongest(`${what}, ${service.name}`, took);
    if (took > maxSeconds)
      this.late.push(`${what}: ${service.name} wrote after ${took} s, ${maxSeconds} s are promised`);
  }

  /** A fault may come more than once. */
  #keepLongest(what: string, pause: number): void {
    this.figures[what] = Math.max(pause, this.figures[what] ?? 0);
  }
}
