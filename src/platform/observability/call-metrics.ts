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

/** Of one operation. */
interface Seen {
  readonly statuses: Map<number, number>;
  readonly buckets: number[];
  sum: number;
  count: number;
}

/** Counts calls by operation and status, problems by code, and how long calls took. */
export class CallMetrics {
  readonly #byOperation = new Map<string, Seen>();
  readonly #byCode = new Map<string, number>();

  record({ op, status, code, ms }: AnsweredCall): void {
    const seen = this.#byOperation.get(op) ?? this.#begin(op);
    seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
    if (code !== null) this.#byCode.set(code, (this.#byCode.get(code) ?? 0) + 1);
    const seconds = ms / 1_000;
    const bucket = BOUNDS.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) seen.buckets[bucket] = (seen.buckets[bucket] as number) + 1;
    seen.sum += seconds;
    seen.count += 1;
  }

  #begin(op: string): Seen {
    const seen = { statuses: new Map<number, number>(), buckets: BOUNDS.map(() => 0), sum: 0, count: 0 };
    this.#byOperation.set(op, seen);
    return seen;
  }

  metrics(): Metric[] {
    return [
      {
        name: 'avouch_calls_total',
        help: 'Calls that got a response, by operation and status.',
        type: 'counter',
        samples: () =>
          [...this.#byOperation].flatMap(([op, { statuses }]) =>
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
        samples: () => [...this.#byOperation].flatMap(([op, seen]) => histogramOf(op, seen)),
      },
    ];
  }
}

function histogramOf(op: string, { buckets, sum, count }: Seen): Sample[] {
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
