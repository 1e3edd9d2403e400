import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { billOfMaterials, componentsOf, licenceFaults, type Lockfile } from '../../scripts/release/components.ts';
import { releaseObstacles } from '../../scripts/release/conditions.ts';
import { sealRelease } from '../../scripts/release/release-log.ts';
import { verifySealAnswer, verifyTlogProof } from '../../verify/avouch-verify.mjs';
import { ROOT } from '../support/child-service.ts';

const READY = {
  version: '1.2.0',
  changes: '',
  tags: ['v1.1.0'],
  changelog: '# Changelog\n\n## [1.2.0] - 2026-11-18\n\n### Before you upgrade\n\n- Nothing.\n',
};

suite('a release', () => {
  test('is made of a clean tree whose version has a dated section and no tag', () => {
    assert.deepEqual(releaseObstacles(READY), []);
  });

  const REFUSED: readonly (readonly [title: string, state: Partial<typeof READY>, reason: RegExp])[] = [
    ['with changes that are not committed', { changes: ' M README.md' }, /not committed/],
    ['whose tag is there', { tags: ['v1.2.0'] }, /v1\.2\.0 is there already/],
    ['without a section in the changelog', { version: '1.3.0' }, /no dated section of 1\.3\.0/],
    [
      'whose section has no date',
      { changelog: READY.changelog.replace('2026-11-18', 'unreleased') },
      /no dated section/,
    ],
    ['that does not say what to do before', { changelog: '## [1.2.0] - 2026-11-18\n' }, /Before you upgrade/],
  ];
  for (const [title, state, reason] of REFUSED) {
    test(`${title} is refused`, () => {
      const [found, ...others] = releaseObstacles({ ...READY, ...state });
      assert.match(found ?? '', reason);
      assert.deepEqual(others, []);
    });
  }

  test('has one version everywhere, and at most 40 lines in the changelog', () => {
    const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
    const { version } = JSON.parse(read('package.json')) as { version: string };
    assert.equal((JSON.parse(read('package-lock.json')) as { version: string }).version, version);
    assert.match(read('packages/python/pyproject.toml'), new RegExp(`^version = "${version}"$`, 'm'));
    const images = globSync('deploy/**/*.yaml', { cwd: ROOT }).flatMap((file) =>
      Array.from(read(file).matchAll(/image: avouch:(\S+)/g), ([, tag]) => ({ file, tag })),
    );
    assert.ok(images.length >= 4, JSON.stringify(images));
    for (const { file, tag } of images) assert.equal(tag, version, file);
    const sections = read('CHANGELOG.md')
      .split(/^(?=## )/m)
      .slice(1);
    assert.ok(sections[0]?.startsWith(`## [${version}]`));
    for (const section of sections) assert.ok(section.split('\n').length <= 40, section.slice(0, 20));
  });
});

suite('the log of releases', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const sealedAt = new Date('2026-11-18T10:00:00Z');
  const file = (text: string) => ({ statement: `release ${text}`, bytes: Buffer.from(text), sealedAt });
  const first = sealRelease(file('one'), privateKey);
  const second = sealRelease(file('two'), privateKey, first['releases.log']);

  test('proves to the published verifier that a file was sealed, and where', async () => {
    const vkey = (second['releases.vkey'] ?? '').trim();
    const seal = JSON.parse(second['provenance.seal.json'] ?? '') as {
      seq: number;
      claim: { evidence_digests: string[] };
    };
    assert.deepEqual(
      (await verifySealAnswer(seal, vkey)).checks.filter(({ ok }) => ok !== true),
      [],
    );
    assert.equal((await verifyTlogProof(second['provenance.tlog-proof'], vkey)).index, 1n);
    assert.deepEqual(seal.claim.evidence_digests, [createHash('sha256').update('two').digest('hex')]);
    const changed = { ...seal, claim: { ...seal.claim, statement: 'another' } };
    assert.equal((await verifySealAnswer(changed, vkey)).valid, false);
  });

  test('goes on from the release before, and is the same whenever it is made', () => {
    assert.ok(second['releases.log']?.startsWith(first['releases.log'] ?? '-'));
    assert.deepEqual(sealRelease(file('two'), privateKey, first['releases.log']), second);
    assert.deepEqual(sealRelease(file('two'), privateKey, second['releases.log']), second);
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
