import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { billOfMaterials, componentsOf, licenceFaults, type Lockfile } from '../../scripts/release/components.ts';
import { ROOT } from '../support/child-service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const noCommit = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT }).status !== 0 && 'not a git checkout';

suite('a release', { skip: noCommit }, () => {
  let directory: string;
  const read = (run: string, file: string) => readFileSync(join(directory, run, file));
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  before(async () => {
    directory = await temporaryDirectory();
    writeFileSync(join(directory, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    for (const run of ['first', 'second']) {
      const args = ['scripts/release.ts', '--out', join(directory, run), '--key', join(directory, 'key.pem')];
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
    }
  });
  after(() => rm(directory, { recursive: true, force: true }));

  test('is the same bytes whenever it is made from the same commit', () => {
    assert.deepEqual(read('first', 'SHA256SUMS'), read('second', 'SHA256SUMS'));
  });

  test('has the right checksum of every file, and a signature of the checksums', () => {
    const sums = read('first', 'SHA256SUMS');
    const lines = sums.toString().trim().split('\n');
    assert.equal(lines.length, 3);
    for (const line of lines) {
      const [sum, file = ''] = line.split('  ');
      assert.equal(createHash('sha256').update(read('first', file)).digest('hex'), sum, file);
    }
    assert.ok(verify(null, sums, publicKey, read('first', 'SHA256SUMS.sig')));
  });
});

const LOCKFILE: Lockfile = {
  name: 'product',
  version: '1.0.0',
  packages: {
    '': { license: 'Apache-2.0' },
    'node_modules/a': { version: '1.0.0', license: 'MIT', integrity: 'sha512-AAEC' },
    'node_modules/a/node_modules/@b/c': { version: '2.0.0', license: '(GPL-3.0-only OR MIT)', optional: true },
    'node_modules/d': { version: '3.0.0', license: 'AGPL-3.0-only', dev: true },
    'node_modules/e': { version: '4.0.0' },
  },
};

test('packages of extras are optional, also those that tools need too', () => {
  const extra = { ...LOCKFILE, packages: { 'node_modules/d': { version: '3.0.0', license: 'MIT' } } };
  const scopes = componentsOf(LOCKFILE, [extra]).map(({ name, scope }) => `${name} ${scope}`);
  assert.deepEqual(scopes, ['@b/c optional', 'a required', 'd optional', 'e required']);
});

test('a package with a licence that is not permitted or not known is named', () => {
  assert.deepEqual(licenceFaults(componentsOf(LOCKFILE)), [
    'd 3.0.0 has the licence AGPL-3.0-only',
    'e 4.0.0 has the licence unknown',
  ]);
});

test('the bill of materials names every package with its scope and hash', () => {
  const bill = JSON.parse(billOfMaterials(LOCKFILE, componentsOf(LOCKFILE))) as {
    components: { purl: string; scope: string; hashes?: object[] }[];
  };
  assert.deepEqual(
    bill.components.map(({ purl, scope }) => [purl, scope]),
    [
      ['pkg:npm/%40b/c@2.0.0', 'optional'],
      ['pkg:npm/a@1.0.0', 'required'],
      ['pkg:npm/d@3.0.0', 'excluded'],
      ['pkg:npm/e@4.0.0', 'required'],
    ],
  );
  assert.deepEqual(bill.components[1]?.hashes, [{ alg: 'SHA-512', content: '000102' }]);
});
