// npm run soak -- [--minutes 120] [--callers 16]: mixed load at half of peak; what memory, event loop and open files do meanwhile: one JSON line.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HOUR_MS, MINUTE_MS } from '#kernel/clock.ts';
import { quantile, WatchedService } from '../support/watched-service.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '120' }, callers: { type: 'string', default: '16' } },
});
const minutes = Number(values.minutes);
const callers = Number(values.callers);
const SAMPLES = 120;
const PEAK_MS = 10_000;
/** What the tree of the log may take for an entry. */
const ENTRY_BYTES = 100;

await using service = await WatchedService.start();
let calls = 0;
let entries = 0;

async function expect(path: string, body?: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { status, json, text } = await service.call(path, body === undefined ? {} : { method: 'POST', body });
  if (status >= 400) throw new Error(`${path} was answered ${status} ${text}`);
  calls += 1;
  return json;
}

const TOOL_CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'construction_summary', arguments: {} },
};

/** What is asked for before it is paid. */
async function challenge(key: string): Promise<void> {
  const { status } = await service.call(`/v1/spend-fuse?amount_usd=1&agent=soak&intent_id=${encodeURIComponent(key)}`);
  if (status !== 402) throw new Error(`a paid call was answered ${status}`);
  calls += 1;
}

async function page(): Promise<void> {
  const { status } = await service.call('/', { headers: { accept: 'text/html' } });
  if (status !== 200) throw new Error(`the home page was answered ${status}`);
  calls += 1;
}

/** One round of what an agent does: look, claim, seal, verify, release; a tool, a price and a page beside it. */
async function round(caller: number, turn: number): Promise<void> {
  const key = `soak ${caller} ${turn}`;
  const agent = `agent-${caller}`;
  await expect(`/v1/look?${new URLSearchParams({ key, agent })}`);
  const { lease, token } = await expect('/v1/claim', { key, agent });
  const sealed = await expect('/api/attest/seal', { schema_id: 'record.integrity.v1', claim: { statement: key } });
  await expect(`/api/attest/verify/${String(sealed['attestation_id'])}`);
  await expect('/v1/check?amount_usd=0.05');
  await expect('/v1/release', { lease, token });
  await expect('/mcp/streamable', TOOL_CALL);
  await challenge(key);
  await page();
  entries += 2;
}

/** Lets every caller do rounds until it is over, each starting a round no more often than told. */
async function load(everyMs: number, isOver: () => boolean): Promise<void> {
  const loop = async (caller: number) => {
    for (let turn = calls; !isOver(); turn += 1) {
      const next = sleep(everyMs);
      await round(caller, turn);
      await next;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => loop(caller)));
}

/** The slope of a line through the points, per hour. */
function slope(points: readonly (readonly [atMs: number, value: number])[]): number {
  const mean = (pick: 0 | 1) => points.reduce((sum, point) => sum + point[pick], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const up = points.reduce((sum, [atMs, value]) => sum + (atMs - x) * (value - y), 0);
  const square = points.reduce((sum, [atMs]) => sum + (atMs - x) ** 2, 0);
  return (up / square) * HOUR_MS;
}

/** The delay of the event loop since the last reading. */
async function eventLoopMs(): Promise<{ p99: number; p999: number }> {
  const { text } = await service.call('/metrics');
  const ms = (of: string) =>
    Number(new RegExp(`^nodejs_eventloop_lag_seconds\\{quantile="${of}"\\} (\\S+)`, 'm').exec(text)?.[1]) * 1_000;
  return { p99: ms('0.99'), p999: ms('0.999') };
}

const peakEndMs = performance.now() + PEAK_MS;
await load(0, () => performance.now() > peakEndMs);
const peak = (calls * 1_000) / PEAK_MS;
const [callsAtPeak, entriesAtPeak] = [calls, entries];
const CALLS_PER_ROUND = 9;
let isOver = false;
const startedMs = performance.now();
const loading = load((callers * CALLS_PER_ROUND * 1_000) / (peak / 2), () => isOver);
await eventLoopMs();
const samples: { atMs: number; rssMib: number; ownMib: number; files: number; p99: number; p999: number }[] = [];
for (let n = 0; n < SAMPLES; n += 1) {
  await Promise.race([sleep((minutes * MINUTE_MS) / SAMPLES), loading]);
  const atMs = performance.now() - startedMs;
  const memory = { rssMib: service.rssMib(), ownMib: service.ownMib() };
  samples.push({ atMs, ...memory, files: service.openFiles(), ...(await eventLoopMs()) });
}
isOver = true;
await loading;
const elapsedMs = performance.now() - startedMs;
const later = samples.slice(SAMPLES / 2);
const ownSlope = slope(later.map(({ atMs, ownMib }) => [atMs, ownMib]));
const entriesPerHour = ((entries - entriesAtPeak) * HOUR_MS) / elapsedMs;
const rounded = (value: number) => Math.round(value * 10) / 10;
console.log(
  JSON.stringify({
    minutes,
    peak_calls_per_second: Math.round(peak),
    calls_per_second: Math.round(((calls - callsAtPeak) * 1_000) / elapsedMs),
    entries_per_hour: Math.round(entriesPerHour),
    rss_mib: { first: Math.round(samples[0]?.rssMib ?? 0), last: Math.round(samples.at(-1)?.rssMib ?? 0) },
    own_mib: { first: Math.round(samples[0]?.ownMib ?? 0), last: Math.round(samples.at(-1)?.ownMib ?? 0) },
    own_slope_mib_per_hour: rounded(ownSlope),
    own_slope_beside_log: rounded(ownSlope - (entriesPerHour * ENTRY_BYTES) / 2 ** 20),
    event_loop_p99_ms: quantile(
      later.map(({ p99 }) => p99),
      0.5,
    ),
    event_loop_p999_ms: quantile(
      later.map(({ p999 }) => p999),
      0.5,
    ),
    event_loop_p999_worst_ms: quantile(
      later.map(({ p999 }) => p999),
      1,
    ),
    open_files_slope_per_hour: rounded(slope(later.map(({ atMs, files }) => [atMs, files]))),
  }),
);
