// Claims over HTTP by 1, 2 and 4 processes on one PostgreSQL, each committing for itself or one for all, by one process on
// SQLite, and what a slower commit costs, all interleaved in one run; with the CPU of the processes and of the database per claim:
//   node bench/scale.ts [--rounds 5] [--window 1000] [--callers 64, of each process] [--delays 1,5,20] [--warm 4000]
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { ChildService } from '../test/support/child-service.ts';
import { temporaryDirectory } from '../test/support/temporary.ts';
import { serviceEnv } from '../test/support/service.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { processMicros, treeMicros } from './_process-cpu.ts';
import { rawClient } from './_raw-post.ts';
import { type Contender, interleave, round } from './_rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    window: { type: 'string', default: '1000' },
    callers: { type: 'string', default: '64' },
    warm: { type: 'string', default: '4000' },
    delays: { type: 'string', default: '1,5,20' },
  },
});
const callersOfEach = Number(values.callers);
const PROCESSES = [1, 2, 4];
/** Milliseconds that the server waits before it writes a commit to the disk. */
const DELAYS_MS = values.delays.split(',').filter(Boolean).map(Number);

const postgres = await startPostgres();
if (postgres === undefined) throw new Error('no PostgreSQL server binaries here');
const superuser = new pg.Client({ connectionString: postgres.url('postgres') });
await superuser.connect();
const directories: string[] = [];
const services: ChildService[] = [];
let claimed = 0;

async function started(
  count: number,
  databaseUrl: string | undefined,
  settings: Record<string, string> = {},
): Promise<ChildService[]> {
  const dataDir = await temporaryDirectory();
  directories.push(dataDir);
  const fleet: ChildService[] = [];
  const env = serviceEnv(dataDir, databaseUrl, settings);
  for (let n = 0; n < count; n += 1) fleet.push(await ChildService.start(env));
  services.push(...fleet);
  return fleet;
}

interface Fleet extends Contender {
  readonly before: () => Promise<void>;
  readonly callers: number;
  readonly processes: number;
  /** CPU so far: of the process that was started first, of the others, of the database. */
  readonly micros: () => readonly [first: number, others: number, database: number];
}

const [{ pid: postmaster } = { pid: 0 }] = (
  await superuser.query<{ pid: number }>(
    "SELECT CAST(split_part(pg_read_file('postmaster.pid'), chr(10), 1) AS INTEGER) AS pid",
  )
).rows;

function contender(name: string, fleet: readonly ChildService[], before: () => Promise<void>): Fleet {
  const callers = callersOfEach * fleet.length;
  const pids = fleet.map(({ process: child }) => child.pid ?? 0);
  const clients = Array.from({ length: callers }, (_, n) =>
    rawClient(Number(new URL((fleet[n % fleet.length] as ChildService).url).port)),
  );
  return {
    name,
    before,
    callers,
    processes: fleet.length,
    micros: () => {
      const [first = 0, ...others] = pids.map(processMicros);
      return [first, others.reduce((sum, micros) => sum + micros, 0), treeMicros(postmaster)];
    },
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
const forwarding = new Map<number, ChildService[]>();
for (const count of PROCESSES) {
  fleets.set(count, await started(count, await postgres.createDatabase(), { AVOUCH_WRITER: 'direct' }));
  if (count === 1) continue;
  forwarding.set(count, await started(count, await postgres.createDatabase(), { AVOUCH_WRITER: 'forward' }));
}
const contenders = [
  sqlite,
  ...[...fleets].map(([count, fleet]) => contender(`postgres-${count}`, fleet, () => setDelay(0))),
  ...[...forwarding].map(([count, fleet]) => contender(`postgres-${count}-forward`, fleet, () => setDelay(0))),
  ...DELAYS_MS.map((ms) => contender(`postgres-1-commit+${ms}ms`, fleets.get(1) as ChildService[], () => setDelay(ms))),
];

interface Window {
  readonly per_s: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly first_cpu_us: number;
  readonly others_cpu_us: number;
  readonly database_cpu_us: number;
}

const windows = new Map<string, Window[]>();
/** Code that has not run often is slow, and each process has its own. */
const WARM_UP_MS = Number(values.warm);
for (const one of contenders) {
  await one.before();
  await interleave([one], { callers: one.callers, rounds: 0, windowMs: WARM_UP_MS * one.processes });
}
for (let turn = -1; turn < Number(values.rounds); turn += 1) {
  for (const one of contenders) {
    await one.before();
    const [firstMicros, otherMicros, databaseMicros] = one.micros();
    const claimedBefore = claimed;
    const options = { callers: one.callers, rounds: 1, windowMs: Number(values.window) / 2 };
    const figures = (await interleave([one], options)).get(one.name);
    const claims = claimed - claimedBefore;
    const [first, others, database] = one.micros();
    if (turn < 0 || figures === undefined) continue;
    const kept = windows.get(one.name) ?? [];
    windows.set(one.name, kept);
    kept.push({
      per_s: figures.perSecond,
      p50_ms: figures.p50Ms,
      p99_ms: figures.p99Ms,
      first_cpu_us: (first - firstMicros) / claims,
      others_cpu_us: (others - otherMicros) / claims,
      database_cpu_us: (database - databaseMicros) / claims,
    });
  }
}
const median = (figures: readonly number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
const NAMES = ['per_s', 'p50_ms', 'p99_ms', 'first_cpu_us', 'others_cpu_us', 'database_cpu_us'] as const;
const shown = Object.fromEntries(
  [...windows].map(([name, kept]) => {
    const figures = NAMES.map((figure) => [figure, round(median(kept.map((window) => window[figure])))]);
    return [name, Object.fromEntries(figures) as Window];
  }),
);
const base = shown['postgres-1'] as Window;
const ownCpu = ({ first_cpu_us, others_cpu_us }: Window) => first_cpu_us + others_cpu_us;
const toOne = (figureOf: (window: Window) => number) =>
  Object.fromEntries(
    Object.entries(shown).map(([name, window]) => [name, round(figureOf(window) / figureOf(base))] as const),
  );
const report = {
  bench: 'scale',
  callers_of_each_process: callersOfEach,
  figures: shown,
  ratio_to_one_process: toOne(({ per_s }) => per_s),
  cpu_to_one_process: toOne(ownCpu),
  p50_to_one_process: toOne(({ p50_ms }) => p50_ms),
};
console.log(JSON.stringify(report));
await Promise.all(services.map((service) => service.end('SIGKILL')));
await superuser.end();
await postgres.stop();
await Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true })));
process.exit(0);
