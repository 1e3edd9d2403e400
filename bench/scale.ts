// Claims over HTTP by 1, 2 and 4 processes on one PostgreSQL and by one process on SQLite, and what a slower commit
// costs, all interleaved in one run:
//   node bench/scale.ts [--rounds 5] [--window 1000] [--callers 64]
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { ChildService } from '../test/support/child-service.ts';
import { temporaryDirectory } from '../test/support/temporary.ts';
import { serviceEnv } from '../test/support/service.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { rawClient } from './_raw-post.ts';
import { type Contender, interleave, round } from './_rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    window: { type: 'string', default: '1000' },
    callers: { type: 'string', default: '64' },
  },
});
const callers = Number(values.callers);
const PROCESSES = [1, 2, 4];
/** Milliseconds that the server waits before it writes a commit to the disk. */
const DELAYS_MS = [1, 5, 20];

const postgres = await startPostgres();
if (postgres === undefined) throw new Error('no PostgreSQL server binaries here');
const superuser = new pg.Client({ connectionString: postgres.url('postgres') });
await superuser.connect();
const directories: string[] = [];
const services: ChildService[] = [];
let claimed = 0;

async function started(count: number, databaseUrl: string | undefined): Promise<ChildService[]> {
  const dataDir = await temporaryDirectory();
  directories.push(dataDir);
  const fleet: ChildService[] = [];
  for (let n = 0; n < count; n += 1) fleet.push(await ChildService.start(serviceEnv(dataDir, databaseUrl)));
  services.push(...fleet);
  return fleet;
}

function contender(
  name: string,
  fleet: readonly ChildService[],
  before: () => Promise<void>,
): Contender & { before: typeof before } {
  const clients = Array.from({ length: callers }, (_, n) =>
    rawClient(Number(new URL((fleet[n % fleet.length] as ChildService).url).port)),
  );
  return {
    name,
    before,
    operate: async (caller) => {
      claimed += 1;
      const answer = await clients[caller]?.post('/v1/claim', { key: `k:${claimed}`, agent: 'bench', ttl: 60 });
      if (typeof answer?.['lease'] !== 'string') throw new Error(JSON.stringify(answer));
    },
  };
}

let delay = -1;
async function setDelay(ms: number): Promise<void> {
  if (delay === ms) return;
  delay = ms;
  await superuser.query(`ALTER SYSTEM SET commit_delay = ${ms * 1_000}`);
  await superuser.query('ALTER SYSTEM SET commit_siblings = 0');
  await superuser.query('SELECT pg_reload_conf()');
  await new Promise((resolve) => setTimeout(resolve, 200));
}

const sqlite = contender('sqlite', await started(1, undefined), async () => {});
const fleets = new Map<number, ChildService[]>();
for (const count of PROCESSES) fleets.set(count, await started(count, await postgres.createDatabase()));
const contenders = [
  sqlite,
  ...PROCESSES.map((count) => contender(`postgres-${count}`, fleets.get(count) as ChildService[], () => setDelay(0))),
  ...DELAYS_MS.map((ms) => contender(`postgres-1-commit+${ms}ms`, fleets.get(1) as ChildService[], () => setDelay(ms))),
];
const windows = new Map<string, { perSecond: number[]; p50Ms: number[]; p99Ms: number[] }>();
for (let turn = -1; turn < Number(values.rounds); turn += 1) {
  for (const one of contenders) {
    await one.before();
    const figures = (await interleave([one], { callers, rounds: 1, windowMs: Number(values.window) / 2 })).get(
      one.name,
    );
    if (turn < 0 || figures === undefined) continue;
    const kept = windows.get(one.name) ?? { perSecond: [], p50Ms: [], p99Ms: [] };
    windows.set(one.name, kept);
    kept.perSecond.push(figures.perSecond);
    kept.p50Ms.push(figures.p50Ms);
    kept.p99Ms.push(figures.p99Ms);
  }
}
const median = (figures: readonly number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
const shown = Object.fromEntries(
  [...windows].map(([name, { perSecond, p50Ms, p99Ms }]) => [
    name,
    { per_s: Math.round(median(perSecond)), p50_ms: round(median(p50Ms)), p99_ms: round(median(p99Ms)) },
  ]),
);
const base = shown['postgres-1']?.per_s ?? 0;
const ratios = Object.fromEntries(Object.entries(shown).map(([name, { per_s }]) => [name, round(per_s / base)]));
console.log(JSON.stringify({ bench: 'scale', callers, figures: shown, ratio_to_one_process: ratios }));
await Promise.all(services.map((service) => service.end('SIGKILL')));
await superuser.end();
await postgres.stop();
await Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true })));
process.exit(0);
