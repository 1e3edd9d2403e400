// What programs read of the commands: one JSON document on standard output, and nothing else there.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { runCommand } from '../support/command.ts';
import { serviceEnv, TestService } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const root = await temporaryDirectory();
let service: TestService;
before(async () => (service = await TestService.start()));
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

const FILE = join(root, 'note.txt');
const PROOF = join(root, 'note.seal.json');
writeFileSync(FILE, 'hello\n');

/** In this order: a seal is verified after it was made. */
const CASES: readonly (readonly [words: readonly string[], members: readonly string[]])[] = [
  [['--version'], ['version']],
  [['config'], ['settings']],
  [['keys', 'list'], ['keys']],
  [
    ['agents', 'list'],
    ['agents', 'more'],
  ],
  [['platforms', 'list'], ['platforms']],
  [
    ['rules', 'flags'],
    ['flags', 'suspensions'],
  ],
  [
    ['ledger', 'audit'],
    ['ok', 'findings', 'checked', 'head', 'append_only'],
  ],
  [
    ['fees', 'export', '--from', '2026-11-01', '--to', '2026-11-30'],
    ['from', 'to', 'fees'],
  ],
  [['extras', 'list'], ['extras']],
  [
    ['look', 'k'],
    ['key', 'signal'],
  ],
  [
    ['claim', 'k', '--agent', 'a7'],
    ['lease', 'token'],
  ],
  [['check', '--amount-usd', '0.01'], ['verdict']],
  [
    ['seal', FILE, '--out', PROOF],
    ['attestation_id', 'verdict', 'proof'],
  ],
  [
    ['verify', PROOF, '--url', 'SERVICE'],
    ['valid', 'attestation_id', 'log', 'keys', 'checks'],
  ],
  [
    ['fsck', 'SERVICE'],
    ['ok', 'origin', 'size', 'root', 'errors'],
  ],
  [
    ['audit-trail', 'verify'],
    ['ok', 'processes', 'anchors', 'errors', 'warnings'],
  ],
  [
    ['backup', join(root, 'backup')],
    ['directory', 'tables', 'rows', 'log', 'manifest_sha256'],
  ],
  [['ingest', 'natura'], ['sources']],
  [
    ['mandate', 'keygen', join(root, 'seed')],
    ['file', 'public_key'],
  ],
  [
    ['identity', 'keygen', join(root, 'agent-seed')],
    ['file', 'keyid', 'directory'],
  ],
];

suite('--json', () => {
  for (const [words, members] of CASES) {
    const name = words.map((word) => word.replace(root, '')).join(' ');
    test(`${name} prints one JSON document with the members that programs read`, async () => {
      const args = words.map((word) => (word === 'SERVICE' ? service.url : word));
      const env = serviceEnv(service.dataDir, undefined, { BASE_URL: service.url });
      const { code, stdout, stderr } = await runCommand([...args, '--json'], env, true);
      assert.equal(code, 0, stderr);
      const document = JSON.parse(stdout) as Record<string, unknown>;
      for (const member of members) assert.ok(member in document, `${member} of ${Object.keys(document).join(', ')}`);
      for (const line of stderr.split('\n').filter((one) => one !== '')) JSON.parse(line);
    });
  }

  test('a refusal by the service has its problem code and status in the error', async () => {
    const claim = (agent: string) =>
      runCommand(['claim', 'held', '--agent', agent, '--mode', 'exclusive', '--json', '--url', service.url]);
    assert.equal((await claim('a1')).code, 0);
    const { code, stdout, stderr } = await claim('b2');
    const { error } = JSON.parse(stderr) as { error: { code: string; status: number; message: string } };
    assert.deepEqual([code, stdout, error.code, error.status], [1, '', 'held', 409]);
  });
});
