// Ready on empty data, and the memory of a service that nobody has called yet; and the sandbox chain alone, new and with
// as much to make again as there can be:
//   node bench/start.ts [--rounds 5] [--root folder of another checkout, started in turn with this one]
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { ChildService, ROOT } from '../test/support/child-service.ts';
import { WatchedService } from '../test/support/watched-service.ts';
import { round } from './_rounds.ts';

const CHAIN = fileURLToPath(new URL('./_chain-start.ts', import.meta.url));
/** The file is cut when one more has come. */
const MAX_CHANGES = 3_999;

interface Start {
  readonly readyMs: number;
  readonly cpuMs: number;
}

async function startChain(directory: string, mints = 0): Promise<Start> {
  const { stdout } = await promisify(execFile)(process.execPath, [CHAIN, directory, String(mints)]);
  return JSON.parse(stdout) as Start;
}

/** Compiled code is kept by a service that ends by itself, not by one that is killed: without it the first start counts. */
async function warmUp(root: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'avouch-bench-start-'));
  const env = { DATA_DIR: directory, PORT: '0' };
  const service = await ChildService.start(env, ['serve'], join(root, 'bin/avouch.mjs'));
  await service.end('SIGTERM');
  rmSync(directory, { recursive: true });
}

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' }, root: { type: 'string' } } });
const starts: { readyMs: number; rssMib: number }[] = [];
const others: { readyMs: number; rssMib: number }[] = [];
const fresh: Start[] = [];
const full: Start[] = [];
const fullDirectory = mkdtempSync(join(tmpdir(), 'avouch-bench-chain-'));
await startChain(fullDirectory, MAX_CHANGES);
for (const root of values.root === undefined ? [] : [ROOT, values.root]) await warmUp(root);
for (let turn = 0; turn < Number(values.rounds); turn += 1) {
  await using service = await WatchedService.start();
  starts.push({ readyMs: service.readyMs, rssMib: service.rssMib() });
  if (values.root !== undefined) {
    await using other = await WatchedService.start({}, values.root);
    others.push({ readyMs: other.readyMs, rssMib: other.rssMib() });
  }
  const directory = mkdtempSync(join(tmpdir(), 'avouch-bench-chain-'));
  fresh.push(await startChain(directory));
  full.push(await startChain(fullDirectory));
  rmSync(directory, { recursive: true });
}
rmSync(fullDirectory, { recursive: true });
const median = (figures: readonly number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
const startFigures = (all: typeof starts) => ({
  ready_ms: round(median(all.map(({ readyMs }) => readyMs))),
  rss_mib: round(median(all.map(({ rssMib }) => rssMib))),
});
const chainFigures = (all: readonly Start[]) => ({
  ready_ms: round(median(all.map(({ readyMs }) => readyMs))),
  cpu_ms: round(median(all.map(({ cpuMs }) => cpuMs))),
});
console.log(
  JSON.stringify({
    bench: 'start',
    ...startFigures(starts),
    ...(others.length > 0 && { other: startFigures(others) }),
    chain: chainFigures(fresh),
    chain_full: chainFigures(full),
  }),
);
