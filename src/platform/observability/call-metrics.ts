import type { Metric, Sample } from './exposition.ts';

/** A call that was answered. */
export interface AnsweredCall {
  readonly op: string;
  readonly method: string;
  readonly status: number;
  /** The code of the problem that it was refused with. */
  readonly code: string | null;
  readonly atMs: number;
  readonly ms: number;
  readonly requestId: string;
  readonly traceparent: string | undefined;
}

/** Seconds; the last bucket takes the rest. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

interface Timed {
  readonly buckets: number[];
  sum: number;
  count: number;
}

/** Counts calls by operation and status, problems by code, and how long calls took. */
export class CallMetrics {
  readonly #byStatus = new Map<string, Map<number, number>>();
  readonly #byCode = new Map<string, number>();
  readonly #timed = new Map<string, Timed>();

  record({ op, status, code, ms }: AnsweredCall): void {
    const statuses = this.#byStatus.get(op) ?? new Map<number, number>();
    this.#byStatus.set(op, statuses.set(status, (statuses.get(status) ?? 0) + 1));
    if (code !== null) this.#byCode.set(code, (this.#byCode.get(code) ?? 0) + 1);
    const timed = this.#timed.get(op) ?? { buckets: BOUNDS.map(() => 0), sum: 0, count: 0 };
    this.#timed.set(op, timed);
    const seconds = ms / 1_000;
    const bucket = BOUNDS.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) timed.buckets[bucket] = (timed.buckets[bucket] as number) + 1;
    timed.sum += seconds;
    timed.count += 1;
  }

  metrics(): Metric[] {
    return [
      {
        name: 'avouch_calls_total',
        help: 'Calls that got a response, by operation and status.',
        type: 'counter',
        samples: () =>
          [...this.#byStatus].flatMap(([op, statuses]) =>
            [...statuses].map(([status, value]) => ({ labels: { op, status: String(status) }, value })),
          ),
      },
      {
        name: 'avouch_problems_total',
        help: 'Errors, by problem code.',
        type: 'counter',
        samples: () => [...this.#byCode].map(([code, value]) => ({ labels: { code }, value })),
      },
      {
        name: 'avouch_call_seconds',
        help: 'Time from the arrival of a call to its response.',
        type: 'histogram',
        samples: () => [...this.#timed].flatMap(([op, timed]) => histogramOf(op, timed)),
      },
    ];
  }
}

function histogramOf(op: string, { buckets, sum, count }: Timed): Sample[] {
  let below = 0;
  const cumulative = BOUNDS.map((bound, index) => {
    below += buckets[index] as number;
    return { labels: { op, le: String(bound) }, value: below, suffix: '_bucket' };
  });
  return [
    ...cumulative,
    { labels: { op, le: '+Inf' }, value: count, suffix: '_bucket' },
    { labels: { op }, value: sum, suffix: '_sum' },
    { labels: { op }, value: count, suffix: '_count' },
  ];
}
