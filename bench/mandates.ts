// Durable verify plus seal over HTTP with 64 callers, beside a bare JSON POST in the same run:
// Both servers are warm: the first `--warm` mandates are not measured.
//   node bench/mandates.ts [--rounds 7] [--window 1000] [--warm 10000]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { DAY_MS } from '#kernel/clock.ts';
import { avouchClient } from '../client/client.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { type BenchServer, cpuMicros, load, quantile } from './_http-load.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    window: { type: 'string', default: '1000' },
    warm: { type: 'string', default: '10000' },
  },
});
const rounds = Number(values.rounds);
const windowMs = Number(values.window);
const CALLERS = 64;

async function start(kind: 'bare' | 'service'): Promise<BenchServer> {
  const child = fork(new URL('./_seal-server.ts', import.meta.url), [kind]);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port };
}

const servers = { bare: await start('bare'), service: await start('service') };
const base = `http://127.0.0.1:${servers.service.port}`;

async function post(path: string, body: object): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Record<string, string>;
}

const platform = { name: 'Bench', mcp_url: 'https://bench.example', contact: 'https://bench.example' };
const { api_key: apiKey = '' } = await post('/api/amh/register', platform);
const valid_until = new Date(Date.now() + DAY_MS).toISOString();
const body = { agent_id: 'agent:bench', principal: 'Bench', max_commit_cents: Number.MAX_SAFE_INTEGER, valid_until };
const { mandate_id: mandateId = '' } = await post('/api/amh/mandate', body);

function request(path: string, sent: object): Buffer {
  const text = JSON.stringify(sent);
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\nx-amh-key: ${apiKey}`;
  return Buffer.from(`${head}\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
}

let orders = 0;
const question = () => {
  orders += 1;
  const asked = { mandate_id: mandateId, action: 'order.place', amount_cents: 100, currency: 'EUR' } as const;
  return { ...asked, payload_hash: sha256Hex(`order ${orders}`) };
};

interface Window {
  readonly cpuUs: number;
  readonly latencies: readonly number[];
}

async function window(server: BenchServer, next: () => Uint8Array | undefined): Promise<Window> {
  const before = await cpuMicros(server);
  const latencies = await load({ port: server.port, connections: CALLERS, windowMs, request: next });
  return { cpuUs: ((await cpuMicros(server)) - before) / latencies.length, latencies };
}

/** References to be sealed in the next window; made outside the measurement. */
async function verified(count: number): Promise<string[]> {
  const client = avouchClient({ baseUrl: base, platformKey: apiKey });
  const refs: string[] = [];
  while (refs.length < count) {
    const decisions = await Promise.all(Array.from({ length: CALLERS }, () => client.amh_verify(question())));
    refs.push(...decisions.flatMap((decision) => (decision.ok ? [decision.value.verify_ref] : [])));
  }
  return refs;
}

const bare = request('/', question());
const AT_ONCE = 2_000;

function sealing(refs: string[]): Promise<Window> {
  return window(servers.service, () => {
    const ref = refs.pop();
    return ref === undefined ? undefined : request('/api/amh/seal', { verify_ref: ref, outcome: 'placed' });
  });
}

for (let left = Number(values.warm); left > 0; left -= AT_ONCE) {
  const refs = await verified(Math.min(left, AT_ONCE));
  while (refs.length > 0) await sealing(refs);
  await window(servers.bare, () => bare);
}
const seen = { bare: [] as Window[], verify: [] as Window[], seal: [] as Window[] };
for (let turn = 0; turn < rounds; turn += 1) {
  const refs = await verified(Math.max(512, Math.ceil((seen.verify.at(-1)?.latencies.length ?? 512) * 1.5)));
  const figures = {
    bare: await window(servers.bare, () => bare),
    verify: await window(servers.service, () => request('/api/amh/verify', question())),
    seal: await sealing(refs),
  };
  for (const kind of ['bare', 'verify', 'seal'] as const) seen[kind].push(figures[kind]);
}
const cpu = (kind: keyof typeof seen) =>
  quantile(
    seen[kind].map(({ cpuUs }) => cpuUs),
    0.5,
  );
const latencies = (kind: keyof typeof seen) => seen[kind].flatMap((one) => one.latencies);
for (const { child } of Object.values(servers)) child.disconnect();
console.log(
  JSON.stringify({
    bench: 'mandates',
    callers: CALLERS,
    verify_cpu_ratio: round(cpu('bare') / cpu('verify')),
    seal_cpu_ratio: round(cpu('bare') / cpu('seal')),
    bare_cpu_us: round(cpu('bare')),
    verify_cpu_us: round(cpu('verify')),
    seal_cpu_us: round(cpu('seal')),
    verify_p50_ms: round(quantile(latencies('verify'), 0.5)),
    verify_p99_ms: round(quantile(latencies('verify'), 0.99)),
    seal_p50_ms: round(quantile(latencies('seal'), 0.5)),
    seal_p99_ms: round(quantile(latencies('seal'), 0.99)),
  }),
);
