import { randomBytes } from '#kernel/ids.ts';
import type { AnsweredCall } from './call-metrics.ts';

export interface TraceExporterOptions {
  /** Sends one batch; a rejection loses it. */
  readonly send: (body: string) => Promise<void>;
  readonly resource: Readonly<Record<string, string>>;
  readonly everyMs?: number;
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code: number };
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string };
}

const EVERY_MS = 5_000;
const MAX_WAITING = 10_000;
const KIND_SERVER = 2;
const STATUS_ERROR = 2;
const TRACEPARENT = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/;

/** One span per call, as OTLP over HTTP in JSON; a collector that is slow or away costs spans, never calls. */
export class TraceExporter implements AsyncDisposable {
  readonly #options: TraceExporterOptions;
  readonly #timer: NodeJS.Timeout;
  #waiting: Span[] = [];
  #sending: Promise<void> = Promise.resolve();
  #lost = 0;

  constructor(options: TraceExporterOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#flush(), options.everyMs ?? EVERY_MS).unref();
  }

  /** Spans that no collector got. */
  get lost(): number {
    return this.#lost;
  }

  record(call: AnsweredCall): void {
    if (this.#waiting.length >= MAX_WAITING) this.#lost += 1;
    else this.#waiting.push(spanOf(call));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
  }

  #flush(): Promise<void> {
    const spans = this.#waiting;
    if (spans.length === 0) return this.#sending;
    this.#waiting = [];
    const body = JSON.stringify(exportRequest(spans, this.#options.resource));
    this.#sending = this.#sending
      .then(() => this.#options.send(body))
      .catch(() => {
        this.#lost += spans.length;
      });
    return this.#sending;
  }
}

/** Continues the caller's trace (W3C Trace Context), or begins one. */
function spanOf({ op, method, status, code, atMs, ms, requestId, traceparent }: AnsweredCall): Span {
  const [, traceId, parentSpanId] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  const startNs = BigInt(atMs) * 1_000_000n;
  return {
    traceId: traceId ?? hexOf(16),
    spanId: hexOf(8),
    ...(parentSpanId !== undefined && { parentSpanId }),
    name: op,
    kind: KIND_SERVER,
    startTimeUnixNano: String(startNs),
    endTimeUnixNano: String(startNs + BigInt(Math.round(ms * 1e6))),
    attributes: [
      text('http.request.method', method),
      { key: 'http.response.status_code', value: { intValue: String(status) } },
      text('avouch.request_id', requestId),
      ...(code === null ? [] : [text('error.type', code)]),
    ],
    status: { code: status >= 500 ? STATUS_ERROR : 0 },
  };
}

function hexOf(bytes: number): string {
  return Buffer.from(randomBytes(bytes)).toString('hex');
}

function exportRequest(spans: readonly Span[], resource: Readonly<Record<string, string>>): object {
  const attributes = Object.entries(resource).map(([key, value]) => text(key, value));
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'avouch' }, spans }] }] };
}

function text(key: string, value: string): Attribute {
  return { key, value: { stringValue: value } };
}
