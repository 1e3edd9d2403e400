// The commands around leases beside a running service.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCommand } from '../support/command.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { TestService } from '../support/service.ts';

const root = await temporaryDirectory();
let service: TestService;
before(async () => (service = await TestService.start()));
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

function avouch(...args: string[]) {
  return runCommand([...args, '--url', service.url]);
}

test('claim, refresh, mark and release follow one lease through its file', async () => {
  const file = join(root, 'lease.json');
  const claimed = await avouch('claim', 'acme/repo#12', '--agent', 'a7', '--mode', 'exclusive', '--ttl', '3000');
  assert.equal(claimed.code, 0, claimed.stderr);
  writeFileSync(file, claimed.stdout);
  const [refused, refreshed, marked] = await Promise.all([
    avouch('claim', 'acme/repo#12', '--agent', 'b2', '--mode', 'exclusive'),
    avouch('claim', '--refresh', file, '--agent', 'a7', '--ttl', '3600'),
    avouch('mark', 'gh:acme/repo/12', '--agent', 'b2', '--kind', 'note', '--note', 'seen', '--lease', file),
  ]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /refuses \(409 held\): .*; it takes at most \d+ s/);
  const fenceOf = (stdout: string) => (JSON.parse(stdout) as { fence: number }).fence;
  assert.equal(fenceOf(refreshed.stdout), fenceOf(claimed.stdout), refreshed.stderr);
  assert.deepEqual((JSON.parse(marked.stdout) as { w0_because: string[] }).w0_because, ['lease']);
  const released = await avouch('release', file, '--outcome', 'done', '--evidence', 'https://e.example/1');
  const { released: isReleased, mark_log: markLog } = JSON.parse(released.stdout) as Record<string, unknown>;
  assert.deepEqual([isReleased, typeof markLog], [true, 'number'], released.stderr);
});

test('wrong use is told before anything is sent', async () => {
  const uses = await Promise.all([
    avouch('claim', '--agent', 'a7'),
    avouch('release', join(root, 'no such file')),
    avouch('mark', 'k', 'k2', '--agent', 'a7', '--kind', 'note'),
  ]);
  assert.deepEqual(
    uses.map(({ code }) => code),
    [2, 2, 2],
  );
});
