// First paint, weight and hosts of the home page in a real browser; what rendering costs beside the same answer as JSON; the
// pages of an owner with 10,000 ledger entries; the time of a login mail for known and unknown addresses, in turn:
//   node bench/pages.ts [--loads 15]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { HOUR_MS, ManualClock } from '#kernel/clock.ts';
import { EMAIL, loggedIn, registered, requestLink } from '../test/support/cabinet.ts';
import { launch, WIDE } from '../test/support/chromium.ts';
import { TestService } from '../test/support/service.ts';
import { fund } from '../test/support/wallet.ts';
import { quantile, WatchedService } from '../test/support/watched-service.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({ options: { loads: { type: 'string', default: '15' } } });
const RENDERS = 300;
const MOVEMENTS = 10_000;
const VISITS = 200;
const LIFTED = { AVOUCH_RATE_WALLET: '100000/s,100000', AVOUCH_RATE_LOGIN: '100000/s,100000' };
const TICKS_PER_SECOND = 100;

await using service = await WatchedService.start();
const browser = await launch();

/** A visitor who has been here never before. */
async function load(path: string): Promise<{ paintMs: number; bytes: number; hosts: string[] }> {
  const context = await browser.newContext({ viewport: WIDE });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  const hosts = new Set<string>();
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.goto(`${service.url}${path}`, { waitUntil: 'networkidle' });
  const paintMs = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  await context.close();
  return { paintMs: paintMs ?? Number.NaN, bytes, hosts: [...hosts] };
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

await load('/');
const loads = [];
for (let n = 0; n < Number(values.loads); n += 1) loads.push(await load('/'));
const paints = loads.map(({ paintMs }) => paintMs);
const [htmlMs, jsonMs] = [await cpuMs('/', 'text/html'), await cpuMs('/', 'application/json')];
console.log(
  JSON.stringify({
    bench: 'pages',
    loads: loads.length,
    first_paint_ms: { p50: quantile(paints, 0.5), max: quantile(paints, 1) },
    transferred_kb: round(Math.max(...loads.map(({ bytes }) => bytes)) / 1_000),
    other_hosts: loads.flatMap(({ hosts }) => hosts).filter((host) => host !== new URL(service.url).host).length,
    cpu_ms: { html: round(htmlMs), json: round(jsonMs) },
    ...(await moneyPages()),
    login_mail_ms: await loginMails(),
  }),
);
await browser.close();
