// Hostile requests of every kind, each beside a caller that claims and looks 50 times a second; one JSON line:
//   node bench/hostile.ts [--seconds 4] [--only words] [--root folder of another checkout]
// What counts is how long that caller waits, and what memory of the service and its processes they take and give back.
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Agent, request as open } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CallerBeside } from '../test/support/caller-beside.ts';
import { ChildService, ROOT } from '../test/support/child-service.ts';
import { Client } from '../test/support/client.ts';
import { temporaryDirectory } from '../test/support/temporary.ts';
import { HOSTILE, type HostileKind, type HostileRequest } from './_hostile-requests.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
    root: { type: 'string', default: ROOT },
    sockets: { type: 'string', default: '1000' },
  },
});
const WINDOW_MS = Number(values.seconds) * 1_000;
const SOCKETS = Number(values.sockets);
const PER_SECOND = 50;
const GIVEN_BACK_MS = 10_000;
const ADDRESSES = 50;
const KEYS = 4;
const MIB = 1024 * 1024;

/** What a kind did to the caller beside it, and to memory. */
interface Row {
  readonly kind: string;
  readonly requests: number;
  readonly answers: Readonly<Record<string, number>>;
  readonly p99_9_ms: number;
  readonly max_ms: number;
  /** Of the event loop: what the caller beside waits for longer is the processor, which the sender takes too. */
  readonly longest_pause_ms: number;
  readonly rss_growth_mib: number;
  readonly rss_kept_mib: number;
}

await using stack = new AsyncDisposableStack();
const dataDir = stack.adopt(await temporaryDirectory(), (path) => rm(path, { recursive: true, force: true }));
const env = {
  DATA_DIR: dataDir,
  PORT: '0',
  AVOUCH_LOG_LEVEL: 'silent',
  AVOUCH_TRUSTED_PROXIES: '127.0.0.1',
  AVOUCH_SUSPENSION: 'off',
};
const service = stack.adopt(
  await ChildService.start(env, ['serve'], join(values.root, 'bin/avouch.mjs')),
  async (child) => void (await child.end('SIGKILL')),
);
const { hostname, port } = new URL(service.url);
const client = stack.adopt(new Client(), (one) => one.close());
const keys = await Promise.all(Array.from({ length: KEYS }, (_, n) => fundedKey(n)));
// What is long in the making is made before the caller beside begins to count.
for (const kind of HOSTILE.filter(({ name }) => name.includes(values.only))) {
  kind.request(keys[0] ?? '', 0);
  await sendAhead(kind);
}
await warmUp();
const caller = stack.use(new CallerBeside(service.url, PER_SECOND, ['claim', 'look']));
await sleep(2_000);
const baseline = await caller.seen();
const rows: Row[] = [];
const allTimes: number[] = [];

type Run = (count: (status: string) => void) => Promise<void>;
const kinds: readonly { name: string; run: Run; reaches?: number }[] = [
  ...HOSTILE.map((kind) => ({ name: kind.name, run: storm(kind), reaches: kind.reaches })),
  { name: '200 sockets of unread bodies, no key', run: sockets(200, unreadBody(undefined)) },
  { name: '200 sockets of unread bodies', run: sockets(200, unreadBody(keys[0])) },
  { name: 'slow readers', run: sockets(SOCKETS, slowReader) },
  { name: 'slow headers', run: sockets(SOCKETS, slowHeader) },
];
for (const { name, run, reaches } of kinds.filter((kind) => kind.name.includes(values.only))) {
  const row = await measure(name, run);
  if (reaches !== undefined && row.answers[reaches] === undefined)
    throw new Error(`${name}: no answer was ${reaches}: ${JSON.stringify(row.answers)}`);
  rows.push(row);
  if (process.stderr.isTTY) console.error(JSON.stringify(row));
}

console.log(
  JSON.stringify({
    bench: 'hostile',
    kinds: rows.length,
    beside: { calls: allTimes.length, ...tail(allTimes), alone: tail(baseline.times) },
    rss_growth_mib: Math.max(...rows.map(({ rss_growth_mib }) => rss_growth_mib)),
    rss_kept_mib: Math.max(...rows.map(({ rss_kept_mib }) => rss_kept_mib)),
    rows,
  }),
);

async function measure(kind: string, run: Run): Promise<Row> {
  await caller.seen();
  await longestPauseMs();
  const before = treeMib();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, treeMib())), 25);
  const answers: Record<string, number> = {};
  let requests = 0;
  await run((status) => {
    requests += 1;
    answers[status] = (answers[status] ?? 0) + 1;
  });
  // What is still being worked on belongs to it.
  await sleep(1_000);
  const { times, refused } = await caller.seen();
  clearInterval(watch);
  const longest_pause_ms = round(await longestPauseMs());
  if (refused.length > 0)
    throw new Error(`beside ${kind} an honest call was not answered: ${refused.slice(0, 3).join()}`);
  const endMs = performance.now() + GIVEN_BACK_MS;
  let after = treeMib();
  while (performance.now() < endMs && after > before) {
    await sleep(250);
    after = Math.min(after, treeMib());
  }
  allTimes.push(...times);
  const { p99_9_ms, max_ms } = tail(times);
  const [rss_growth_mib, rss_kept_mib] = [Math.round(most - before), Math.round(Math.max(0, after - before))];
  return { kind, requests, answers, p99_9_ms, max_ms, longest_pause_ms, rss_growth_mib, rss_kept_mib };
}

/** Requests of one kind, a few at once, until its time is over; those under way are waited for. */
function storm({ request, atOnce = 4, ahead = 0 }: HostileKind) {
  return async (count: (status: string) => void): Promise<void> => {
    const until = performance.now() + WINDOW_MS;
    const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
    let sent = ahead;
    const sender = async (from: number) => {
      while (performance.now() < until) {
        const n = (sent += 1);
        const key = keys[(from + n) % KEYS] ?? '';
        count(await statusOf(request(key, n), agent, n));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, (_, from) => sender(from)));
    agent.destroy();
  };
}

async function sendAhead({ name, request, ahead = 0 }: HostileKind): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  for (let n = 1; n <= ahead; n += 1) {
    const status = await statusOf(request(keys[0] ?? '', n), agent, n);
    if (status !== '200') throw new Error(`${name}: a request ahead of the others was answered ${status}`);
  }
  agent.destroy();
}

function statusOf(
  { method = 'POST', path, headers = {}, body }: HostileRequest,
  agent: Agent,
  n: number,
): Promise<string> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const from = { 'x-forwarded-for': `10.8.0.${n % ADDRESSES}` };
    const call = open({ hostname, port, path, method, agent, headers: { ...from, ...headers, ...length } }, (answer) =>
      answer.resume().on('close', () => resolve(String(answer.statusCode))),
    );
    // Refused before its body was sent: the connection may end under it.
    call.on('error', () => resolve('cut'));
    call.end(body);
  });
}

/** Many connections at once that are left as they are until their time is over. */
function sockets(count: number, begin: (socket: Socket, n: number) => void) {
  return async (told: (status: string) => void): Promise<void> => {
    const until = performance.now() + WINDOW_MS;
    const opened: Socket[] = [];
    for (let n = 0; n < count; n += 1) {
      const socket = connect(Number(port), hostname).on('error', () => {});
      socket.once('connect', () => begin(socket, n));
      opened.push(socket);
      if (n % 50 === 49) await sleep(5);
    }
    await sleep(Math.max(0, until - performance.now()));
    for (const socket of opened) {
      told(socket.closed ? 'dropped' : 'open');
      socket.destroy();
    }
  };
}

function head(lines: readonly string[], n: number): string {
  return `${[...lines, 'Host: 127.0.0.1', `X-Forwarded-For: 10.8.1.${n % ADDRESSES}`].join('\r\n')}\r\n`;
}

function unreadBody(key: string | undefined) {
  return (socket: Socket, n: number) => {
    const lines = [
      'POST /capabilities/execute HTTP/1.1',
      'Content-Type: application/json',
      `Content-Length: ${16 * MIB}`,
    ];
    if (key !== undefined) lines.push(`X-Agent-Key: ${key}`);
    socket.resume();
    socket.write(`${head(lines, n)}\r\n`);
    socket.write(Buffer.alloc(MIB, ' '));
  };
}

function slowReader(socket: Socket, n: number): void {
  socket.pause();
  socket.write(`${head(['GET /openapi.json HTTP/1.1'], n)}\r\n`.repeat(6));
}

function slowHeader(socket: Socket, n: number): void {
  socket.resume();
  socket.write(`${head(['GET /v1/look HTTP/1.1'], n)}X-Slow: `);
}

function tail(times: readonly number[]): { p99_9_ms: number; p50_ms: number; max_ms: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { p50_ms: at(0.5), p99_9_ms: at(0.999), max_ms: at(1) };
}

/** Since the last reading. */
async function longestPauseMs(): Promise<number> {
  const { text } = await client.call(service.url, '/metrics');
  return Number(/^nodejs_eventloop_lag_seconds\{quantile="1"\} (\S+)/m.exec(text)?.[1]) * 1_000;
}

/** Memory of the service and of all processes that it has started. */
function treeMib(): number {
  const sum = (pid: number): number => {
    try {
      const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
      return (pages * 4_096) / MIB + children.reduce((all, child) => all + sum(Number(child)), 0);
    } catch {
      return 0;
    }
  };
  return sum(service.process.pid as number);
}

/** An honest call of each kind: what is loaded with the first one is not the work of hostile ones. */
async function warmUp(): Promise<void> {
  const agent = new Agent();
  const long = JSON.stringify({ answer: { text: 'a'.repeat(300_000) } });
  const json = { 'content-type': 'application/json' };
  const listed = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const execute = (body: object): HostileRequest => ({
    path: '/capabilities/execute',
    headers: { ...json, 'x-agent-key': keys[0] ?? '' },
    body: JSON.stringify(body),
  });
  const honest: readonly HostileRequest[] = [
    { path: '/v1/receipts/verify', headers: json, body: long },
    { path: '/mcp', headers: { ...json, accept: 'application/json, text/event-stream' }, body: listed },
    { method: 'GET', path: '/api/data/search?query=bridge' },
    { method: 'GET', path: '/api/astralock/audit' },
    { method: 'GET', path: '/openapi.json' },
    execute({ capability: 'data.validate', input: { data: 'a', schema: { type: 'string' } } }),
  ];
  for (const [n, one] of honest.entries()) await statusOf(one, agent, n);
  agent.destroy();
}

/** The key of an agent with money of the sandbox. */
async function fundedKey(n: number): Promise<string> {
  const post = async (path: string, body: object, headers: Record<string, string>) => {
    const { status, json, text } = await client.call(service.url, path, { method: 'POST', body: { ...body }, headers });
    if (status >= 300) throw new Error(`${path} answered ${status} ${text}`);
    return json;
  };
  const from = { 'x-forwarded-for': `10.7.0.${n}` };
  const { agent_key } = await post(
    '/api/agents/register',
    { name: `agent-${n}`, owner_email: 'ops@example.org' },
    from,
  );
  const key = { ...from, 'x-agent-key': String(agent_key) };
  const { checkout_url } = await post('/api/agents/wallet/topup', { tier: 'starter' }, key);
  await post(`${new URL(String(checkout_url)).pathname}/pay`, {}, from);
  for (let tries = 0; tries < 300; tries += 1) {
    const { json } = await client.call(service.url, '/api/agents/wallet', { headers: key });
    if (Number(json['available_eur'] ?? json['posted_eur']) > 0) return key['x-agent-key'];
    await sleep(200);
  }
  throw new Error('the money of the sandbox did not arrive');
}
