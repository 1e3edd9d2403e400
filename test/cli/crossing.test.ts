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
  assert.match(refused.stderr, /Refused \(409 held\): .* \d+ s/);
  const fenceOf = (stdout: string) => (JSON.parse(stdout) as { fence: number }).fence;
  assert.equal(fenceOf(refreshed.stdout), fenceOf(claimed.stdout), refreshed.stderr);
  assert.deepEqual((JSON.parse(marked.stdout) as { w0_because: string[] }).w0_because, ['lease']);
  const released = await avouch('release', file, '--outcome', 'done', '--evidence', 'https://e.example/1');
  const { released: isReleased, mark_log: markLog } = JSON.parse(released.stdout) as Record<string, unknown>;
  assert.deepEqual([isReleased, typeof markLog], [true, 'number'], released.stderr);
});

test('a wrong claim, release or mark is named before anything is sent', async () => {
  const cases = [
    [2, /Missing <work key>, or --refresh <file>/, ['claim', '--agent', 'a7']],
    [2, /^avouch claim: Missing option: --agent\.\nRun `avouch claim --help`\.\n$/, ['claim', 'k']],
    [2, /Unknown option --agnt\. Did you mean --agent\?\n/, ['claim', 'k', '--agnt', 'a7']],
    [2, /--ttl must be a whole number from 30 to 3600\.\n/, ['claim', 'k', '--agent', 'a7', '--ttl', '5']],
    [
      2,
      /--mode must be shared, exclusive or once\. Did you mean exclusive\?/,
      ['claim', 'k', '--agent', 'a7', '--mode', 'exclusiv'],
    ],
    [1, /Cannot read .*no such file\.\n$/, ['release', join(root, 'no such file')]],
    [2, /Unexpected argument "k2"\./, ['mark', 'k', 'k2', '--agent', 'a7', '--kind', 'note']],
  ] as const;
  for (const [code, why, words] of cases) {
    const ran = await runCommand([...words, '--url', 'http://127.0.0.1:1']);
    assert.deepEqual([ran.code, ran.stdout], [code, ''], ran.stderr);
    assert.match(ran.stderr, why);
  }
});

test('a field that the service refuses is named as it was typed', async () => {
  const typed = await avouch('claim', 'k', '--agent', 'a7', '--brief', 'none');
  assert.equal(typed.code, 1);
  assert.match(typed.stderr, /^avouch claim: --brief: /);
  assert.doesNotMatch(typed.stderr, /#\//);
});
