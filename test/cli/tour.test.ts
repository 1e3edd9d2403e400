import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { TOUR } from '../../src/cli/tour-steps.ts';
import { runCommand } from '../support/command.ts';

const folders = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('avouch-tour-'));

test('where nothing listens the tour starts a sandbox of its own, walks through all of it and leaves nothing behind', async () => {
  const before = await folders();
  const { code, stdout, stderr } = await runCommand(['tour', '--url', 'http://127.0.0.1:9']);
  assert.deepEqual([code, stderr], [0, ''], stdout + stderr);
  assert.deepEqual(
    [...stdout.matchAll(/^\d\. (.+)$/gm)].map(([, title]) => title),
    TOUR.map(({ title }) => title),
  );
  assert.deepEqual(
    [...stdout.matchAll(/^ {3}=> (.+)$/gm)].map(([, means]) => means),
    TOUR.map(({ means }) => means),
  );
  const statuses = [...stdout.matchAll(/^ {3}(\d{3}) /gm)].map(([, status]) => status);
  assert.deepEqual(new Set(statuses), new Set(['200', '201', '402', '409']));
  for (const line of [
    /offline: valid \(/,
    /receipt: valid \(signature, key_published, result_sha256, request_sha256, /,
  ]) {
    assert.match(stdout, line);
  }
  assert.match(stdout, /^Done in [\d.]+ s\./m);
  assert.deepEqual(await folders(), before);
});

/** A service that says what it is and refuses everything else. */
async function served(health: object) {
  const server = createServer(({ url = '' }, response) => {
    const isHealth = url === '/api/v1/health';
    const problem = { code: 'slow_down', status: 429, detail: 'too many calls', retry_after_s: 60 };
    response.writeHead(isHealth ? 200 : 429, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isHealth ? health : problem));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, [Symbol.dispose]: () => server.close() };
}

function run(...args: string[]) {
  return runCommand(['tour', ...args]);
}

test('a step that is refused ends the tour with exit code 1, and machines read which one', async () => {
  using sandbox = await served({ identity: { sandbox: true } });
  const { code, stdout, stderr } = await run('--url', sandbox.url, '--json');
  assert.equal(code, 1);
  assert.match(stderr, /slow_down: too many calls/);
  const { ok, own_sandbox, steps, fault } = JSON.parse(stdout) as {
    ok: boolean;
    own_sandbox: boolean;
    steps: { title: string; calls: { status: number }[] }[];
    fault: string;
  };
  assert.deepEqual([ok, own_sandbox, fault], [false, false, 'slow_down: too many calls']);
  assert.deepEqual(
    steps.map(({ title, calls }) => [title, calls.map(({ status }) => status)]),
    [['Check before you start', [429]]],
  );
});

test('the tour writes nowhere but in a sandbox', async () => {
  using production = await served({ identity: { sandbox: false } });
  using other = await served({});
  for (const { url } of [production, other]) {
    const { code, stderr } = await run('--url', url);
    assert.deepEqual([code, /is not a sandbox\. The tour writes data/.test(stderr)], [1, true], stderr);
  }
  const unknown = await run('--url', 'http://avouch.invalid');
  assert.deepEqual([unknown.code, /Cannot tell whether/.test(unknown.stderr)], [1, true]);
  assert.equal((await run('here')).code, 2);
});
