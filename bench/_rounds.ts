// Interleaved rounds: every contender runs a short window in turn, so that a noisy machine disturbs all alike.
import { performance } from 'node:perf_hooks';

export interface Contender {
  readonly name: string;
  /** One operation of one caller; resolves when it is done and, for writes, durable. */
  readonly operate: (caller: number) => Promise<unknown>;
}

export interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of this process per operation, in microseconds. */
  readonly cpuUs: number;
}

export interface RoundOptions {
  readonly callers: number;
  readonly rounds: number;
  readonly windowMs: number;
}

export async function interleave(
  contenders: readonly Contender[],
  options: RoundOptions,
): Promise<Map<string, Figures>> {
  const windows = new Map<string, Figures[]>(contenders.map(({ name }) => [name, []]));
  for (let turn = -1; turn < options.rounds; turn += 1) {
    for (const contender of contenders) {
      const figures = await runWindow(contender, options);
      // The first round warms up.
      if (turn >= 0) windows.get(contender.name)?.push(figures);
    }
  }
  return new Map([...windows].map(([name, figures]) => [name, medianFigures(figures)]));
}

async function runWindow(contender: Contender, { callers, windowMs }: RoundOptions): Promise<Figures> {
  const latencies: number[] = [];
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  const endMs = startedMs + windowMs;
  const loop = async (caller: number) => {
    for (let nowMs = performance.now(); nowMs < endMs; ) {
      await contender.operate(caller);
      const doneMs = performance.now();
      latencies.push(doneMs - nowMs);
      nowMs = doneMs;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => loop(caller)));
  const elapsedMs = performance.now() - startedMs;
  const cpu = process.cpuUsage(cpuBefore);
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return {
    perSecond: (latencies.length * 1_000) / elapsedMs,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuUs: (cpu.user + cpu.system) / latencies.length,
  };
}

function medianFigures(figures: readonly Figures[]): Figures {
  const median = (pick: (one: Figures) => number) => {
    const sorted = figures.map(pick).toSorted((a, b) => a - b);
    return round(sorted[Math.floor(sorted.length / 2)] ?? 0);
  };
  return {
    perSecond: median((one) => one.perSecond),
    p50Ms: median((one) => one.p50Ms),
    p99Ms: median((one) => one.p99Ms),
    cpuUs: median((one) => one.cpuUs),
  };
}

export function round(value: number): number {
  return Number(value.toPrecision(4));
}
