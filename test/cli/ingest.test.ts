import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ROOT } from '../support/child-service.ts';
import { runCommand } from '../support/command.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serviceEnv, TestService } from '../support/service.ts';

const dataDir = await temporaryDirectory();
after(() => rm(dataDir, { recursive: true, force: true }));
const env = serviceEnv(dataDir, undefined);
const off = { AVOUCH_DATA_INGEST: 'off' };

async function natura() {
  await using service = await TestService.start({ dataDir, env: off });
  const { json } = await service.call('/api/data/natura');
  const { snapshot, total } = json as { snapshot: { state: string; sha256: string }; total: number };
  return { total, ...snapshot };
}

test('ingest reads sources and files, says what became of each, and a kill half-way changes nothing', async () => {
  assert.equal((await natura()).state, 'none');
  const first = await runCommand(['ingest', 'natura'], env);
  assert.equal(first.code, 0, first.stderr);
  assert.match(
    first.stdout,
    /^pdok-natura2000 +6 rows, snapshot \S+\n1 source read, 6 rows imported, 0 refused, in [\d.]+ s\.\n$/,
  );
  assert.equal(first.stderr, '', 'no bar where there is no terminal');
  const before = await natura();
  assert.deepEqual([before.total, before.state], [6, 'fresh']);

  const pipe = join(dataDir, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const child = spawn(process.execPath, [join(ROOT, 'bin/avouch.mjs'), 'ingest', 'natura', '--file', pipe], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: 'ignore',
  });
  // Opens only when the reader is there: by then the read is under way.
  const writer = await open(pipe, 'w');
  await writer.write('{"features":[');
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  await writer.close();
  assert.deepEqual(await natura(), before);

  const file = join(dataDir, 'small.json');
  await writeFile(file, JSON.stringify({ features: [{ properties: { nr: 1, naamN2K: 'x', beschermin: 'HR' } }] }));
  const small = await runCommand(['ingest', 'pdok-natura2000', '--file', file], env);
  assert.deepEqual([small.code, /refused, .*SHRUNKEN/.test(small.stdout)], [1, true], small.stdout);
  assert.equal((await natura()).sha256, before.sha256);
});

test('wrong names and a file for several sources are wrong usage', async () => {
  for (const args of [['nothing'], ['tenders', '--file', 'x']]) {
    const { code, stderr } = await runCommand(['ingest', ...args], env);
    assert.deepEqual([code, stderr.startsWith('avouch ingest: ')], [2, true], args.join(' '));
  }
});
