// npm run test:busy -- --runs 10 [--loops 4]: the whole test run beside busy loops, again and again. Each run is a line of
// the journal; runs of the same code count when the command is called again.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { codeDigest } from './test/code-digest.ts';
import { endedChildrenMs } from './test/cpu.ts';
import { RECORDS, ROOT } from './test/files.ts';

/** Ends by itself when its parent is gone. */
const LOOP =
  'const parent = process.ppid; while (process.ppid === parent) for (const endMs = Date.now() + 1000; Date.now() < endMs; );';
const JOURNAL = join(RECORDS, 'busy.ndjson');

interface Entry {
  readonly at: string;
  readonly commit: string;
  /** Digest of the whole checkout: tests read more than the code. */
  readonly code: string;
  readonly loops: number;
  readonly green: boolean;
  readonly result: string;
  readonly failed: readonly string[];
  /** Beside the journal: all that a run said that was not green. */
  readonly log: string | null;
  readonly seconds: number;
  readonly cpu_seconds: number;
}

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '10' }, loops: { type: 'string', default: '4' } },
});
const [runs, loops] = [Number(values.runs), Number(values.loops)];
if (!(runs > 0) || !(loops >= 0)) throw new Error('--runs and --loops are numbers');

const code = codeDigest(ROOT);
mkdirSync(RECORDS, { recursive: true });
for (let done = entries().length; done < runs; done += 1) {
  const entry = await runOnce();
  if (codeDigest(ROOT) !== code)
    throw new Error('The code was changed during the run, so it does not count. Start again.');
  appendFileSync(JOURNAL, `${JSON.stringify(entry)}\n`);
  console.log(
    `run ${done + 1} of ${runs}: ${entry.result}, ${entry.seconds} s, ${entry.cpu_seconds} s of processor time`,
  );
  for (const name of entry.failed) console.log(`  ${name}`);
}
const all = entries();
const green = all.filter((entry) => entry.green).length;
console.log(JSON.stringify({ runs: all.length, green, loops, code, journal: '.test-runs/busy.ndjson' }));
process.exitCode = green === all.length ? 0 : 1;

/** The runs of this code beside as many loops that the journal has. */
function entries(): Entry[] {
  let text: string;
  try {
    text = readFileSync(JOURNAL, 'utf8');
  } catch {
    return [];
  }
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Entry).filter((one) => one.code === code && one.loops === loops);
}

async function runOnce(): Promise<Entry> {
  const startedMs = performance.now();
  const cpuBefore = endedChildrenMs();
  const busy = Array.from({ length: loops }, startLoop);
  try {
    const { output, status } = await testRun();
    const at = new Date().toISOString();
    const log = status === 0 ? null : `busy-${at.replaceAll(/\D/g, '').slice(0, 14)}.log`;
    if (log !== null) writeFileSync(join(RECORDS, log), output);
    const result = /^\d+ passed, \d+ failed, \d+ skipped$/m.exec(output)?.[0] ?? `ended with ${status}`;
    return {
      at,
      commit: git('rev-parse', '--short', 'HEAD').trim(),
      code,
      loops,
      green: status === 0,
      result,
      failed: [...new Set(output.match(/^✖ .*$/gm) ?? [])],
      log,
      seconds: Math.round((performance.now() - startedMs) / 1000),
      // The loops have not ended yet, so theirs is not in it.
      cpu_seconds: Math.round((endedChildrenMs() - cpuBefore) / 1000),
    };
  } finally {
    await Promise.all(busy.map(endLoop));
  }
}

function startLoop(): ChildProcess {
  return spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' });
}

async function endLoop(loop: ChildProcess): Promise<void> {
  const exited = once(loop, 'exit');
  loop.kill('SIGKILL');
  await exited;
}

async function testRun(): Promise<{ output: string; status: number | null }> {
  const child = spawn(process.execPath, ['scripts/test.ts'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (chunk: unknown) => (output += String(chunk));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const [status] = (await once(child, 'close')) as [number | null];
  return { output, status };
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28 });
}
