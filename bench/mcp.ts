// MCP calls per CPU second of the server beside plain JSON-RPC on node:http and beside the SDK's high-level server:
//   node bench/mcp.ts [--rounds 5] [--window 500] [--connections 8]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { type BenchServer, cpuMicros, load, quantile } from './_http-load.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    window: { type: 'string', default: '500' },
    connections: { type: 'string', default: '8' },
  },
});
const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

function request(method: string, params: { readonly name?: string }, isModern: boolean): Buffer {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { ...params, ...(isModern && { _meta: META }) },
  });
  const head = [
    ...['POST /mcp/streamable HTTP/1.1', 'host: 127.0.0.1', 'content-type: application/json'],
    ...['accept: application/json, text/event-stream', `content-length: ${Buffer.byteLength(body)}`],
    ...(isModern ? [`mcp-protocol-version: ${REVISION}`, `mcp-method: ${method}`] : []),
    ...(isModern && params.name !== undefined ? [`mcp-name: ${params.name}`] : []),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const CALL = { name: 'search', arguments: { query: 'bench' } };
/** The older era of the high-level server answers streams of events, which nothing here reads. */
const WORK = [
  { name: 'call', request: request('tools/call', CALL, true), variants: ['plain', 'ours', 'high_level'] },
  { name: 'call_2025', request: request('tools/call', CALL, false), variants: ['plain', 'ours'] },
  { name: 'list', request: request('tools/list', {}, true), variants: ['plain', 'ours', 'high_level'] },
];

async function start(variant: string): Promise<BenchServer> {
  const child = fork(new URL('./_mcp-server.ts', import.meta.url), [variant]);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port };
}

const servers = new Map<string, BenchServer>();
for (const variant of ['plain', 'ours', 'high_level']) servers.set(variant, await start(variant));
const windowMs = Number(values.window);
const connections = Number(values.connections);
const perCpuSecond = new Map<string, number[]>();
const latencies = new Map<string, number[]>();
for (let turn = -1; turn < Number(values.rounds); turn += 1) {
  for (const work of WORK) {
    for (const variant of work.variants) {
      const server = servers.get(variant) as BenchServer;
      const before = await cpuMicros(server);
      const times = await load({ port: server.port, connections, windowMs, request: work.request, spins: false });
      const micros = (await cpuMicros(server)) - before;
      if (turn < 0) continue;
      const key = `${work.name} ${variant}`;
      perCpuSecond.set(key, [...(perCpuSecond.get(key) ?? []), (times.length * 1e6) / micros]);
      latencies.set(key, [...(latencies.get(key) ?? []), ...times]);
    }
  }
}
for (const { child } of servers.values()) child.disconnect();

const report = WORK.map(({ name, variants }) => {
  const median = (variant: string) => quantile(perCpuSecond.get(`${name} ${variant}`) ?? [], 0.5);
  const shown = variants.map((variant) => {
    const figures = {
      ratio: round(median(variant) / median('plain')),
      cpu_us: round(1e6 / median(variant)),
      p99_ms: round(quantile(latencies.get(`${name} ${variant}`) ?? [], 0.99)),
    };
    return [variant, figures] as const;
  });
  return [name, Object.fromEntries(shown)] as const;
});
console.log(JSON.stringify({ bench: 'mcp', ...Object.fromEntries(report) }));
