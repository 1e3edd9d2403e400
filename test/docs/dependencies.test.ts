// Packages that the service once had and must not get again, not even by way of another one.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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
