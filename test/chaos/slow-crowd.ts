// Clients that take for ever (to send a head, to send a body, to read an answer) beside large hostile bodies, and an honest
// caller among them. Nothing is judged here by how long it took: a program prints it, a test counts.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { newApiKey } from '#kernel/ids.ts';
import { unlessHung } from '../support/until.ts';
import { OWNER } from '../support/wallet.ts';
import { quantile, WatchedService } from '../support/watched-service.ts';

export const HOST = 'HTTP/1.1\r\nHost: 127.0.0.1\r\n';
/** More than the buffers of a connection hold. */
const UNREAD_CALLS = 6;
const DRIP_EVERY_MS = 250;
const LOOKS_PER_SECOND = 20;
const BODIES_AT_ONCE = 4;
const BODY_EVERY_MS = 500;
const WAVE = 200;
const ADDRESSES = 250;
/** A body of just below what the largest keyed call takes. */
const WIDE_MEMBERS = 1_200_000;
const DEEP_LEVELS = 100_000;

/** Where a slow client comes from: one address would have to wait for its share of long answers. */
export function addressOf(n: number): string {
  return `127.0.1.${1 + (n % ADDRESSES)}`;
}

/** From an address of the loopback network, where one is given. */
export async function open(url: string, bytes: string, localAddress?: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ...(localAddress !== undefined && { localAddress }) });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

export async function openMany(count: number, one: (n: number) => Promise<Socket>): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const wave = Math.min(WAVE, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: wave }, (_, n) => one(sockets.length + n)))));
  }
  return sockets;
}

const UNREAD = `GET /openapi.json ${HOST}\r\n`.repeat(UNREAD_CALLS);
const SEAL = `POST /api/attest/seal ${HOST}Content-Type: application/json\r\n`;

/** What each kind sends first, and then drop by drop: a paused socket sees its end only by writing. */
const SLOW = {
  head: { first: `GET /v1/look ${HOST}X-Slow: `, further: 'x', isRead: true },
  body: { first: `${SEAL}Content-Length: 60000\r\n\r\n{"schema_id":"`, further: 'x', isRead: true },
  chunks: { first: `${SEAL}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`, further: '1\r\n \r\n', isRead: true },
  reader: { first: UNREAD, further: '\r\n', isRead: false },
} as const;
type Kind = keyof typeof SLOW;
const KINDS = Object.keys(SLOW) as readonly Kind[];

/** Opens a slow client; `closed` is told when the service has ended it. */
export async function openSlow(
  url: string,
  kind: Kind,
  closed: (livedMs: number) => void,
  localAddress?: string,
): Promise<Socket> {
  const { first, further, isRead } = SLOW[kind];
  const socket = await open(url, first, localAddress);
  const openedMs = performance.now();
  const drip = setInterval(() => socket.writable && socket.write(further), DRIP_EVERY_MS);
  socket.once('close', () => {
    clearInterval(drip);
    closed(performance.now() - openedMs);
  });
  return isRead ? socket.resume() : socket.pause();
}

interface HostileBody {
  readonly path: string;
  readonly key: 'good' | 'unknown' | 'none';
  readonly body: Buffer;
}

/** As wide as a body may be, with and without a key, and as deep. */
function hostileBodies(): readonly HostileBody[] {
  const wide = Buffer.from(`{${Array.from({ length: WIDE_MEMBERS }, (_, n) => `"a${n}":1`).join(',')}}`);
  const deep = Buffer.from('['.repeat(DEEP_LEVELS) + ']'.repeat(DEEP_LEVELS));
  const small = wide.subarray(0, 200_000);
  return [
    { path: '/capabilities/execute', key: 'none', body: wide },
    { path: '/capabilities/execute', key: 'unknown', body: wide },
    { path: '/api/attest/seal', key: 'none', body: wide },
    { path: '/capabilities/execute', key: 'good', body: wide },
    { path: '/api/attest/seal', key: 'none', body: deep },
    { path: '/capabilities/execute', key: 'good', body: deep },
    { path: '/api/attest/seal', key: 'none', body: small },
  ];
}

/** The status of the answer and whether it says when to come back; `cut` where the service closed without a word. */
async function sendBody(url: string, { path, key, body }: HostileBody, good: string): Promise<string> {
  const shown = key === 'none' ? '' : `X-Agent-Key: ${key === 'good' ? good : newApiKey('agk_')}\r\n`;
  const form = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const socket = await open(url, `POST ${path} ${HOST}${shown}${form}`);
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text += piece;
    if (text.includes('\r\n\r\n')) socket.destroy();
  });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.once('close', () => resolve());
  socket.write(body);
  await closed;
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1];
  if (status === undefined) return 'cut';
  return /^retry-after: \d+\r$/im.test(text) ? `${status} with Retry-After` : status;
}

export interface SlowCrowdReport {
  readonly clients: number;
  readonly left_open: number;
  /** Seconds after which the service had dropped them. */
  readonly dropped_after_s: Readonly<Record<Kind, { readonly p50: number; readonly last: number }>>;
  /** Answers to hostile bodies, by status. */
  readonly bodies: Readonly<Record<string, number>>;
  /** Of the honest caller, who was answered every time. */
  readonly looks: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly extra_rss_mib: number;
}

/** Lets the clients and the bodies come, until the bodies are answered and the service has dropped every slow client. */
export async function slowCrowd(clients: number, bodyCount: number): Promise<SlowCrowdReport> {
  await using service = await WatchedService.start();
  for (let n = 0; n < 100; n += 1) await service.call('/v1/look?key=warm&agent=watcher');
  await service.call('/openapi.json');
  const rssBefore = service.rssMib();
  let rssPeak = rssBefore;
  const weighing = setInterval(() => (rssPeak = Math.max(rssPeak, service.rssMib())), 100);
  const livedMs = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
  let isOver = false;
  const looking = service.looks(LOOKS_PER_SECOND, () => isOver);
  const sending = sendBodies(service, bodyCount);
  const closed: Promise<void>[] = [];
  const sockets = await openMany(clients, async (n) => {
    const kind = KINDS[n % KINDS.length] as Kind;
    const { promise, resolve } = Promise.withResolvers<void>();
    closed.push(promise);
    const dropped = (ms: number) => {
      livedMs.get(kind)?.push(ms);
      resolve();
    };
    return openSlow(service.url, kind, dropped, addressOf(n));
  });
  await unlessHung('the end of every slow client', Promise.all(closed)).catch(() => undefined);
  const leftOpen = sockets.filter((socket) => !socket.closed).length;
  for (const socket of sockets) socket.destroy();
  const bodies = await sending;
  isOver = true;
  const times = await looking;
  clearInterval(weighing);
  const seconds = (kind: Kind, share: number) => Math.round(quantile(livedMs.get(kind) ?? [], share) / 100) / 10;
  const dropped = KINDS.map((kind) => [kind, { p50: seconds(kind, 0.5), last: seconds(kind, 1) }] as const);
  return {
    clients,
    left_open: leftOpen,
    dropped_after_s: Object.fromEntries(dropped) as SlowCrowdReport['dropped_after_s'],
    bodies,
    looks: times.length,
    p50_ms: quantile(times, 0.5),
    p99_ms: quantile(times, 0.99),
    extra_rss_mib: Math.round(rssPeak - rssBefore),
  };
}

/** So many, a few of them at once. */
async function sendBodies(service: WatchedService, count: number): Promise<Record<string, number>> {
  const hostile = hostileBodies();
  const key = await registeredKey(service);
  const told: Record<string, number> = {};
  let sent = 0;
  const sender = async () => {
    while (sent < count) {
      const one = hostile[sent % hostile.length] as HostileBody;
      sent += 1;
      const status = await unlessHung('an answer to a body', sendBody(service.url, one, key));
      told[status] = (told[status] ?? 0) + 1;
      await sleep(BODY_EVERY_MS);
    }
  };
  await Promise.all(Array.from({ length: BODIES_AT_ONCE }, sender));
  return told;
}

async function registeredKey(service: WatchedService): Promise<string> {
  const answer = await service.call('/api/agents/register', { method: 'POST', body: OWNER });
  assert.equal(answer.status, 201, answer.text);
  return String(answer.json['agent_key']);
}

/** Of an honest service: a refusal for what the body is or whose it is, or one that says when to come back. */
const REFUSALS = /^(?:400|401|408|413|415|422|429|(?:429|503) with Retry-After|cut)$/;
/** Whatever is sent, and by however many. */
const MAX_EXTRA_MIB = 700;

/** What holds of every crowd, on however busy a machine. */
export async function testSlowCrowd(clients: number, bodies: number): Promise<void> {
  const report = await slowCrowd(clients, bodies);
  const told = JSON.stringify(report);
  assert.equal(report.left_open, 0, told);
  assert.deepEqual(
    Object.keys(report.bodies).filter((status) => !REFUSALS.test(status)),
    [],
    told,
  );
  const sent = Object.values(report.bodies).reduce((sum, count) => sum + count, 0);
  assert.ok(sent >= bodies && (report.bodies['cut'] ?? 0) < sent, told);
  // A look that was refused would have thrown.
  assert.ok(report.looks > 0, told);
  assert.ok(report.extra_rss_mib < MAX_EXTRA_MIB, told);
}
