// npm run rate-limits -- [--seconds 60]: every rate class at three times its rate from one address and at a third of it from another; one JSON line per class.
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { rateSetting, SETTINGS } from '#platform/config/env.ts';
import { type RateLimit, readRates } from '#platform/config/rates.ts';
import { RATE_CLASSES, type RateClass } from '#kernel/operation.ts';
import { OPERATIONS } from '../../src/areas.ts';
import { WatchedService } from '../support/watched-service.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });
const seconds = Number(values.seconds);
const [LOUD, QUIET] = ['127.0.0.2', '127.0.0.3'];
const MCP_CALL = { method: 'POST', path: '/mcp/streamable', body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' };

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/** A call that is counted; whether it is otherwise right does not matter. */
function callOf(name: RateClass): Call {
  const row =
    OPERATIONS.find(({ rate, access }) => rate === name && access === 'none') ??
    OPERATIONS.find(({ rate }) => rate === name);
  if (row === undefined) return MCP_CALL;
  const path = row.path.replaceAll(/\{\w+\}/g, 'x');
  return row.method === 'get' ? { method: 'GET', path } : { method: 'POST', path, body: '{}' };
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
function send(url: string, { method, path, body }: Call, localAddress: string) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const call = request({ hostname, port, path, method, localAddress, agent, headers }, (response) => {
      response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
    });
    call.on('error', reject).end(body);
  });
}

interface Tally {
  sent: number;
  /** Least and most time that the service can have seen: from the first answer to the last call, or to its answer. */
  seenS: [number, number];
  accepted: number;
  /** Headers that are missing, cannot be read or say otherwise than the status. */
  wrong: number;
}

function agrees(name: RateClass, status: number, headers: IncomingHttpHeaders): boolean {
  const remaining = new RegExp(`^"${name}";r=(\\d+);t=\\d+$`).exec(String(headers['ratelimit']))?.[1];
  const policy = new RegExp(`^"${name}";q=\\d+;w=\\d+$`).test(String(headers['ratelimit-policy']));
  const wait = Number(headers['retry-after'] ?? 0);
  return policy && (status === 429 ? remaining === '0' && wait >= 1 : remaining !== undefined);
}

async function press(url: string, name: RateClass, perSecond: number, address: string): Promise<Tally> {
  const tally: Tally = { sent: 0, seenS: [0, 0], accepted: 0, wrong: 0 };
  const call = callOf(name);
  const calls: Promise<void>[] = [];
  const startedMs = performance.now();
  const since = () => (performance.now() - startedMs) / 1_000;
  const one = async () => {
    const { status, headers } = await send(url, call, address);
    if (tally.sent === 0) tally.seenS[0] = seconds - since();
    tally.sent += 1;
    if (status !== 429) tally.accepted += 1;
    if (!agrees(name, status, headers)) tally.wrong += 1;
  };
  for (let n = 0; since() < seconds; n += 1) {
    calls.push(one());
    await sleep(Math.max(0, startedMs + ((n + 1) * 1_000) / perSecond - performance.now()));
  }
  await Promise.all(calls);
  tally.seenS[1] = since();
  return tally;
}

const faults: string[] = [];
const fallbacks = new Map(SETTINGS.map(({ name, fallback }) => [name, fallback]));
const rates = readRates((setting) => String(fallbacks.get(setting)), faults);
const env = Object.fromEntries(
  RATE_CLASSES.map((name) => [rateSetting(name), String(fallbacks.get(rateSetting(name)))]),
);
await using service = await WatchedService.start(env);

async function judge(name: RateClass, { calls, perSeconds, burst }: RateLimit): Promise<void> {
  const perSecond = calls / perSeconds;
  const [loud, quiet] = await Promise.all([
    press(service.url, name, perSecond * 3, LOUD),
    press(service.url, name, perSecond / 3, QUIET),
  ]);
  const { sent, accepted, seenS } = loud;
  const allowed = seenS.map((time) => Math.min(sent, burst + perSecond * time)) as [number, number];
  // One call more or less is where the last interval ends.
  const isWithin = accepted >= allowed[0] * 0.99 - 1 && accepted <= allowed[1] * 1.01 + 1;
  const wrong = loud.wrong + quiet.wrong;
  const ok = isWithin && quiet.accepted === quiet.sent && wrong === 0;
  const other = { sent: quiet.sent, refused: quiet.sent - quiet.accepted };
  console.log(JSON.stringify({ class: name, sent, accepted, allowed: allowed.map(Math.round), wrong, other, ok }));
  if (!ok) process.exitCode = 1;
}

await Promise.all(RATE_CLASSES.map((name) => judge(name, rates[name])));
agent.destroy();
