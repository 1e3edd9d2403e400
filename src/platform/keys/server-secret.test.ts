import assert from 'node:assert/strict';
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand } from '../../../test/support/command.ts';
import { ENGINES, hasPostgres } from '../../../test/support/databases.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { TestService } from '../../../test/support/service.ts';
import { sha256Hex } from '#kernel/ids.ts';

const GUESSABLE = [
  '0'.repeat(64),
  'deadbeef'.repeat(8),
  '0123456789abcdef'.repeat(4),
  Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('hex'),
  Buffer.from('secret'.padEnd(32)).toString('hex'),
];

async function startFails(dataDir: string, says: RegExp, env: Record<string, string> = {}): Promise<void> {
  await assert.rejects(async () => {
    await using _service = await TestService.start({ dataDir, env });
  }, says);
}

test('the sandbox makes its server secret once, readable by its user alone', async () => {
  const dataDir = await temporaryDirectory();
  const path = join(dataDir, 'server-secret');
  {
    await using _service = await TestService.start({ dataDir });
    assert.match(readFileSync(path, 'utf8'), /^[0-9a-f]{64}$/);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  }
  const before = readFileSync(path, 'utf8');
  await using _service = await TestService.start({ dataDir });
  assert.equal(readFileSync(path, 'utf8'), before);
});

test('another, lost, malformed, guessable or open secret stops the start, and can be accepted on purpose', async () => {
  const dataDir = await temporaryDirectory();
  const path = join(dataDir, 'server-secret');
  {
    await using _service = await TestService.start({ dataDir });
  }
  rmSync(path);
  await startFails(dataDir, /cannot be read \(ENOENT\)/);
  writeFileSync(path, 'ab'.repeat(31), { mode: 0o600 });
  await startFails(dataDir, /64 hexadecimal digits/);
  for (const text of GUESSABLE) {
    writeFileSync(path, text, { mode: 0o600 });
    await startFails(dataDir, /can be guessed/);
  }
  writeFileSync(path, sha256Hex('another'));
  chmodSync(path, 0o644);
  await startFails(dataDir, /chmod 600/);
  chmodSync(path, 0o600);
  await startFails(dataDir, /belongs to another server secret/);
  const accepted = await runCommand(['keys', 'accept-secret'], { DATA_DIR: dataDir });
  assert.equal(accepted.code, 0, accepted.stderr);
  await using _service = await TestService.start({ dataDir });
});

for (const engine of ENGINES) {
  test(`a secret from a file of the operator serves ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, async () => {
    const dataDir = await temporaryDirectory();
    const path = join(dataDir, 'own');
    const text = sha256Hex('of the operator');
    writeFileSync(path, `${text}\n`, { mode: 0o600 });
    await using service = await TestService.start({ engine, dataDir, env: { AVOUCH_SERVER_SECRET_FILE: path } });
    const [row] = await service.service.store.read('SELECT fingerprint FROM server_secret');
    assert.match(String(row?.['fingerprint']), /^[0-9a-f]{32}$/);
    assert.equal(text.includes(String(row?.['fingerprint'])), false);
  });
}
