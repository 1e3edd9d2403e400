// One server of bench/mcp.ts, as a process of its own: `node bench/_mcp-server.ts <variant>`. Tells its parent the port,
// and its CPU time whenever it is asked.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { systemClock } from '#kernel/clock.ts';
import { randomBytes } from '#kernel/ids.ts';
import { Trail } from '#platform/trail/trail.ts';
import { AddressTagger } from '#platform/keys/address-tagger.ts';
import { RateLimiter } from '#transport/http/rate-limit.ts';
import { HttpServer } from '#transport/http/server.ts';
import { McpEndpoint } from '#transport/mcp/mcp-endpoint.ts';
import { listedTools, PUBLIC_TOOLS } from '../src/areas.ts';
import { makeToolServers } from '../src/transport/mcp/tool-servers.ts';

const LISTED_TOOLS = listedTools();

const RESULTS = {
  results: Array.from({ length: 5 }, (_, n) => ({
    id: `doc:${n}`,
    title: `Document ${n}`,
    url: `https://a.example/${n}`,
  })),
};
const RESULT = { content: [{ type: 'text' as const, text: JSON.stringify(RESULTS) }], structuredContent: RESULTS };
const NAME = { name: 'bench', version: '1' };

function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
}

/** What JSON-RPC costs without any protocol around it. */
function plain(): Promise<number> {
  return listen((request, response) => {
    void (async () => {
      const { id, method } = JSON.parse((await buffer(request)).toString()) as { id: number; method: string };
      const result = method === 'tools/list' ? { tools: LISTED_TOOLS } : RESULT;
      const body = JSON.stringify({ jsonrpc: '2.0', id, result });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      response.end(body);
    })();
  });
}

/** The SDK as its guide shows it: every tool is registered for each request. */
function highLevel(): Promise<number> {
  const handler = createMcpHandler(() => {
    const server = new McpServer(NAME);
    for (const { name, title, description, input, output, annotations } of PUBLIC_TOOLS) {
      const config = { title, description, inputSchema: input, outputSchema: output, annotations };
      server.registerTool(name, config as never, () => RESULT as never);
    }
    return server;
  });
  return listen(toNodeHandler(handler) as RequestListener);
}

/** The service's own, with rate limit and audit trail on. */
async function ours(): Promise<number> {
  const clock = systemClock();
  const dayKey = randomBytes(32);
  const tagger = new AddressTagger({ dayKey: () => dayKey, trustedProxies: [], ipv6Prefix: 64 });
  const dir = mkdtempSync(join(tmpdir(), 'bench-trail-'));
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
  const trail = await Trail.open({ dir, process: 'p1', clock });
  const shared = {
    record: (call: Parameters<Trail['record']>[0]) => trail.record(call),
    tagOf: (...asked: Parameters<AddressTagger['tagOf']>) => tagger.tagOf(...asked),
    isTrailFailing: () => trail.failing,
    explainFault: () => undefined,
    logFault: () => {},
  };
  const toolServers = makeToolServers({
    ...shared,
    tools: PUBLIC_TOOLS.map((tool) => ({ tool, work: tool.name === 'search' ? () => RESULTS : undefined })),
    operations: [],
    coordination: { instructions: '', tools: () => [] },
    authenticate: () => Promise.reject(new Error('no keys')),
  });
  const local = () => ['127.0.0.1'];
  const site = { service: 'Avouch', sandbox: true, baseUrl: () => 'http://bench.invalid', nowMs: () => 0 };
  const endpoint = new McpEndpoint({
    ...shared,
    site,
    identityOf: () => ({ ...NAME, instructions: 'bench' }),
    toolServers: () => Promise.resolve(toolServers),
    limiter: new RateLimiter('mcp', { calls: 1_000_000, perSeconds: 1, burst: 1_000_000 }),
    hostOf: (request) => request.headers.host,
    allowedHosts: local,
    allowedOrigins: local,
  });
  const server = new HttpServer({
    ...shared,
    site,
    operations: [],
    routes: endpoint.routes(),
    limiterOf: () => undefined,
    baseUrl: () => 'http://127.0.0.1',
    nowMs: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    requestIdPrefix: 'b',
    maxConnections: 1_000,
  });
  return server.listen('127.0.0.1', 0);
}

const VARIANTS: Readonly<Record<string, () => Promise<number>>> = { plain, ours, high_level: highLevel };
const port = await VARIANTS[process.argv[2] ?? '']?.();
process.send?.({ port });
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
