// npm test [-- words in the path of a file]: runs the tests; with --more the longer ones. Several files share a process.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeTemplates } from '../test/support/databases.ts';
import { type PostgresCluster, sharePostgres, startPostgres } from '../test/support/postgres.ts';
import { keepTimes, type Kind, needsOwnProcess, ROOT, testFiles } from './test/files.ts';
import { RunPlace } from './test/place.ts';
import { keepNames, resultCounts, RunProgress, summaryText } from './test/summary.ts';
import { type FileResult, WorkerProcess } from './test/worker-process.ts';

/** A process that has grown beyond this is replaced by a new one. */
const MAX_RSS_BYTES = 1.5 * 2 ** 30;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { more: { type: 'boolean', default: false }, workers: { type: 'string' } },
});
const kind: Kind = values.more ? 'more' : 'test';
// More than there are cores: files wait for children, databases and the disk; the longer ones wait for browsers too.
const workers = Number(values.workers ?? availableParallelism() + (values.more ? 2 : 1));

const startedMs = performance.now();
const files = testFiles(kind, positionals);
if (files.length === 0) throw new Error('no test file fits');
process.exitCode = (await runAll()) ? 0 : 1;

async function runAll(): Promise<boolean> {
  using place = new RunPlace();
  process.env['TMPDIR'] = place.folder;
  process.env['NODE_COMPILE_CACHE'] = join(ROOT, 'node_modules/.cache/compile');
  const postgres = await startSharedPostgres();
  try {
    const results = await runFiles();
    keepTimes(Object.fromEntries(results.map(({ file, ms, cpuMs }) => [file, { ms, cpuMs }])));
    if (positionals.length === 0) keepNames(kind, results);
    console.log(summaryText(results, { peakBytes: place.peakBytes, ms: performance.now() - startedMs }));
    return resultCounts(results).failed === 0;
  } finally {
    await postgres?.stop();
  }
}

async function startSharedPostgres(): Promise<PostgresCluster | undefined> {
  const cluster = await startPostgres();
  sharePostgres(cluster);
  await makeTemplates();
  const postgres = cluster
    ? `PostgreSQL ${cluster.version} (${cluster.origin})`
    : 'no PostgreSQL server binaries here, its tests are skipped';
  console.error(`engines: SQLite ${process.versions.sqlite}, ${postgres}`);
  return cluster;
}

async function runFiles(): Promise<FileResult[]> {
  const progress = new RunProgress(files.length);
  const results: FileResult[] = [];
  const shared = files.filter((file) => !needsOwnProcess(file));
  const alone = files.filter(needsOwnProcess);
  const take = async (queue: string[], fresh: boolean) => {
    let worker: WorkerProcess | undefined;
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      if (worker !== undefined && (fresh || !worker.isAlive || worker.rssBytes > MAX_RSS_BYTES)) {
        await worker.stop();
        worker = undefined;
      }
      worker ??= await WorkerProcess.start();
      const result = await worker.run(file);
      results.push(result);
      progress.add(result);
    }
    await worker?.stop();
  };
  const run = async () => {
    await take(shared, false);
    await take(alone, true);
  };
  await Promise.all(Array.from({ length: Math.min(workers, files.length) }, run));
  return results;
}
