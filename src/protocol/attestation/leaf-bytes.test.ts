import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { attestationId } from './attestation-id.ts';
import { markLeaf, releaseLeaf } from './leaf.ts';
import { ATTESTATION_ID_BYTES, isIdOfHash, sealedAtOffset, UTC_MILLISECONDS_BYTES } from './leaf-bytes.ts';
import { schemaById } from './schemas.ts';
import { prepareSeal } from './seal.ts';
import { sealEntry } from './seal-entry.ts';

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });

test('an id is that of its hash at any place, and of no other', () => {
  fc.assert(
    fc.property(hash, fc.nat(9), fc.nat(9), fc.nat(ATTESTATION_ID_BYTES - 1), (bytes, idAt, hashAt, changed) => {
      const ids = Buffer.concat([Buffer.alloc(idAt), Buffer.from(attestationId(bytes))]);
      const hashes = Buffer.concat([Buffer.alloc(hashAt), bytes]);
      assert.ok(isIdOfHash(ids, idAt, hashes, hashAt));
      ids[idAt + changed] = (ids[idAt + changed] as number) ^ 1;
      assert.ok(!isIdOfHash(ids, idAt, hashes, hashAt));
    }),
  );
});

test('an id that ends early is that of no hash', () => {
  const bytes = new Uint8Array(32);
  assert.ok(!isIdOfHash(Buffer.from(attestationId(bytes)).subarray(0, -1), 0, bytes, 0));
});

const SEALED_AT = '2026-11-15T00:40:12.345Z';
const NONCE = 'AAAAAAAAAAAAAAAAAAAAAA';
const stamp = { sandbox: false, sealedAt: SEALED_AT, nonce: NONCE };

function sealText(schemaId: string, claim: Record<string, string>): string {
  const schema = schemaById(schemaId);
  assert.ok(schema !== undefined);
  const prepared = prepareSeal({ schema, claim, observations: [], seed: new Uint8Array(32) });
  const draft = {
    prepared,
    claim,
    observations: [],
    seed: 'A'.repeat(43),
    disclosure: 'holder',
    nonce: NONCE,
  } as const;
  return sealEntry(draft, stamp).leaf.text;
}

const LEAVES: Readonly<Record<string, string>> = {
  'an accepted seal': sealText('record.integrity.v1', { statement: 'x' }),
  'a rejected seal': sealText('record.integrity.v1', {}),
  'a claim in clear that speaks of sealed_at': sealText('protocol.statement.v1', {
    statement: '"sealed_at":"1999-01-01T00:00:00.000Z","type":"seal","v":1,"verdict":"ACCEPT"}',
  }),
  'a mark': markLeaf({ kind: 'done', claimCommitment: '0'.repeat(64) }, stamp).text,
  'a release': releaseLeaf({ fence: 7, outcome: null, claimCommitment: '0'.repeat(64) }, stamp).text,
};

for (const [what, text] of Object.entries(LEAVES)) {
  test(`the time of ${what} is found without parsing, wherever the leaf stands`, () => {
    const bytes = Buffer.from(`before${text}after`);
    const at = sealedAtOffset(bytes, 6, bytes.length - 5);
    assert.equal(bytes.toString('latin1', at, at + UTC_MILLISECONDS_BYTES), SEALED_AT);
  });
}

test('what does not end as an entry has no time', () => {
  for (const text of ['', '{}', '}', '","type":"seal","v":1,"verdict":"ACCEPT"}', `${LEAVES['a mark']} `]) {
    const bytes = Buffer.from(text);
    assert.equal(sealedAtOffset(bytes, 0, bytes.length), -1, text);
  }
});
