// First paint, weight and hosts of the home page in a real browser, and what rendering costs beside the same answer as JSON:
//   node bench/pages.ts [--loads 15]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { launch, WIDE } from '../test/_chromium.ts';
import { quantile, WatchedService } from '../test/_watched-service.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({ options: { loads: { type: 'string', default: '15' } } });
const RENDERS = 300;
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

await load('/');
const loads = [];
for (let n = 0; n < Number(values.loads); n += 1) loads.push(await load('/'));
const paints = loads.map(({ paintMs }) => paintMs);
const [htmlMs, jsonMs] = [await cpuMs('/', 'text/html'), await cpuMs('/', 'application/json')];
console.log(
  JSON.stringify({
    ...{ bench: 'pages', loads: loads.length },
    first_paint_ms: { p50: quantile(paints, 0.5), max: quantile(paints, 1) },
    transferred_kb: round(Math.max(...loads.map(({ bytes }) => bytes)) / 1_000),
    other_hosts: loads.flatMap(({ hosts }) => hosts).filter((host) => host !== new URL(service.url).host).length,
    cpu_ms: { html: round(htmlMs), json: round(jsonMs) },
  }),
);
await browser.close();
