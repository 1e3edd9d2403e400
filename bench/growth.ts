// CPU of the service per call when everything has been done 1,000, 10,000, 100,000 and a million times before, in turn:
//   node bench/growth.ts [--sizes 1000,10000,100000,1000000] [--rounds 5] [--window 1000] [--callers 32] [--only words]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { sha256Hex } from '#kernel/ids.ts';
import { SHIP_TO } from '../test/support/orders.ts';
import { type Callers, firstData, grownData } from './_grown-data.ts';
import { type BenchServer, cpuMicros, quantile } from './_http-load.ts';
import { type RawClient, rawClient } from './_raw-post.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000,1000000' },
    rounds: { type: 'string', default: '5' },
    window: { type: 'string', default: '1000' },
    callers: { type: 'string', default: '32' },
    only: { type: 'string', default: '' },
  },
});
const sizes = values.sizes.split(',').map(Number);
const windowMs = Number(values.window);
/** Until the compiler has seen all of it a call costs several times as much. */
const WARM_WINDOWS = 4;

const first = await firstData();
const { agentId, agentKey, platformKey, mandateId, calculationId, cookie }: Callers = first.callers;
const asAgent = { 'x-agent-key': agentKey };
const asPlatform = { 'x-amh-key': platformKey };
const asOwner = { cookie, accept: 'text/html' };

type Call = (client: RawClient, turn: number, size: number) => Promise<unknown>;

function verify(client: RawClient, turn: number) {
  const question = { mandate_id: mandateId, action: 'order.place', amount_cents: 100, currency: 'EUR' };
  return client.post('/api/amh/verify', { ...question, payload_hash: sha256Hex(`order ${turn}`) }, asPlatform);
}

/** Each caller has an address of its own. */
function addressOf(turn: number): Record<string, string> {
  return { 'x-forwarded-for': `10.${(turn >> 16) & 255}.${(turn >> 8) & 255}.${turn & 255}` };
}

const page =
  (path: string): Call =>
  (client) =>
    client.get(path, asOwner);

const CALLS: Readonly<Record<string, Call>> = {
  async claim_and_release(client, turn) {
    const { lease, token } = await client.post('/v1/claim', { key: `fresh ${turn}`, agent: 'bench' });
    await client.post('/v1/release', { lease, token });
  },
  look: (client, turn, size) =>
    client.get(`/v1/look?key=${encodeURIComponent(`bench key-${1 + ((turn * 7_919) % size)}`)}&agent=a${turn % 100}`),
  seal: (client, turn) =>
    client.post('/api/attest/seal', { schema_id: 'record.integrity.v1', claim: { statement: `delivery ${turn}` } }),
  mandate_verify: verify,
  async mandate_verify_and_seal(client, turn) {
    const { verify_ref } = await verify(client, turn);
    await client.post('/api/amh/seal', { verify_ref, outcome: 'placed' }, asPlatform);
  },
  paid_from_wallet: (client) =>
    client.post('/capabilities/execute', { capability: 'text.redact', input: { text: 'Call 555' } }, asAgent),
  task: (client, turn) =>
    client.post('/api/tasks', { agent_id: agentId, need: 'open bounties' }, { ...asAgent, ...addressOf(turn) }),
  order: (client) =>
    client.post(
      '/api/v1/orders',
      { calculation_id: calculationId, supplier: 'EXAMPLE-SUPPLY', ship_to: SHIP_TO },
      asAgent,
    ),
  overview_page: page('/dashboard'),
  ledger_page: page('/dashboard/ledger'),
  spend_page: page('/dashboard/spend'),
  calls_page: page('/dashboard/calls'),
  orders_page: page('/dashboard/orders'),
  log_page: (client) => client.get('/log', { accept: 'text/html' }),
};

interface Grown extends BenchServer {
  readonly size: number;
  readonly dataDir: string;
  readonly clients: readonly RawClient[];
}

async function start(size: number): Promise<Grown> {
  const dataDir = await grownData(first, size);
  const child = fork(new URL('./_look-server.ts', import.meta.url), ['service', dataDir, '127.0.0.1']);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const clients = Array.from({ length: Number(values.callers) }, () => rawClient(port));
  await clients[0]?.get('/v1/bounties');
  return { child, port, size, dataDir, clients };
}

let turn = 0;

/** CPU of the service per call, in microseconds. */
async function window(server: Grown, call: Call): Promise<number> {
  let calls = 0;
  const before = await cpuMicros(server);
  const endMs = performance.now() + windowMs;
  const loop = async (client: RawClient) => {
    while (performance.now() < endMs) {
      await call(client, (turn += 1), server.size);
      calls += 1;
    }
  };
  await Promise.all(server.clients.map(loop));
  return ((await cpuMicros(server)) - before) / calls;
}

const servers: Grown[] = [];
for (const size of sizes) servers.push(await start(size));
const words = values.only.split(',').filter((word) => word !== '');
const chosen = Object.entries(CALLS).filter(
  ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
);
const report: Record<string, { readonly growth: number }> = {};
for (const [name, call] of chosen) {
  for (const server of servers) for (let n = 0; n < WARM_WINDOWS; n += 1) await window(server, call);
  const seen = servers.map((server) => ({ server, micros: [] as number[] }));
  for (let n = 0; n < Number(values.rounds); n += 1) {
    for (const { server, micros } of seen) micros.push(await window(server, call));
  }
  const medians = seen.map(({ server, micros }) => [String(server.size), round(quantile(micros, 0.5))] as const);
  const growth = round((medians.at(-1)?.[1] ?? 0) / (medians[0]?.[1] ?? 1));
  report[name] = { growth, ...Object.fromEntries(medians) };
}
for (const { clients } of servers) for (const client of clients) client.close();
for (const { child } of servers) child.disconnect();
for (const { dataDir } of servers) await rm(dataDir, { recursive: true, force: true });
await rm(first.dataDir, { recursive: true, force: true });
const worst_growth = Math.max(...Object.values(report).map(({ growth }) => growth));
console.log(
  JSON.stringify({ bench: 'growth', callers: Number(values.callers), worst_growth, cpu_us_per_call: report }),
);
