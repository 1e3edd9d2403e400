// Calls per CPU second of the real service, a validated GET and its health, and of one GET layer by layer, each beside bare node:http that
// sends the same answer, in the same run:
//   node bench/http.ts [--rounds 12] [--window 1000] [--connections 50] [--warm 50000]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchServer, cpuMicros, load } from './_http-load.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '12' },
    window: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '50' },
    // Before so many calls the engine still compiles a server, in threads whose time counts as its own.
    warm: { type: 'string', default: '50000' },
  },
});
const LAYERS = ['bare', 'bare_with_headers', 'binding', 'rate_limit', 'all'] as const;
const QUERY =
  'amount_usd=12.5&period_days=30&attempts=2&p_basis=measured&delivery=escrow&reversible=yes&agent=bench-agent&intent_id=i-42';
/** Calls of the real service. */
const REAL = {
  check:
    '/v1/check?amount_usd=0.03&instruction_source=principal&p_success=0.8&p_basis=measured&value_usd=1&delivery=on_delivery&agent=bench-agent&intent_id=i-42',
  health: '/api/v1/health',
};

function get(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: */*\r\n\r\n`);
}

interface Contender extends BenchServer {
  readonly name: string;
  readonly request: Buffer;
  /** The bare server that it is compared with. */
  readonly peer: string;
}

async function start(program: string, args: readonly string[]): Promise<BenchServer> {
  const child = fork(new URL(program, import.meta.url), args);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port };
}

const contenders: Contender[] = [];
for (const name of LAYERS) {
  const server = await start('./_http-server.ts', [name]);
  contenders.push({ ...server, name, request: get(`/v1/bench?${QUERY}`), peer: 'bare' });
}
const dataDir = await mkdtemp(join(tmpdir(), 'avouch-bench-'));
const service = await start('./_look-server.ts', ['service', dataDir]);
for (const [name, path] of Object.entries(REAL)) {
  const answer = await (await fetch(`http://127.0.0.1:${service.port}${path}`)).text();
  const call = { request: get(path), peer: `bare_${name}` };
  contenders.push({ ...(await start('./_look-server.ts', ['bare', answer])), name: call.peer, ...call });
  contenders.push({ ...service, name, ...call });
}
const perCpuSecond = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
const perSecond = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
const windowMs = Number(values.window);
const connections = Number(values.connections);

/** The answers of one window. */
async function answersOf({ port, request }: Contender): Promise<number> {
  return (await load({ port, connections, windowMs, request })).length;
}

for (const server of contenders) for (let left = Number(values.warm); left > 0; ) left -= await answersOf(server);
for (let turn = 0; turn < Number(values.rounds); turn += 1) {
  for (const server of contenders) {
    const { name } = server;
    const before = await cpuMicros(server);
    const answers = await answersOf(server);
    const micros = (await cpuMicros(server)) - before;
    perCpuSecond.get(name)?.push((answers * 1e6) / micros);
    perSecond.get(name)?.push((answers * 1_000) / windowMs);
  }
}
for (const child of new Set(contenders.map((one) => one.child))) child.disconnect();
await once(service.child, 'exit');
await rm(dataDir, { recursive: true });

const median = (figures: readonly number[] = []) =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
const report = contenders.map(({ name, peer }) => {
  const figure = median(perCpuSecond.get(name));
  const shown = {
    ratio: round(figure / median(perCpuSecond.get(peer))),
    per_cpu_second: round(figure),
    cpu_us: round(1e6 / figure),
    per_second: round(median(perSecond.get(name))),
  };
  return [name, shown] as const;
});
console.log(JSON.stringify({ bench: 'http', ...Object.fromEntries(report) }));
