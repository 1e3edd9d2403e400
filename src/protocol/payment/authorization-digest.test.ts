import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { hashTypedData } from 'viem';
import { AUTHORIZATION, DOMAINS, VECTORS } from './_payment-vectors.ts';
import { domainSeparator, transferDigest, transferStructHash } from './authorization-digest.ts';
import { type Hex, hexOf } from './hex.ts';

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

test('the struct hash is that of the vector', () => {
  assert.equal(hexOf(transferStructHash(AUTHORIZATION)), VECTORS.authorization.struct_hash);
});

for (const { domain, expected } of DOMAINS) {
  test(`separator and digest of ${domain.name} on ${domain.chainId} are those of the vector`, () => {
    const separator = domainSeparator(domain);
    assert.equal(hexOf(separator), expected.separator);
    assert.equal(hexOf(transferDigest(separator, AUTHORIZATION)), expected.digest);
  });
}

const hex = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(hexOf);
const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });

test('the digest of any authorization in any domain is that of viem', () => {
  const domain = fc.record({
    name: fc.string(),
    version: fc.string({ minLength: 1 }),
    chainId: fc.nat(),
    verifyingContract: hex(20),
  });
  const authorization = fc.record({
    from: hex(20),
    to: hex(20),
    value: uint,
    validAfter: uint,
    validBefore: uint,
    nonce: hex(32),
  });
  fc.assert(
    fc.property(domain, authorization, (in_, message) => {
      const expected = hashTypedData({ domain: in_, types: TYPES, primaryType: 'TransferWithAuthorization', message });
      assert.equal(hexOf(transferDigest(domainSeparator(in_), message)), expected);
    }),
    { numRuns: 300 },
  );
});

test('upper and lower case of an address are one address', () => {
  const separator = domainSeparator((DOMAINS[0] as (typeof DOMAINS)[0]).domain);
  const lower = { ...AUTHORIZATION, from: AUTHORIZATION.from.toLowerCase() as Hex };
  assert.deepEqual(transferDigest(separator, lower), transferDigest(separator, AUTHORIZATION));
});

test('a number outside uint256 has no digest', () => {
  const separator = new Uint8Array(32);
  for (const value of [-1n, 2n ** 256n]) {
    assert.throws(() => transferDigest(separator, { ...AUTHORIZATION, value }), RangeError);
  }
});
