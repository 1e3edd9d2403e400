import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../support/temporary.ts';
import { PROCESSES_HUNG_MS, unlessHung, until } from '../support/until.ts';
import type { CaseName } from './cases.ts';
import type { ClusterReport } from './experiment.ts';
import { whatIsMissing } from './packages.ts';

const COMMAND = fileURLToPath(new URL('cluster.ts', import.meta.url));
const SECONDS = '20';
const missing = whatIsMissing(false);
const skip = missing === undefined ? false : `no cluster of PostgreSQL nodes here: ${missing}`;

type Driver = ChildProcessByStdio<null, Readable, Readable>;

/** The command as a process, with a place for its files. */
function startCluster(name: CaseName, directory: string): Driver {
  const env = { ...process.env, TMPDIR: directory };
  const args = [COMMAND, '--case', name, '--seconds', SECONDS, '--seed', '1'];
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A place that the daemons' user can reach. */
async function place(t: TestContext): Promise<string> {
  const directory = await temporaryDirectory();
  t.after(() => rm(directory, { recursive: true, force: true }));
  await chmod(directory, 0o755);
  return directory;
}

async function testCase(t: TestContext, name: CaseName): Promise<void> {
  const driver = startCluster(name, await place(t));
  let [output, errors] = ['', ''];
  driver.stdout.on('data', (piece) => (output += String(piece)));
  driver.stderr.on('data', (piece) => (errors += String(piece)));
  await unlessHung(`the case ${name}`, once(driver, 'close'));
  assert.ok(output.startsWith('{'), errors);
  t.diagnostic(output);
  const report = JSON.parse(output) as ClusterReport;
  assert.deepEqual(report.violations, []);
  assert.ok((report.acknowledged['seal'] ?? 0) > 0 && (report.acknowledged['crossing'] ?? 0) > 0, output);
  assert.ok(report.changes > 0, 'the primary did not change');
}

test(
  'a killed primary node loses nothing that was answered, and both services start with a standby first',
  { skip },
  (t) => testCase(t, 'kill'),
);

test(
  'a seal on the wrong side of a partition forks no log, and no service calls a released lease current',
  { skip },
  (t) => testCase(t, 'fork'),
);

for (const signal of ['SIGKILL', 'SIGINT'] as const) {
  test(`the laboratory leaves no process, no namespace and no file behind after ${signal}`, { skip }, async (t) => {
    const directory = await place(t);
    const driver = startCluster('kill', directory);
    await lineOf(driver, 'the services run');
    const namespaces = () => namesOf('/run/netns').filter((name) => name.startsWith(`avouch-${driver.pid}-`));
    assert.equal(namespaces().length, 5);
    assert.ok(processesOf(directory) > 5);
    const ended = once(driver, 'exit');
    driver.kill(signal);
    await ended;
    await until('the end of its namespaces', () => namespaces().length === 0);
    await until('the end of its processes', () => processesOf(directory) === 0);
    await until('the end of its files', async () => (await readdir(directory)).length === 0);
  });
}

async function lineOf(driver: Driver, wanted: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  createInterface(driver.stderr).on('line', (line) => line.includes(wanted) && resolve());
  await unlessHung(wanted, promise, PROCESSES_HUNG_MS);
}

/** How many processes know the directory. */
function processesOf(directory: string): number {
  const knows = (pid: string) =>
    ['cmdline', 'environ'].some((file) => textOf(join('/proc', pid, file)).includes(directory));
  return namesOf('/proc').filter((name) => /^\d+$/.test(name) && knows(name)).length;
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
