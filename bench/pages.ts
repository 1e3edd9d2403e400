// First paint, weight and layout shift of home, a log entry, the dashboard and a page of the documentation, each loaded
// cold in a real browser in turns with a bare page; what rendering costs compared with the same answer as JSON; the pages of an owner with
// 10,000 ledger entries; the time of a login email for known and unknown addresses, in turn:
//   node bench/pages.ts [--loads 5]
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { HOUR_MS, ManualClock } from '#kernel/clock.ts';
import { EMAIL, loggedIn, registered, requestLink } from '../test/support/cabinet.ts';
import { DESKTOP, paintOf, TabWatch } from '../test/pages/page-checks.ts';
import { type PageRow, PAGES } from '../test/pages/page-table.ts';
import { launch } from '../test/support/chromium.ts';
import { TestService } from '../test/support/service.ts';
import { fund } from '../test/support/wallet.ts';
import { quantile, WatchedService } from '../test/support/watched-service.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({ options: { loads: { type: 'string', default: '5' } } });
const RENDERS = 300;
const MOVEMENTS = 10_000;
const VISITS = 200;
const LIFTED = { AVOUCH_RATE_WALLET: '100000/s,100000', AVOUCH_RATE_LOGIN: '100000/s,100000' };
const TICKS_PER_SECOND = 100;

await using service = await WatchedService.start();
const browser = await launch();

/** What a page may weigh, when it must show something, and how far things may move. */
const LIMITS = { transferred_kb: 100, first_paint_ms: 300, layout_shift: 0.05 } as const;
const LOADED = { home: 'home', entry: 'log-entry', dashboard: 'cabinet', docs: 'docs-page' } as const;

interface Load {
  readonly kb: number;
  readonly requests: number;
  readonly otherHosts: number;
  readonly paintMs: number;
  readonly shift: number;
}

/** A load by a visitor who was never here. */
async function coldLoad(own: TestService, row: Pick<PageRow, 'path' | 'needs'>): Promise<Load> {
  const context = await browser.newContext({ baseURL: own.url, viewport: DESKTOP });
  const page = await context.newPage();
  const path = (await row.needs?.({ service: own, context })) ?? row.path;
  const watch = await TabWatch.on(page, own.url);
  await page.goto(path, { waitUntil: 'networkidle' });
  const { fcpMs, shift } = await paintOf(page);
  const { kilobytes: kb, requests, otherHosts } = watch;
  await context.close();
  return { kb, requests, otherHosts, paintMs: fcpMs ?? Number.NaN, shift };
}

function figuresOf(loads: readonly Load[]) {
  return {
    transferred_kb: Math.max(...loads.map(({ kb }) => kb)),
    requests: Math.max(...loads.map(({ requests }) => requests)),
    first_paint_ms: quantile(
      loads.map(({ paintMs }) => paintMs),
      0.5,
    ),
    layout_shift: Math.max(...loads.map(({ shift }) => shift)),
    other_hosts: Math.max(...loads.map(({ otherHosts }) => otherHosts)),
  };
}

/** One sentence without a style sheet: what a browser on this machine needs in any case. */
async function barePage(): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Bare</title><h1>Bare</h1>'),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: async () => void server.close() };
}

/** Pages and a bare one in turns. */
async function coldPages() {
  await using own = await TestService.start();
  await using bare = await barePage();
  const rows = Object.entries(LOADED).map(([name, called]) => {
    const row = PAGES.find((one) => one.name === called);
    if (row === undefined) throw new Error(`no page is called ${called}`);
    return { name, row, loads: [] as Load[] };
  });
  const barePaints: number[] = [];
  // The first load of each also warms the service, and is not counted.
  for (let n = 0; n <= Number(values.loads); n += 1) {
    const { paintMs } = await coldLoad(own, { path: bare.url });
    if (n > 0) barePaints.push(paintMs);
    for (const { row, loads } of rows) {
      const load = await coldLoad(own, row);
      if (n > 0) loads.push(load);
    }
  }
  const measured = Object.fromEntries(rows.map(({ name, loads }) => [name, figuresOf(loads)]));
  const bare_first_paint_ms = quantile(barePaints, 0.5);
  const over = Object.entries(measured).flatMap(([name, figures]) =>
    Object.entries(LIMITS)
      .filter(([figure, limit]) => figures[figure as keyof typeof LIMITS] > limit)
      .map(([figure]) => `${name} ${figure}`),
  );
  return { loads: Number(values.loads), pages: measured, bare_first_paint_ms, limits: LIMITS, over };
}

/** Processor time of the service per answer, in milliseconds. */
async function cpuMs(path: string, accept: string): Promise<number> {
  const ticks = () => {
    const fields = readFileSync(`/proc/${service.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  };
  const before = ticks();
  for (let n = 0; n < RENDERS; n += 1) await service.call(path, { headers: { accept } });
  return ((ticks() - before) * 1_000) / TICKS_PER_SECOND / RENDERS;
}

async function timed(call: () => Promise<{ status: number }>): Promise<number> {
  const startedMs = performance.now();
  const { status } = await call();
  if (status >= 300) throw new Error(`answered ${status}`);
  return performance.now() - startedMs;
}

/** Pages of an owner whose wallet has thousands of entries. */
async function moneyPages() {
  await using own = await TestService.start({ env: LIFTED });
  const agent = await registered(own);
  await Promise.all(Array.from({ length: MOVEMENTS }, () => fund(own.service.store, agent.id, 10_000)));
  const owner = await loggedIn(own);
  const measured = async (path: string) => {
    const visit = () => owner.call(path, { headers: { accept: 'text/html' } });
    for (let n = 0; n < 20; n += 1) await visit();
    const rendered: number[] = [];
    for (let n = 0; n < VISITS; n += 1) rendered.push(await timed(visit));
    return { movements: MOVEMENTS, p50: quantile(rendered, 0.5), p95: quantile(rendered, 0.95) };
  };
  return {
    ledger_ms: await measured('/dashboard/ledger'),
    overview_ms: await measured('/dashboard'),
    spend_ms: await measured('/dashboard/spend'),
  };
}

async function loginMails() {
  const clock = new ManualClock();
  await using own = await TestService.start({ env: LIFTED, clock });
  await registered(own);
  const asked: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  for (let n = 0; n < VISITS; n += 1) {
    // Twenty an hour are answered.
    clock.advance(HOUR_MS / 8);
    asked.known.push(await timed(() => requestLink(own, EMAIL)));
    asked.unknown.push(await timed(() => requestLink(own, `nobody-${n}@example.org`)));
  }
  const [known, unknown] = [quantile(asked.known, 0.5), quantile(asked.unknown, 0.5)];
  return { known, unknown, apart: round(Math.abs(known / unknown - 1)) };
}

const [htmlMs, jsonMs] = [await cpuMs('/', 'text/html'), await cpuMs('/', 'application/json')];
console.log(
  JSON.stringify({
    bench: 'pages',
    ...(await coldPages()),
    cpu_ms: { html: round(htmlMs), json: round(jsonMs) },
    ...(await moneyPages()),
    login_mail_ms: await loginMails(),
  }),
);
await browser.close();
