// One server of bench/http.ts, as a process of its own: `node bench/_http-server.ts <variant>`. Tells its parent the
// port, and its CPU time whenever it is asked.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { systemClock } from '#kernel/clock.ts';
import { randomBytes } from '#kernel/ids.ts';
import { defineOperation } from '#kernel/operation.ts';
import { bind } from '#kernel/bound-operation.ts';
import { Trail } from '#platform/trail/trail.ts';
import { AddressTagger } from '#platform/keys/address-tagger.ts';
import { RateLimiter } from '#transport/http/rate-limit.ts';
import { HttpServer } from '#transport/http/server.ts';

const ANSWER = {
  protocol: 'ABA-1.0',
  verdict: 'CAUTION',
  checks: ['instruction source', 'envelope', 'counterparty', 'price', 'delivery'].map((name, index) => ({
    step: `F${index + 1}`,
    name,
    result: 'PASS',
    why: 'the caller declared it and it lies within the limits',
  })),
  expected_value_usd: 0.77,
};

const operation = defineOperation({
  operationId: 'bench',
  tag: 'bench',
  method: 'get',
  path: '/v1/bench',
  summary: 'bench',
  description: 'bench',
  input: z.strictObject({
    amount_usd: z.number().min(0),
    period_days: z.int().min(1),
    attempts: z.int().min(0),
    p_basis: z.enum(['measured', 'estimated', 'unknown']),
    delivery: z.enum(['escrow', 'on_delivery', 'prepaid']),
    reversible: z.enum(['yes', 'no']),
    agent: z.string().min(2).max(80),
    intent_id: z.string().max(80),
  }),
  output: z.looseObject({}),
  effects: false,
  access: 'none',
  price: null,
  rate: 'crossing-read',
  cache: 'no-store',
  problems: [],
  examples: [],
});

const clock = systemClock();

async function productServer(layers: { rate: boolean; trail: boolean }): Promise<number> {
  const limiter = new RateLimiter('crossing-read', { calls: 1_000_000, perSeconds: 1, burst: 1_000_000 });
  const dayKey = randomBytes(32);
  const tagger = new AddressTagger({ dayKey: () => dayKey, trustedProxies: [], ipv6Prefix: 64 });
  const dir = mkdtempSync(join(tmpdir(), 'bench-trail-'));
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
  const trail = layers.trail ? await Trail.open({ dir, process: 'p1', clock }) : undefined;
  const server = new HttpServer({
    operations: [bind(operation, () => ANSWER)],
    site: { service: 'Avouch', sandbox: true, baseUrl: () => 'http://bench.invalid', nowMs: () => 0 },
    baseUrl: () => 'http://127.0.0.1',
    nowMs: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    record: trail === undefined ? () => {} : (call) => trail.record(call),
    limiterOf: () => (layers.rate ? limiter : undefined),
    tagOf: layers.rate ? (request, nowMs) => tagger.tagOf(request, nowMs) : () => 'tag',
    isTrailFailing: () => trail?.failing ?? false,
    explainFault: () => undefined,
    logFault: () => {},
    requestIdPrefix: 'bench',
    maxConnections: 20_000,
  });
  return server.listen('127.0.0.1', 0);
}

function bareServer(headers: readonly string[]): Promise<number> {
  const server = createServer((_request, response) => {
    const body = JSON.stringify(ANSWER);
    const length = ['content-type', 'application/json', 'content-length', String(Buffer.byteLength(body))];
    response.writeHead(200, [...headers, ...length]);
    response.end(body);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
}

/** What the product sends beside type and length. */
const PRODUCT_HEADERS = [
  ...['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer'],
  ...['x-request-id', 'bench-000001', 'cache-control', 'no-store'],
  ...['ratelimit-policy', '"crossing-read";q=60;w=3', 'ratelimit', '"crossing-read";r=59;t=1'],
];

const VARIANTS: Readonly<Record<string, () => Promise<number>>> = {
  bare: () => bareServer([]),
  bare_with_headers: () => bareServer(PRODUCT_HEADERS),
  binding: () => productServer({ rate: false, trail: false }),
  rate_limit: () => productServer({ rate: true, trail: false }),
  all: () => productServer({ rate: true, trail: true }),
};

const port = await VARIANTS[process.argv[2] ?? '']?.();
process.send?.({ port });
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit(0));
