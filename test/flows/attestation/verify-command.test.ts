// The verifier as people run it who have downloaded it: one file, no service.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ROOT } from '../../support/child-service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const folder = await temporaryDirectory();
after(() => rm(folder, { recursive: true, force: true }));

async function verified(text: string, ...options: readonly string[]): Promise<{ code: number; said: string }> {
  const file = join(folder, 'file');
  await writeFile(file, text);
  const args = [join(ROOT, 'verify/avouch-verify.mjs'), file, ...options];
  return new Promise((resolve) =>
    execFile(process.execPath, args, (error, stdout) =>
      resolve({ code: error === null ? 0 : Number(error.code), said: stdout }),
    ),
  );
}

test('the downloaded verifier says of a file whether it holds, and ends with an exit code that says the same', async () => {
  const service = await sharedService();
  const body = { schema_id: 'record.integrity.v1', claim: { statement: 'Order 17 was delivered.' } };
  const sealed = await service.call('/api/attest/seal', { method: 'POST', body });
  const vkey = ['--vkey', String(((await service.call('/api/astralock/sth')).json['vkeys'] as string[]).at(-1))];
  const whole = await verified(sealed.text, ...vkey);
  assert.equal(whole.code, 0, whole.said);
  assert.match(whole.said, /^ok {2}inclusion$[^]*^Verified\.$/m);
  const changed = await verified(JSON.stringify({ ...sealed.json, claim: { statement: 'Order 18.' } }), ...vkey);
  assert.equal(changed.code, 1);
  assert.match(changed.said, /^FAILED {2}claim_commitment: [^]*^Verification failed\.$/m);
  const { disclosure_seed: _seed, ...seedless } = sealed.json;
  assert.equal((await verified(JSON.stringify(seedless), ...vkey)).code, 1, 'a claim that nothing ties to the entry');
  const proof = await verified(String(sealed.json['proof']), ...vkey);
  assert.deepEqual([proof.code, /^Verified\.$/m.test(proof.said)], [0, true]);
});

test('the downloaded verifier never ends well where it checked nothing', async () => {
  for (const [text, ...options] of [
    ['{}', '--vkey', 'none'],
    ['no JSON', '--vkey', 'none'],
    ['{"entry":"","entry":""}', '--vkey', 'none'],
    ['{"entry":""}'],
  ] as const) {
    const { code, said } = await verified(text, ...options);
    assert.equal(code, 2, said);
    assert.notEqual(said, '');
  }
});
