// The audit of a long log beside a bare loop of SHA-256 over the same leaves, and a start of the service with that log:
//   node --expose-gc bench/audit.ts [--entries 1000000] [--judged 50000] [--rounds 3] [--engine sqlite|postgres]
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '#kernel/clock.ts';
import { Auditor } from '#platform/log/auditor.ts';
import { hashPage } from '#platform/log/hash-pass.ts';
import { judgePage } from '#platform/log/judge-pass.ts';
import { LeafPage } from '#protocol/leaf-page.ts';
import { openReader } from '#platform/storage/reader.ts';
import { ChildService } from '../test/support/child-service.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { makeLongLog } from './_long-log.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '1000000' },
    judged: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '3' },
    engine: { type: 'string', default: 'sqlite' },
  },
});
const PAGE = 2_048;
const entries = Number(values.entries);
const judged = Math.min(entries, Number(values.judged));

/** CPU seconds of this process; of all rounds the least disturbed one counts. */
async function cpuSeconds(work: () => Promise<void> | void): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < Number(values.rounds); turn += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1e6);
  }
  return best;
}

/** What Linux says of another process, in hundredths of a second. */
function cpuSecondsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const dataDir = await mkdtemp(join(tmpdir(), 'bench-audit-'));
const cluster = values.engine === 'postgres' ? await startPostgres() : undefined;
const env = {
  DATA_DIR: dataDir,
  PORT: '0',
  AVOUCH_LOG_LEVEL: 'silent',
  ...(cluster !== undefined && { DATABASE_URL: await cluster.createDatabase() }),
};
const { location, vkeys, head, treeBytesPerEntry } = await makeLongLog(env, entries);
const reader = await openReader(location);
const pages = async (to: number, work: (from: number, to: number) => Promise<unknown>) => {
  for (let from = 0; from < to; from += PAGE) await work(from, Math.min(from + PAGE, to));
};

const hashing = await cpuSeconds(() =>
  pages(entries, async (from, to) => new LeafPage((await hashPage(reader, from, to, '')).hashes)),
);
const sample = Math.min(entries, 200_000);
const leaves = (await reader.read('SELECT leaf FROM entries WHERE seq < $1 ORDER BY seq', [sample])).map(({ leaf }) =>
  Buffer.from(`\0${leaf}`),
);
const bare = await cpuSeconds(() => {
  for (const leaf of leaves) hash('sha256', leaf, 'latin1');
});
const judging = await cpuSeconds(() => pages(judged, (from, to) => judgePage(reader, from, to)));
const startedMs = performance.now();
const report = await new Auditor(reader, systemClock()).run({
  head,
  vkeys,
  range: null,
  scrub: null,
  nowMs: Date.now(),
});
if (!report.ok) throw new Error(report.problems.join());
const wholeSeconds = (performance.now() - startedMs) / 1_000;
await reader.close();

const starts: number[] = [];
const startsCpu: number[] = [];
for (let turn = 0; turn < Number(values.rounds); turn += 1) {
  const service = await ChildService.start(env);
  starts.push(service.readyMs / 1_000);
  startsCpu.push(cpuSecondsOf(service.process.pid));
  await service.end('SIGTERM');
}
const perSecond = entries / hashing;
console.log(
  JSON.stringify({
    bench: 'audit',
    engine: values.engine,
    entries,
    hashed_per_cpu_second: round(perSecond),
    bare_sha256_of_leaves_per_cpu_second: round(sample / bare),
    hashed_vs_bare: round(perSecond / (sample / bare)),
    verdicts_per_cpu_second: round(judged / judging),
    whole_audit_seconds: round(wholeSeconds),
    tree_bytes_per_entry: round(treeBytesPerEntry),
    start_seconds: starts.toSorted((a, b) => a - b).map(round),
    start_cpu_seconds: startsCpu.toSorted((a, b) => a - b).map(round),
  }),
);
await cluster?.stop();
await rm(dataDir, { recursive: true, force: true });
