// `avouch run` as a process of its own, beside a service whose clock is moved by hand.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { ROOT } from '../support/child-service.ts';
import { runCommand } from '../support/command.ts';
import { TestService } from '../support/service.ts';

const clock = new ManualClock();
let service: TestService;
before(async () => (service = await TestService.start({ clock })));
after(() => service[Symbol.asyncDispose]());

const run = (key: string, ...args: string[]) =>
  runCommand(['run', key, '--agent', 'a7', '--url', service.url, ...args], { ...process.env });

async function claimBy(agent: string, key: string): Promise<string> {
  const { json } = await service.call('/v1/claim', { method: 'POST', body: { key, agent, mode: 'exclusive' } });
  const { code = 'granted' } = json as { code?: string };
  return code;
}

async function marksOn(key: string): Promise<string> {
  const { json } = await service.call(`/v1/look?key=${encodeURIComponent(key)}&agent=reader`);
  return JSON.stringify(json['marks']);
}

test('the exit code of the command is that of run, and tells how the lease is released', async () => {
  const failed = await run('acme/run#1', '--', 'sh', '-c', 'exit 3');
  assert.equal(failed.code, 3, failed.stderr);
  assert.match(failed.stderr, /Holding acme\/run#1|Holding \S+, fence \d+/);
  assert.match(await marksOn('acme/run#1'), /"failed"/);
  const done = await run('acme/run#2', '--', 'sh', '-c', 'test "$AVOUCH_FENCE" -gt 0');
  assert.equal(done.code, 0, done.stderr);
  assert.match(await marksOn('acme/run#2'), /"done"/);
  assert.equal(await claimBy('b2', 'acme/run#2'), 'granted');
});

test('work that another holds is refused before anything runs, and a command that cannot start frees its work', async () => {
  assert.equal(await claimBy('b2', 'acme/run#3'), 'granted');
  const refused = await run('acme/run#3', '--', 'sh', '-c', 'exit 0');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /Refused \(held\): .*\d+ s/);
  const missing = await run('acme/run#4', '--', 'no-such-program-here');
  assert.equal(missing.code, 127);
  assert.match(missing.stderr, /Cannot start no-such-program-here\. The lease is released\./);
  assert.equal(await claimBy('b2', 'acme/run#4'), 'granted');
});

test('a command whose lease is lost before it starts is not started', async () => {
  const grant = { key: 'acme/run#late', lease: 'lse_1', fence: 7, mode: 'exclusive', expires_in_s: 1 };
  const late = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(grant));
  });
  await once(late.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(late.address() as AddressInfo).port}`;
  // A command that cannot start would end with 127.
  const args = ['run', 'acme/run#late', '--agent', 'a7', '--url', url, '--', 'no-such-program-here'];
  const { code, stderr } = await runCommand(args, { ...process.env });
  late.close();
  assert.equal(code, 75, stderr);
  assert.match(stderr, /the lease is lost \(not_renewed\)/);
  assert.doesNotMatch(stderr, /Holding|Cannot start/);
});

test('a signal reaches the command, and its end is the end of run', async () => {
  const child = spawn(
    process.execPath,
    [
      `${ROOT}bin/avouch.mjs`,
      'run',
      'acme/run#5',
      '--agent',
      'a7',
      '--url',
      service.url,
      '--',
      'sh',
      '-c',
      'sleep 600',
    ],
    { stdio: ['ignore', 'inherit', 'pipe'] },
  );
  await once(child.stderr, 'data');
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number];
  assert.equal(code, 143);
  assert.match(await marksOn('acme/run#5'), /"failed"/);
});

test('where run itself is killed the work is free when its lease ends, and not before', async () => {
  const args = ['run', 'acme/run#6', '--agent', 'a7', '--ttl', '30', '--url', service.url, '--', 'sleep', '600'];
  const child = spawn(process.execPath, [`${ROOT}bin/avouch.mjs`, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [said] = (await once(child.stderr, 'data')) as [Buffer];
  assert.match(String(said), /Holding/);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(await claimBy('b2', 'acme/run#6'), 'held');
  clock.advance(29_000);
  assert.equal(await claimBy('b2', 'acme/run#6'), 'held');
  clock.advance(1_001 + 15_000);
  assert.equal(await claimBy('b2', 'acme/run#6'), 'granted');
});
