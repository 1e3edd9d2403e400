// npm run fuzz -- --requests 1000000 [--seed N]: as fuzz.test.ts, for as long as wanted, against a process of its own.
import { randomInt } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ChildService, ROOT } from '../support/child-service.ts';
import { serviceEnv } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import { fuzz, registeredKeys } from './requests.ts';

const ROUND = 20_000;
const MIB = 2 ** 20;
const PROCESS = fileURLToPath(new URL('./fuzzed-process.ts', import.meta.url));

const { values } = parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' } } });
const wanted = Number(values.requests ?? ROUND);
const firstSeed = Number(values.seed ?? randomInt(2 ** 31));
if (!Number.isInteger(wanted) || !Number.isInteger(firstSeed))
  throw new Error('--requests and --seed take whole numbers');

const dataDir = await temporaryDirectory();
const service = await ChildService.start(serviceEnv(dataDir, undefined), ['serve'], PROCESS);
const keys = await registeredKeys(service.url);
const startedMs = performance.now();
const secondsSince = () => Math.round((performance.now() - startedMs) / 1_000);
const answered = new Map<number, number>();
let done = 0;
let resent = 0;
/** After each round of the second half. What the allocator holds back goes up and down by a fifth, so single rounds say nothing of growth. */
const rounds: { done: number; rss: number; anon: number; heapUsed: number }[] = [];
try {
  for (let seed = firstSeed; done < wanted; seed += 1) {
    const requests = Math.min(ROUND, wanted - done);
    const report = await fuzz({ url: service.url, seed, requests, secrets: [dataDir, ROOT], keys });
    done += report.requests;
    resent += report.resent;
    console.log(`seed ${seed}: ${done} of ${wanted} requests, ${secondsSince()} s`);
    if (done >= wanted / 2) {
      const held = await memoryHeld();
      rounds.push({ done, ...held });
      const shown = Object.entries(held).map(([name, bytes]) => `${name} ${Math.round(bytes / MIB)} MiB`);
      console.log(`  holds ${shown.join(', ')}`);
    }
    for (const [operationId, statuses] of report.statuses) {
      for (const [status, count] of statuses) answered.set(status, (answered.get(status) ?? 0) + count);
      const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status} x ${count}`);
      console.log(`  ${operationId.padEnd(24)} ${counts.join(', ')}`);
    }
  }
  const health = (await (await fetch(`${service.url}/api/v1/health`)).json()) as { status: string };
  if (health.status !== 'ok') throw new Error(`after the run the service is ${health.status}`);
  const line = {
    requests: done,
    resent,
    seed: firstSeed,
    seconds: secondsSince(),
    statuses: Object.fromEntries([...answered].toSorted(([a], [b]) => a - b)),
    rss_mib: Math.round(quarter(4, 'rss') / MIB),
    rss_growth_percent: growthPercent('rss'),
    // Without pages of files, above all of the mapped database, which grows.
    anon_growth_percent: growthPercent('anon'),
    heap_growth_percent: growthPercent('heapUsed'),
    database_mib: Math.round((await stat(join(dataDir, 'avouch.db'))).size / MIB),
  };
  console.log(JSON.stringify(line));
} finally {
  await service.end('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
}

type Measured = 'rss' | 'anon' | 'heapUsed';

/** The median of a quarter of the run. */
function quarter(nth: number, name: Measured): number {
  const part = rounds.filter((round) => Math.ceil((4 * round.done) / done) === nth).map((round) => round[name]);
  return part.toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? Number.NaN;
}

/** From the third quarter to the last: by then caches, pools and the heaps of all threads are as large as they get. */
function growthPercent(name: Measured): number {
  return Math.round((quarter(4, name) / quarter(3, name) - 1) * 1_000) / 10;
}

interface Held extends Pick<NodeJS.MemoryUsage, 'rss' | 'heapTotal' | 'heapUsed' | 'external'> {
  readonly anon: number;
}

/** What the process still holds when its threads have ended: garbage that waits to be collected is no growth. */
async function memoryHeld(): Promise<Held> {
  const said = () => [...service.output.stdout.matchAll(/^memory (.*)$/gm)];
  const before = said().length;
  service.process.kill('SIGUSR2');
  await until('what memory the process holds', () => said().length > before);
  const { rss: held, heapTotal, heapUsed, external } = JSON.parse(said().at(-1)?.[1] ?? '') as NodeJS.MemoryUsage;
  const status = await readFile(`/proc/${service.process.pid}/status`, 'utf8').catch(() => '');
  const ownKib = Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN);
  return { rss: held, anon: 1024 * ownKib, heapTotal, heapUsed, external };
}
