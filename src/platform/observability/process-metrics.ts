import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { gauge, type Metric } from './exposition.ts';

const NS_PER_MS = 1e6;
const NS_PER_S = 1e9;
const QUANTILES = [0.5, 0.99, 0.999, 1] as const;
/** The watch is due so often; what it tells are the times between, delay included. */
const WATCHED_EVERY_MS = 10;

/** What the runtime tells of this process; names as other exporters have them, where they have one. */
export class ProcessMetrics implements Disposable {
  readonly #delay = monitorEventLoopDelay({ resolution: WATCHED_EVERY_MS });
  #utilization = performance.eventLoopUtilization();

  constructor() {
    this.#delay.enable();
  }

  [Symbol.dispose](): void {
    this.#delay.disable();
  }

  metrics(): Metric[] {
    const startedS = performance.timeOrigin / 1_000;
    return [
      gauge('process_start_time_seconds', 'Start time of the process, in seconds since 1970.', () => startedS),
      gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss()),
      gauge('nodejs_heap_size_used_bytes', 'Memory in use by objects.', () => process.memoryUsage().heapUsed),
      {
        name: 'process_cpu_seconds_total',
        help: 'Processor time of the process.',
        type: 'counter',
        samples: () => {
          const { user, system } = process.cpuUsage();
          return [{ value: (user + system) / 1e6 }];
        },
      },
      gauge('process_open_fds', 'Open files and connections.', openFiles),
      gauge('nodejs_eventloop_utilization', 'Busy share of the time since the last reading.', () => {
        const now = performance.eventLoopUtilization();
        const { utilization } = performance.eventLoopUtilization(now, this.#utilization);
        this.#utilization = now;
        return utilization;
      }),
      {
        name: 'nodejs_eventloop_lag_seconds',
        help: 'Event loop delay since the last reading.',
        type: 'gauge',
        samples: () => {
          const lags = QUANTILES.map((quantile) => ({
            labels: { quantile: String(quantile) },
            value: Math.max(0, this.#delay.percentile(quantile * 100) - WATCHED_EVERY_MS * NS_PER_MS) / NS_PER_S,
          }));
          this.#delay.reset();
          return lags;
        },
      },
    ];
  }
}

/** Null where the system does not tell. */
function openFiles(): number | null {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return null;
  }
}
