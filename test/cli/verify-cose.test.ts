import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { consistencyOf, entriesOf, inclusionOf, KEYS, LOG, treeOf } from '../../src/protocol/_cose-cases.ts';
import { runCommand } from '../support/command.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const TREE = treeOf(entriesOf(9));
let folder: string;
const at = (name: string) => join(folder, name);
before(async () => {
  folder = await temporaryDirectory();
  writeFileSync(at('receipt.cose'), inclusionOf(TREE, 5, 9));
  writeFileSync(at('grown.cose'), consistencyOf(TREE, 3, 9));
  writeFileSync(at('entry.bin'), 'entry 5');
  writeFileSync(at('other.bin'), 'entry 4');
  writeFileSync(at('keys.cbor'), Buffer.from(KEYS, 'hex'));
});

const verify = (file: string, ...args: string[]) =>
  runCommand(['verify', '--cose', at(file), '--key', at('keys.cbor'), ...args]);

suite('avouch verify --cose', () => {
  test('verifies an inclusion receipt with the entry, and ends with 0', async () => {
    const named = ['--issuer', LOG.iss, '--log', LOG.sub];
    const { code, stdout, stderr } = await verify('receipt.cose', '--entry', at('entry.bin'), ...named);
    assert.deepEqual([code, stderr], [0, ''], stdout);
    assert.match(stdout, /^ok +signature$/m);
    assert.ok(readFileSync('docs/standards.md', 'utf8').includes(stdout), stdout);
    assert.match(
      stdout,
      /^Verified: log attest\.example\/astralock of https:\/\/attest\.example \(9 entries; the signature does not cover the size\)$/m,
    );
    const json = await verify('receipt.cose', '--entry', at('entry.bin'), '--json');
    assert.partialDeepStrictEqual(JSON.parse(json.stdout), { valid: true, log: LOG, size: 9, at: 5 });
  });

  test('verifies that the log grew from a root that the caller remembers', async () => {
    const root = Buffer.from(TREE.root(3)).toString('hex');
    assert.equal((await verify('grown.cose', '--root', root)).code, 0);
    assert.equal((await verify('grown.cose', '--root', '0'.repeat(64))).code, 1);
  });

  test('names what fails and ends with 1', async () => {
    const other = await verify('receipt.cose', '--entry', at('other.bin'));
    assert.deepEqual([other.code, /^FAILED +signature$/m.test(other.stdout)], [1, true], other.stdout);
    const foreign = await verify('receipt.cose', '--entry', at('entry.bin'), '--issuer', 'https://other.example');
    assert.deepEqual([foreign.code, /^FAILED +issuer$/m.test(foreign.stdout)], [1, true], foreign.stdout);
    const sandbox = await verify('receipt.cose', '--entry', at('entry.bin'), '--log', 'sandbox.invalid/astralock');
    assert.deepEqual([sandbox.code, /^FAILED +log$/m.test(sandbox.stdout)], [1, true], sandbox.stdout);
  });

  test('says that issuer and log were not checked where the caller names none', async () => {
    const { code, stdout } = await verify('receipt.cose', '--entry', at('entry.bin'));
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^not checked issuer: no issuer was asked about\nnot checked log: no log was asked about$/m);
    const json = await verify('receipt.cose', '--entry', at('entry.bin'), '--log', LOG.sub, '--json');
    const { checks } = JSON.parse(json.stdout) as { checks: { name: string; ok: boolean | null }[] };
    assert.deepEqual(
      checks.map(({ name, ok }) => [name, ok]),
      [
        ['form', true],
        ['issuer', null],
        ['log', true],
        ['key', true],
        ['path', true],
        ['signature', true],
      ],
    );
  });

  test('says what is missing, and what is no receipt', async () => {
    assert.match((await verify('receipt.cose')).stderr, /Pass --entry or --root, not both\./);
    const keyless = await runCommand(['verify', '--cose', at('receipt.cose'), '--entry', at('entry.bin')]);
    assert.match(keyless.stderr, /Missing --key <file>/);
    assert.match((await verify('entry.bin', '--entry', at('entry.bin'))).stderr, /cannot be read: /);
    assert.match((await runCommand(['verify', at('entry.bin'), '--root', '00'])).stderr, /--root belongs to --cose\./);
    for (const [name = '', ...value] of [['id', 'ATT-A'], ['vkey', 'k'], ['url', 'http://x'], ['ignore-claim']]) {
      const { code, stderr } = await verify('receipt.cose', '--entry', at('entry.bin'), `--${name}`, ...value);
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`--${name} does not belong to --cose\\.`));
    }
  });
});
