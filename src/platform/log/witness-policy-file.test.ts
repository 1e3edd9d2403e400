import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConfigError } from '#platform/config/config-error.ts';
import { TestWitness } from '../../../test/support/witness.ts';
import { readWitnessPolicy } from './witness-policy-file.ts';

const root = mkdtempSync(join(tmpdir(), 'avouch-test-'));
after(() => rmSync(root, { recursive: true }));

const { vkey } = new TestWitness(1);

function read(text: string | null) {
  const witnessPolicyFile = join(root, 'policy');
  rmSync(witnessPolicyFile, { force: true });
  if (text !== null) writeFileSync(witnessPolicyFile, text);
  return readWitnessPolicy({ witnessPolicyFile });
}

test('without a file there are no witnesses', () => {
  assert.equal(readWitnessPolicy({ witnessPolicyFile: null }), null);
});

test('the lines about witnesses are repeated, comments and logs are not', () => {
  const found = read(
    `# ours\nlog ${new TestWitness(2).vkey}\n  witness w ${vkey}\thttps://w.example/ \n\ngroup g any w\nquorum g\n`,
  );
  assert.equal(found?.lines, `witness w ${vkey}\thttps://w.example/\ngroup g any w\nquorum g\n`);
  assert.deepEqual(
    found.policy.witnesses.map(({ name, url }) => [name, url]),
    [['w', 'https://w.example/']],
  );
});

for (const [what, text, says] of [
  ['is not there', null, /cannot be read \(ENOENT\): check its path and rights$/],
  ['is empty', '', /is not a witness policy: the last line does not end|no quorum$/],
  ['has no quorum', `witness w ${vkey}\n`, /is not a witness policy: no quorum$/],
  [
    'has an unknown line',
    `witness w ${vkey}\nwitnes v\nquorum w\n`,
    /: line 2: neither log, witness, group nor quorum$/,
  ],
  ['has a broken key', `witness w ${vkey.slice(0, -4)}\nquorum w\n`, /: line 1: the key: /],
  ['names an unknown witness', `witness w ${vkey}\nquorum v\n`, /: line 2: a quorum names one witness/],
] as const) {
  test(`a policy file that ${what} is a fault of the configuration that names the setting and the place`, () => {
    assert.throws(
      () => read(text),
      (error: unknown) => {
        assert.ok(error instanceof ConfigError);
        const [fault = '', ...more] = error.faults;
        assert.deepEqual(more, []);
        assert.match(fault, /^the file that AVOUCH_WITNESS_POLICY_FILE names /);
        assert.match(fault, says);
        return true;
      },
    );
  });
}
