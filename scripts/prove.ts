// Runs the fault, load and speed tests in turn, stores the results in docs/proof.json and writes the documents from them:
//   npm run prove -- [--rows a,b] [--scale 0.1] [--documents-only]
// Parts of a row that ran on the same code add up: `--scale 0.25` four times is the full size.
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PROOF_FILE, proofDocuments, readProof, ROWS } from './proof/documents.ts';
import { machineFacts, named } from './proof/machine.ts';
import { joined, type Proof, proofReadingOf, type ProofRow, type RunResult } from './proof/row.ts';
import { sourceName } from './proof/source.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    scale: { type: 'string', default: '1' },
    'documents-only': { type: 'boolean', default: false },
  },
});
const scale = Number(values.scale);
if (!(scale > 0 && scale <= 1)) throw new Error('--scale must be above 0 and at most 1.');
const wanted = values.rows?.split(',');
const unknown = wanted?.filter((id) => !ROWS.some((row) => row.id === id)) ?? [];
if (unknown.length > 0)
  throw new Error(`Unknown rows: ${unknown.join(', ')}. Known: ${ROWS.map(({ id }) => id).join(', ')}.`);

/** The output: JSON lines, or the counts of a test run. After the timeout the run is killed with all its processes. */
function outputOf(row: ProofRow, command: readonly string[]): Promise<{ output: string; exit: number | null }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    const timer = setTimeout(() => process.kill(-(child.pid as number), 'SIGKILL'), row.timeoutMinutes * 60_000);
    let output = '';
    child.stdout.on('data', (piece) => (output += String(piece)));
    child.on('close', (exit) => {
      clearTimeout(timer);
      resolve({ output, exit });
    });
  });
}

function linesOf(output: string): Record<string, unknown>[] {
  const counts = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m.exec(output)?.slice(1).map(Number);
  if (counts !== undefined) return [{ pass: counts[0], fail: counts[1], skipped: counts[2] }];
  const json = output.split('\n').filter((line) => line.startsWith('{'));
  return json.map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function run(row: ProofRow, machine: string): Promise<RunResult> {
  let isScaled = false;
  const command = row.command((full) => {
    isScaled = true;
    return String(Math.max(1, Math.round(full * scale)));
  });
  const before = loadavg()[0] as number;
  const startedMs = performance.now();
  const { output, exit } = await outputOf(row, command);
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  const at = new Date().toISOString();
  return {
    command,
    scale: isScaled ? scale : 1,
    source: sourceName(),
    machine,
    at,
    seconds,
    exit,
    load: [before, loadavg()[0] as number],
    lines: linesOf(output),
  };
}

function keep(results: Readonly<Record<string, RunResult>>, all: Proof['machines']): void {
  const inOrder = ROWS.flatMap(({ id }) => (results[id] === undefined ? [] : [[id, results[id]]]));
  const proof = { machines: all, results: Object.fromEntries(inOrder) as Record<string, RunResult> };
  writeFileSync(PROOF_FILE, `${JSON.stringify(proof, null, 1)}\n`);
  for (const [path, text] of Object.entries(proofDocuments(proof))) writeFileSync(`${root}${path}`, text);
}

const { machines, results } = readProof();
if (values['documents-only']) {
  keep(results, machines);
} else {
  const here = named(machines, await machineFacts());
  const all: Record<string, RunResult> = { ...results };
  for (const row of ROWS.filter(({ id }) => wanted === undefined || wanted.includes(id))) {
    const missing = row.command(String).find((part) => /^[^-].*\.ts$/.test(part) && !existsSync(`${root}${part}`));
    if (missing !== undefined) {
      console.log(`${row.id}: not run, ${missing} does not exist`);
      continue;
    }
    const result = joined(all[row.id], await run(row, here.name));
    all[row.id] = result;
    keep(all, here.machines);
    const { figure, met } = proofReadingOf(row, result);
    console.log(`${row.id}: ${met ? 'met' : 'MISSED'}: ${figure} (${result.seconds} s)`);
  }
}
