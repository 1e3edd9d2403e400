// How soon 1,000 listeners of a key hear of a commit, and of an expiry at its time, over HTTP with the service in a
// process of its own:
//   node bench/crossing-watch.ts [--listeners 1000] [--events 20]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchServer, cpuMicros, quantile } from './_http-load.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({
  options: { listeners: { type: 'string', default: '1000' }, events: { type: 'string', default: '20' } },
});
const listeners = Number(values.listeners);
const dataDir = await mkdtemp(join(tmpdir(), 'avouch-bench-'));
const child = fork(new URL('./_look-server.ts', import.meta.url), ['service', dataDir, '127.0.0.1']);
const [{ port }] = (await once(child, 'message')) as [{ port: number }];
const server: BenchServer = { child, port };

/** When each listener got its next event, by the clock of this process. */
let heard: number[] = [];
let allHeard = Promise.withResolvers<void>();

async function listen(n: number): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  // Ten streams for each address.
  const address = `192.0.${Math.floor(n / 2_560)}.${Math.floor(n / 10) % 256}`;
  socket.write(
    `GET /v1/watch?key=k HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\nx-forwarded-for: ${address}\r\n\r\n`,
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  if (!String(head).startsWith('HTTP/1.1 200')) throw new Error(String(head));
  socket.on('data', (chunk: Buffer) => {
    if (!chunk.includes('id: ')) return;
    heard.push(performance.now());
    if (heard.length === listeners) allHeard.resolve();
  });
}

/** Makes an event and gives how long after its answer each listener heard of it. */
async function told(event: () => Promise<number>): Promise<number[]> {
  heard = [];
  allHeard = Promise.withResolvers();
  const doneMs = await event();
  await allHeard.promise;
  return heard.map((atMs) => Math.max(0, atMs - doneMs));
}

async function claim(
  agent: string,
  ttl: number,
): Promise<{ expiresInS: number; doneMs: number; lease: string; token: string }> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/claim?key=k&agent=${agent}&ttl=${ttl}`);
  const doneMs = performance.now();
  const body = (await answer.json()) as { expires_in_s: number; lease: string; token: string };
  return { expiresInS: body.expires_in_s, doneMs, lease: body.lease, token: body.token };
}

for (let n = 0; n < listeners; n += 50) {
  await Promise.all(Array.from({ length: Math.min(50, listeners - n) }, (_, index) => listen(n + index)));
}
const delays: number[] = [];
const slowest: number[] = [];
const before = await cpuMicros(server);
for (let n = 0; n < Number(values.events); n += 1) {
  const one = await told(async () => (await claim(`agent-${n}`, 3_600)).doneMs);
  delays.push(...one);
  slowest.push(Math.max(...one));
}
const cpuUs = ((await cpuMicros(server)) - before) / delays.length;
let expiresAtMs = 0;
await told(async () => {
  const { expiresInS, doneMs } = await claim('short', 30);
  expiresAtMs = doneMs + expiresInS * 1_000;
  return doneMs;
});
const afterExpiry = await told(async () => expiresAtMs);
child.disconnect();
await once(child, 'exit');
await rm(dataDir, { recursive: true });
console.log(
  JSON.stringify({
    bench: 'crossing-watch',
    listeners,
    events: Number(values.events),
    after_commit_ms: {
      p50: round(quantile(delays, 0.5)),
      p99: round(quantile(delays, 0.99)),
      slowest_listener_median: round(quantile(slowest, 0.5)),
    },
    cpu_us_per_delivery: round(cpuUs),
    after_expiry_ms: { p50: round(quantile(afterExpiry, 0.5)), slowest_listener: round(Math.max(...afterExpiry)) },
  }),
);
