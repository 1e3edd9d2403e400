import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createMandate } from '#areas/mandates/mandate-operations.ts';
import { isSignedBy } from '#areas/mandates/signatures.ts';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { signer } from '../../support/mandates.ts';

const vectors = JSON.parse(readFileSync(new URL('../../vectors/mandates.json', import.meta.url), 'utf8'));
const { principal, agent, mandate } = vectors;
const keys: Record<string, string> = { principal: principal.public_key, agent: agent.public_key };
const signed: { by: string; value: object; signature: string }[] = [
  { by: 'principal', value: mandate.body, signature: mandate.principal_signature },
  ...vectors.signed,
];

test('the published keys, digests and signatures are those of their seeds', () => {
  assert.deepEqual([signer(0x11).publicKey, signer(0x22).publicKey], [principal.public_key, agent.public_key]);
  assert.equal(sha256Hex(canonicalJson(mandate.body)), mandate.body_sha256);
  const whole = { ...mandate.body, principal_signature: mandate.principal_signature };
  assert.equal(sha256Hex(canonicalJson(whole)), mandate.mandate_sha256);
  assert.deepEqual(createMandate.input.parse(whole), whole, 'decoding changes nothing of what is signed');
  for (const { by, value, signature } of signed) {
    assert.equal(signer(by === 'agent' ? 0x22 : 0x11).sign(value), signature);
    assert.ok(isSignedBy(keys[by] ?? '', value, signature));
  }
});

test('a flipped byte in any signed object or signature is refused', () => {
  for (const { by, value, signature } of signed) {
    const key = keys[by] ?? '';
    for (const name of Object.keys(value)) {
      const { [name]: _, ...shorter } = value as Record<string, unknown>;
      assert.ok(!isSignedBy(key, shorter, signature), `without ${name}`);
      assert.ok(!isSignedBy(key, { ...value, [name]: 'another' }, signature), `another ${name}`);
    }
    const bytes = Buffer.from(signature, 'base64');
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.ok(!isSignedBy(key, value, changed.toString('base64')));
    }
  }
});
