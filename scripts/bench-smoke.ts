// npm run bench:smoke [-- words]: one short round of each bench, so that none rots. Its figures say nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const HUNG_MS = 5 * 60_000;
/** Figures do not matter here, so that two may run at once. */
const AT_ONCE = 2;
const ROUND = ['--rounds', '1', '--window', '100'];

/** What makes a bench short. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  audit: ['--entries', '2000', '--judged', '200', '--rounds', '1'],
  bom: ['--runs', '1', '--window', '500'],
  crossing: [...ROUND, '--callers', '4', '--warm', '20'],
  'crossing-watch': ['--listeners', '10', '--events', '2'],
  growth: [...ROUND, '--sizes', '100,200', '--callers', '4'],
  hostile: ['--seconds', '0.3', '--sockets', '50', '--only', 'wide JSON, 250 KB'],
  http: [...ROUND, '--connections', '4', '--warm', '100'],
  lint: ['--runs', '2'],
  look: [...ROUND, '--connections', '4', '--marks', '1000', '--leases', '100'],
  mandates: [...ROUND, '--warm', '100'],
  mcp: [...ROUND, '--connections', '2'],
  pages: ['--loads', '1'],
  paid: ['--seconds', '1', '--connections', '4', '--rounds', '1'],
  registers: ['--rounds', '1'],
  rules: ['--runs', '2'],
  scale: [...ROUND, '--callers', '4', '--delays', '1', '--warm', '200'],
  screen: ['--names', '50', '--hostile', '10'],
  seal: [...ROUND, '--warm', '100'],
  start: ['--rounds', '1'],
  store: ROUND,
  wallet: [...ROUND, '--callers', '4'],
};

const words = process.argv.slice(2);
const benches = globSync('bench/[a-z]*.ts', { cwd: root }).map((file) => basename(file, '.ts'));
const chosen = benches.filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
const left = chosen.toSorted();
const failed: string[] = [];
await Promise.all(Array.from({ length: AT_ONCE }, runLeft));
console.log(`${chosen.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function runLeft(): Promise<void> {
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    if (!(await runs(name))) failed.push(name);
  }
}

async function runs(name: string): Promise<boolean> {
  const startedMs = performance.now();
  const fault = await faultOf(name);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(
    `${fault === undefined ? '✔' : '✖'} bench/${name} ${seconds} s${fault === undefined ? '' : `: ${fault}`}`,
  );
  return fault === undefined;
}

/** Why a short round did not end with one line of JSON. */
async function faultOf(name: string): Promise<string | undefined> {
  const args = SHORT[name];
  if (args === undefined) return 'scripts/bench-smoke.ts does not know what makes it short';
  const child = spawn(process.execPath, ['--expose-gc', `bench/${name}.ts`, ...args], {
    cwd: root,
    timeout: HUNG_MS,
    killSignal: 'SIGKILL',
  });
  const ended = once(child, 'exit');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [status, signal] = (await ended) as [number | null, string | null];
  if (status !== 0) return `ended with ${status ?? signal}\n${stderr.slice(-2_000)}`;
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return lines.length > 0 && lines.every(isJson) ? undefined : `no line of JSON, but\n${stdout.slice(-500)}`;
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
