import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand } from '../../support/command.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { serviceEnv, TestService } from '../../support/service.ts';

test('a clean stop anchors the audit trail in the log, and a trail that was cut short is then found', async () => {
  const dataDir = await temporaryDirectory();
  {
    await using service = await TestService.start({ dataDir });
    for (let n = 0; n < 5; n += 1) await service.call(`/v1/claim?key=k${n}&agent=a7`);
  }
  const env = serviceEnv(dataDir, undefined);
  const sound = await runCommand(['audit-trail', 'verify'], env);
  assert.equal(sound.code, 0, sound.stderr);
  assert.match(sound.stdout, /compared: 1\nAudit trail intact\./);
  const directory = join(dataDir, 'trail');
  const [segment] = (await readdir(directory)).filter((name) => name.endsWith('.ndjson'));
  const path = join(directory, segment as string);
  const lines = (await readFile(path, 'utf8')).split('\n');
  // The head line and its seal stay: by itself this is an intact trail of no calls.
  await writeFile(path, `${lines.slice(0, 2).join('\n')}\n`);
  const cut = await runCommand(['audit-trail', 'verify'], env);
  assert.equal(cut.code, 1);
  assert.match(cut.stderr, /anchor_missing/);
  assert.equal((await runCommand(['audit-trail', 'verify', directory], env)).code, 0, 'alone it cannot be told');
  await rm(directory, { recursive: true });
  await (await TestService.start({ dataDir }))[Symbol.asyncDispose]();
  const anew = await runCommand(['audit-trail', 'verify'], env);
  assert.deepEqual(
    [anew.code, /anchor_missing/.test(anew.stderr)],
    [1, true],
    'a trail made anew is not the anchored one',
  );
  await rm(dataDir, { recursive: true, force: true });
});
