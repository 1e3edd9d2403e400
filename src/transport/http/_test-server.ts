// The real server with operations of a test's own, for tests of transport alone.
import { EventEmitter, once } from 'node:events';
import { z } from 'zod';
import { ManualClock } from '#kernel/clock.ts';
import { defineOperation, StreamResponse } from '#kernel/operation.ts';
import { type BoundOperation, bind } from '#kernel/bound-operation.ts';
import type { TrailEntry } from '#platform/trail/call-line.ts';
import { HttpServer } from './server.ts';
import { BODY_LIMITS, type BodyLimits } from './body-budget.ts';
import { STREAM_LIMITS, type StreamLimits } from './streams.ts';

export const row = {
  tag: 'test',
  method: 'get',
  summary: 'test',
  description: 'test',
  input: z.strictObject({}),
  output: z.string(),
  effects: false,
  access: 'none',
  price: null,
  rate: 'none',
  cache: 'no-store',
  problems: [],
  examples: [],
} as const;

/** An operation whose answer is the stream. */
export function streaming(
  name: string,
  lasts: 'ends' | 'endless',
  open: (signal: AbortSignal) => AsyncIterable<string | Uint8Array>,
): BoundOperation {
  const mediaType = lasts === 'ends' ? 'application/x-ndjson' : 'text/event-stream';
  const operation = defineOperation({
    ...row,
    operationId: name,
    path: `/${name}`,
    mediaType,
    streams: { [mediaType]: lasts },
  });
  return bind(operation, () => new StreamResponse(open));
}

export class TestServer implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly trail: TrailEntry[] = [];
  readonly faults: unknown[] = [];
  readonly #lines = new EventEmitter();
  readonly #server: HttpServer;
  url = '';

  private constructor(
    operations: readonly BoundOperation[],
    limits: Partial<StreamLimits>,
    bodies: Partial<BodyLimits>,
  ) {
    this.#server = new HttpServer({
      operations,
      site: { service: 'Test', sandbox: true, baseUrl: () => 'http://test.invalid', nowMs: () => Date.now() },
      baseUrl: () => 'http://test.invalid',
      nowMs: () => this.clock.now(),
      monotonicMs: () => this.clock.monotonicMs(),
      record: (call) => {
        this.trail.push(call);
        this.#lines.emit('line');
      },
      limiterOf: () => undefined,
      tagOf: (request) => String(request.headers['x-address'] ?? 'one'),
      isTrailFailing: () => false,
      explainFault: () => undefined,
      logFault: (_requestId, _operation, error) => this.faults.push(error),
      requestIdPrefix: 'test',
      maxConnections: 1_000,
      streamLimits: { ...STREAM_LIMITS, ...limits },
      bodyLimits: { ...BODY_LIMITS, ...bodies },
    });
  }

  static async start(
    operations: readonly BoundOperation[],
    limits: Partial<StreamLimits> = {},
    bodies: Partial<BodyLimits> = {},
  ): Promise<TestServer> {
    const server = new TestServer(operations, limits, bodies);
    server.url = `http://127.0.0.1:${await server.#server.listen('127.0.0.1', 0)}`;
    return server;
  }

  /** Resolves when the trail has so many lines. */
  async recorded(lines: number): Promise<void> {
    while (this.trail.length < lines) await once(this.#lines, 'line');
  }

  connections(): Promise<number> {
    return this.#server.connections();
  }

  stop(): Promise<void> {
    return this.#server[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
