import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { attestationId, base32, isAttestationId, parseAttestationId } from './attestation-id.ts';

test('base32 gives the vectors of RFC 4648 section 10 without padding', () => {
  const vectors = ['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'];
  for (const [length, expected] of vectors.entries()) {
    assert.equal(base32(Buffer.from('foobar'.slice(0, length))), expected);
  }
});

test('an id has 56 characters and gives its leaf hash back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (hash) => {
      const id = attestationId(hash);
      assert.match(id, /^ATT-[A-Z2-7]{52}$/);
      assert.deepEqual(Buffer.from(parseAttestationId(id) as Uint8Array), Buffer.from(hash));
    }),
  );
});

test('a hash of another length has no id', () => {
  for (const length of [0, 31, 33]) assert.throws(() => attestationId(new Uint8Array(length)), TypeError);
});

const GOOD = attestationId(new Uint8Array(32).fill(0xab));

const BAD: readonly (readonly [why: string, text: unknown])[] = [
  ['empty', ''],
  ['prefix missing', GOOD.slice(4)],
  ['lower-case prefix', GOOD.replace('ATT', 'att')],
  ['lower-case digits', `ATT-${GOOD.slice(4).toLowerCase()}`],
  ['too short', GOOD.slice(0, -1)],
  ['too long', `${GOOD}A`],
  ['padded', `${GOOD}====`],
  ['a digit outside the alphabet', GOOD.replace(/.$/, '1')],
  ['stray bits in the last digit', GOOD.replace(/.$/, 'B')],
  ['trailing newline', `${GOOD}\n`],
  ['leading space', ` ${GOOD}`],
  ['full-width letters', GOOD.replace('A', '\uff21')],
  ['not a text', 17],
  ['a list of one id', [GOOD]],
];

for (const [why, text] of BAD) {
  test(`no id: ${why}`, () => {
    assert.equal(isAttestationId(text), false);
    assert.equal(parseAttestationId(text as string), null);
  });
}
