// npm run connections -- --kind slow [--headers 3000] [--reads 1000] | --kind crowd [--clients 3000] [--bodies 200] | --kind burst [--clients 1000] | --kind idle [--sockets 10000]: one JSON line.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CallerBeside } from '../support/caller-beside.ts';
import { quantile, WatchedService } from '../support/watched-service.ts';
import { addressOf, HOST, open, openMany, openSlow, slowCrowd } from './slow-crowd.ts';

const { values } = parseArgs({
  options: {
    kind: { type: 'string', default: 'slow' },
    headers: { type: 'string', default: '3000' },
    reads: { type: 'string', default: '1000' },
    sockets: { type: 'string', default: '10000' },
    clients: { type: 'string' },
    bodies: { type: 'string', default: '200' },
  },
});
const GIVEN_UP_MS = 40_000;
const BURSTS = 5;
const BURST_MS = 2_000;

/** Headers that never end and answers that are never read; both write on, since a paused socket sees its end only by that. */
async function slowClients(headers: number, reads: number) {
  await using service = await WatchedService.start();
  for (let n = 0; n < 500; n += 1) await service.call('/v1/look?key=warm&agent=watcher');
  await service.call('/openapi.json');
  using beside = new CallerBeside(service.url, 50, ['look']);
  // What a start still has to do is not what is measured.
  await sleep(2_000);
  await beside.seen();
  const livedMs: number[] = [];
  const closed = (ms: number) => void livedMs.push(ms);
  const sockets = [
    ...(await openMany(headers, () => openSlow(service.url, 'head', closed))),
    ...(await openMany(reads, (n) => openSlow(service.url, 'reader', closed, addressOf(n)))),
  ];
  const openedMs = performance.now();
  while (livedMs.length < sockets.length && performance.now() - openedMs < GIVEN_UP_MS) await sleep(200);
  const times = await timesOf(beside);
  const leftOpen = sockets.filter((socket) => !socket.closed).length;
  for (const socket of sockets) socket.destroy();
  return {
    slow_headers: headers,
    slow_reads: reads,
    left_open_after_40_s: leftOpen,
    dropped_after_s: { p50: seconds(quantile(livedMs, 0.5)), last: seconds(quantile(livedMs, 1)) },
    calls: times.length,
    p50_ms: quantile(times, 0.5),
    p99_ms: quantile(times, 0.99),
  };
}

/** Clients of one address that all ask in the same moment, and how long another caller then waits at most. */
async function bursts(clients: number) {
  await using service = await WatchedService.start();
  for (let n = 0; n < 500; n += 1) await service.call('/v1/look?key=warm&agent=watcher');
  const calls = { look: '/v1/look?key=warm&agent=crowd', document: '/openapi.json' };
  const health = `GET /api/v1/health ${HOST}\r\n`;
  const sockets = await openMany(clients, async () => (await open(service.url, health, addressOf(0))).resume());
  using beside = new CallerBeside(service.url, 200, ['look']);
  await sleep(BURST_MS);
  await beside.seen();
  const slowestMs: Record<string, number[]> = {};
  for (const [name, path] of Object.entries(calls)) {
    const slowest: number[] = [];
    for (let n = 0; n < BURSTS; n += 1) {
      for (const socket of sockets) socket.write(`GET ${path} ${HOST}\r\n`);
      await sleep(BURST_MS);
      slowest.push(quantile(await timesOf(beside), 1));
    }
    slowestMs[name] = slowest;
  }
  const stillOpen = sockets.filter((socket) => !socket.closed).length;
  for (const socket of sockets) socket.destroy();
  return { clients, still_open: stillOpen, slowest_ms: slowestMs };
}

async function idleConnections(count: number) {
  await using service = await WatchedService.start();
  for (let n = 0; n < 500; n += 1) await service.call('/v1/look?key=warm&agent=watcher');
  const before = service.rssMib();
  const call = `GET /api/v1/health ${HOST}\r\n`;
  const sockets = await openMany(count, async () => (await open(service.url, call)).resume());
  await sleep(1_000);
  using beside = new CallerBeside(service.url, 200, ['look']);
  await sleep(20_000);
  const times = await timesOf(beside);
  const open_ = sockets.filter((socket) => !socket.closed).length;
  const rss = service.rssMib();
  for (const socket of sockets) socket.destroy();
  return {
    connections: count,
    still_open: open_,
    extra_rss_mib: Math.round(rss - before),
    calls: times.length,
    p50_ms: quantile(times, 0.5),
    p99_ms: quantile(times, 0.99),
  };
}

async function timesOf(beside: CallerBeside): Promise<number[]> {
  const { times, refused } = await beside.seen();
  if (refused.length > 0) throw new Error(`calls beside were not answered: ${refused.slice(0, 3).join()}`);
  return times;
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

const kinds: Readonly<Record<string, () => Promise<object>>> = {
  slow: () => slowClients(Number(values.headers), Number(values.reads)),
  crowd: () => slowCrowd(Number(values.clients ?? 3_000), Number(values.bodies)),
  burst: () => bursts(Number(values.clients ?? 1_000)),
  idle: () => idleConnections(Number(values.sockets)),
};
const run = kinds[values.kind];
if (run === undefined) throw new Error(`--kind is one of ${Object.keys(kinds).join(', ')}`);
console.log(JSON.stringify(await run()));
