// Bills of materials: computing time of 100 to 100,000 lines in one thread, and over HTTP what a light call waits while
// bills of 100,000 lines are being computed.
//   node bench/bom.ts [--runs 30] [--window 10000]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { calculate } from '#areas/orders/bom/bom-calculate.ts';
import { BomBody, type TermsInput } from '#areas/orders/bom/bom-fields.ts';
import { finish, prepareBom } from '#areas/orders/bom/bom-job.ts';
import { decode } from '#kernel/query-decoder.ts';
import { billOf } from './_bom-bills.ts';
import { quantile } from './_http-load.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '30' }, window: { type: 'string', default: '10000' } },
});
const LARGE = 100_000;

/** CPU time of this thread: on a busy machine wall time tells of its neighbours. */
function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

function computing(lines: number, runs: number): Record<string, number> {
  const decoded = decode(BomBody, { bom: billOf(lines).bom, quantity: 10 });
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.errors));
  const { bom, ...terms } = decoded.input as TermsInput & { bom: unknown };
  const moment = { nowMs: Date.now(), serviceRates: new Map() };
  const [compute, whole]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    const prepared = prepareBom({ type: 'decoded', bom, terms }, moment);
    if ('faults' in prepared) throw new Error(JSON.stringify(prepared.faults));
    const { read } = prepared;
    compute.push(
      cpuMs(() => {
        calculate({ bom: read.bom, order: read.order, terms: prepared.terms, offers: new Map(), nowMs: moment.nowMs });
      }),
    );
    whole.push(
      cpuMs(() => {
        const again = prepareBom({ type: 'decoded', bom, terms }, moment);
        if ('read' in again) finish(again, new Map(), moment.nowMs);
      }),
    );
  }
  const at = (list: number[], share: number) =>
    round(
      quantile(
        list.toSorted((a, b) => a - b),
        share,
      ),
    );
  return { p50: at(compute, 0.5), p95: at(compute, 0.95), with_reading_and_writing_p50: at(whole, 0.5) };
}

const runs = Number(values.runs);
const compute_cpu_ms = Object.fromEntries(
  [100, 1_000, 10_000, LARGE].map((lines) => [lines, computing(lines, lines === LARGE ? Math.ceil(runs / 3) : runs)]),
);

const child = fork(new URL('./_bom-server.ts', import.meta.url));
const [{ url, key }] = (await once(child, 'message')) as [{ url: string; key: string }];
const headers = { 'x-agent-key': key, 'content-type': 'application/json' };

/** Latencies of a light read, one after the other, until the work is done. */
async function lightWhile(work: Promise<unknown>): Promise<number[]> {
  const latencies: number[] = [];
  const done = new AbortController();
  void work.finally(() => done.abort());
  while (!done.signal.aborted) {
    const startedMs = performance.now();
    await (await fetch(`${url}/v1/look?key=bench`)).text();
    latencies.push(performance.now() - startedMs);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return latencies.toSorted((a, b) => a - b);
}

async function calculateFor(windowMs: number, body: string): Promise<number[]> {
  const latencies: number[] = [];
  for (const endMs = performance.now() + windowMs; performance.now() < endMs; ) {
    const startedMs = performance.now();
    const answer = await fetch(`${url}/api/v1/calculate`, { method: 'POST', headers, body });
    if (answer.status !== 200) throw new Error(await answer.text());
    await answer.arrayBuffer();
    latencies.push(performance.now() - startedMs);
  }
  return latencies.toSorted((a, b) => a - b);
}

const bodyOf = (lines: number) => JSON.stringify({ bom: billOf(lines).bom, quantity: 10, catalogue: ['inline'] });
const windowMs = Number(values.window);
await calculateFor(1, bodyOf(LARGE));
const medium = await calculateFor(windowMs / 4, bodyOf(10_000));
const idle = await lightWhile(new Promise((resolve) => setTimeout(resolve, windowMs / 4)));
const busy = calculateFor(windowMs, bodyOf(LARGE));
const beside = await lightWhile(busy);
const large = await busy;
child.disconnect();
const ms = (list: readonly number[], share: number) => round(quantile(list, share));
console.log(
  JSON.stringify({
    bench: 'bom',
    compute_cpu_ms,
    http_10000_lines_ms: { p50: ms(medium, 0.5), p95: ms(medium, 0.95) },
    http_100000_lines_ms: { p50: ms(large, 0.5), runs: large.length },
    light_call_ms: {
      alone_p99: ms(idle, 0.99),
      beside_p50: ms(beside, 0.5),
      beside_p99: ms(beside, 0.99),
      worst: ms(beside, 1),
    },
  }),
);
