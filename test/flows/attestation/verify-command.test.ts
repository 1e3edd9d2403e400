// The verifier as people run it who have downloaded it: one file, no service.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { consistencyOf, entriesOf, inclusionOf, KEYS, LOG, treeOf } from '../../../src/protocol/_cose-cases.ts';
import { ROOT } from '../../support/child-service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const folder = await temporaryDirectory();
after(() => rm(folder, { recursive: true, force: true }));

async function verified(text: string, ...options: readonly string[]): Promise<{ code: number; said: string }> {
  const file = join(folder, 'file');
  await writeFile(file, text);
  return run(file, ...options);
}

function run(...args: readonly string[]): Promise<{ code: number; said: string }> {
  return new Promise((resolve) =>
    execFile(process.execPath, [join(ROOT, 'verify/avouch-verify.mjs'), ...args], (error, stdout) =>
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

test('the downloaded verifier refuses a seal within a ledger page, and words that it does not know', async () => {
  const service = await sharedService();
  const { json: page } = await service.call('/api/attest/ledger');
  const vkey = ['--vkey', String(((await service.call('/api/astralock/sth')).json['vkeys'] as string[]).at(-1))];
  assert.equal((await verified(JSON.stringify(page), ...vkey)).code, 0);
  const mixed = await verified(JSON.stringify({ ...page, claim: { statement: 'Order 18.' } }), ...vkey);
  assert.deepEqual([mixed.code, /^FAILED {2}range_proof: /m.test(mixed.said)], [1, true], mixed.said);
  for (const odd of [['--id', 'ATT-A'], ['more'], ['--ignore-claim'], ['--vkey']]) {
    for (const options of [
      [...vkey, ...odd],
      [...odd, ...vkey],
    ]) {
      const { code, said } = await verified(JSON.stringify(page), ...options);
      assert.deepEqual([code, /^node avouch-verify\.mjs <seal/.test(said)], [2, true], options.join(' '));
    }
  }
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

test('the downloaded verifier takes a COSE receipt with its entry or an older root, and only options that it knows', async () => {
  const at = (name: string) => join(folder, name);
  const tree = treeOf(entriesOf(9));
  await writeFile(at('receipt'), inclusionOf(tree, 5, 9));
  await writeFile(at('grown'), consistencyOf(tree, 3, 9));
  await writeFile(at('entry'), 'entry 5');
  await writeFile(at('keys'), Buffer.from(KEYS, 'hex'));
  const root = Buffer.from(tree.root(3)).toString('hex');
  const receipt = ['--cose', at('receipt'), '--key', at('keys')];
  const grown = ['--cose', at('grown'), '--key', at('keys')];
  const ofEntry = [...receipt, '--entry', at('entry')];
  const cases: [number, RegExp, string[]][] = [
    [0, /^ok {2}signature\nVerified: log attest\.example\/astralock of https:\/\/attest\.example\.$/m, ofEntry],
    [0, /^not checked {2}issuer: .*\nnot checked {2}log: /m, ofEntry],
    [0, /^ok {2}issuer\nok {2}log$[^]*^Verified: /m, [...ofEntry, '--issuer', LOG.iss, '--log', LOG.sub]],
    [0, /^Verified: /m, [...grown, '--root', root]],
    [1, /^FAILED {2}issuer: [^]*https:\/\/attest\.example$/m, [...ofEntry, '--issuer', 'https://other.example']],
    [1, /^FAILED {2}log: [^]*attest\.example\/astralock$/m, [...ofEntry, '--log', 'sandbox.invalid/astralock']],
    [1, /^FAILED {2}signature: [^]*^Verification failed\.$/m, [...receipt, '--entry', at('keys')]],
    [1, /^FAILED {2}form: /m, ['--cose', at('entry'), '--key', at('keys'), '--entry', at('entry')]],
    [2, /^node avouch-verify\.mjs --cose /m, receipt],
    [2, /^node avouch-verify\.mjs --cose /m, [...ofEntry, '--root', root]],
    [2, /^node avouch-verify\.mjs --cose /m, [...ofEntry, '--isuer', LOG.iss]],
    [2, /^node avouch-verify\.mjs --cose /m, [...ofEntry, '--issuer']],
    [2, /^node avouch-verify\.mjs --cose /m, [...grown, '--root', root.slice(1)]],
    [2, /could not be read/, ['--cose', at('none'), '--key', at('keys'), '--root', root]],
  ];
  for (const [code, said, args] of cases) {
    const result = await run(...args);
    assert.equal(result.code, code, result.said);
    assert.match(result.said, said);
  }
});
