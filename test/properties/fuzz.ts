// npm run fuzz -- --requests 1000000 [--seed N]: as fuzz.test.ts, for as long as wanted.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fuzz, registeredKeys } from './requests.ts';
import { ROOT } from '../support/child-service.ts';
import { TestService } from '../support/service.ts';

const ROUND = 20_000;
const MIB = 2 ** 20;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What is still held: garbage that waits to be collected is no growth. */
function memoryHeld(): { readonly rss: number; readonly heapUsed: number } {
  collectGarbage();
  return process.memoryUsage();
}

const { values } = parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' } } });
const wanted = Number(values.requests ?? ROUND);
const firstSeed = Number(values.seed ?? randomInt(2 ** 31));
if (!Number.isInteger(wanted) || !Number.isInteger(firstSeed))
  throw new Error('--requests and --seed take whole numbers');

await using service = await TestService.start({ opensSettlement: true });
const secrets = [service.dataDir, ROOT];
const keys = await registeredKeys(service.url);
const startedMs = performance.now();
let done = 0;
let firstRss: number | undefined;
const answered = new Map<number, number>();
for (let seed = firstSeed; done < wanted; seed += 1) {
  const report = await fuzz({ url: service.url, seed, requests: Math.min(ROUND, wanted - done), secrets, keys });
  done += report.requests;
  const held = memoryHeld();
  firstRss ??= held.rss;
  const [seconds, rss, heap] = [(performance.now() - startedMs) / 1_000, held.rss / MIB, held.heapUsed / MIB].map(
    Math.round,
  );
  console.log(`seed ${seed}: ${done} of ${wanted} requests, ${seconds} s, RSS ${rss} MiB, heap ${heap} MiB`);
  for (const [operationId, statuses] of report.statuses) {
    for (const [status, count] of statuses) answered.set(status, (answered.get(status) ?? 0) + count);
    const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status} x ${count}`);
    console.log(`  ${operationId.padEnd(24)} ${counts.join(', ')}`);
  }
}
const health = await service.call('/api/v1/health');
if (health.json['status'] !== 'ok') throw new Error(`after the run: ${health.text}`);
const rssGrowth = memoryHeld().rss / (firstRss ?? Number.NaN) - 1;
console.log(
  JSON.stringify({
    requests: done,
    seed: firstSeed,
    seconds: Math.round((performance.now() - startedMs) / 1_000),
    statuses: Object.fromEntries([...answered].toSorted(([a], [b]) => a - b)),
    rss_growth_percent: Math.round(rssGrowth * 1_000) / 10,
  }),
);
