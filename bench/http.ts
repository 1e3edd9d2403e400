// A validated GET per CPU second of the server, layer by layer, beside bare node:http in the same run:
//   node bench/http.ts [--rounds 12] [--window 1000] [--connections 50]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { type BenchServer, cpuMicros, load } from './_http-load.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '12' },
    window: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '50' },
  },
});
const VARIANTS = ['bare', 'bare_with_headers', 'binding', 'rate_limit', 'all'] as const;
const QUERY =
  'amount_usd=12.5&period_days=30&attempts=2&p_basis=measured&delivery=escrow&reversible=yes&agent=bench-agent&intent_id=i-42';
const REQUEST = Buffer.from(`GET /v1/bench?${QUERY} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: */*\r\n\r\n`);

async function start(variant: string): Promise<BenchServer> {
  const child = fork(new URL('./_http-server.ts', import.meta.url), [variant]);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port };
}

const servers = new Map<string, BenchServer>();
for (const variant of VARIANTS) servers.set(variant, await start(variant));
const perCpuSecond = new Map<string, number[]>(VARIANTS.map((variant) => [variant, []]));
const perSecond = new Map<string, number[]>(VARIANTS.map((variant) => [variant, []]));
const windowMs = Number(values.window);
for (let turn = -1; turn < Number(values.rounds); turn += 1) {
  for (const [variant, server] of servers) {
    const before = await cpuMicros(server);
    const connections = Number(values.connections);
    const { length: answers } = await load({ port: server.port, connections, windowMs, request: REQUEST });
    const micros = (await cpuMicros(server)) - before;
    if (turn < 0) continue;
    perCpuSecond.get(variant)?.push((answers * 1e6) / micros);
    perSecond.get(variant)?.push((answers * 1_000) / windowMs);
  }
}
for (const { child } of servers.values()) child.disconnect();

const median = (figures: readonly number[] = []) =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
const bare = median(perCpuSecond.get('bare'));
const report = VARIANTS.map((variant) => {
  const figure = median(perCpuSecond.get(variant));
  const shown = {
    ratio: round(figure / bare),
    per_cpu_second: round(figure),
    cpu_us: round(1e6 / figure),
    per_second: round(median(perSecond.get(variant))),
  };
  return [variant, shown] as const;
});
console.log(JSON.stringify({ bench: 'http', ...Object.fromEntries(report) }));
