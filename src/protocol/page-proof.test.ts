import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { exampleLeafHashes, seededNumbers } from './_naive-tree.ts';
import { flipBit, refusesWrongTypes } from './_wrong-types.ts';
import { MerkleTree } from './merkle-tree.ts';
import { type PageClaim, pageProof, verifyPage } from './page-proof.ts';

const leaves = exampleLeafHashes(2_000);
const tree = new MerkleTree();
for (const leaf of leaves) tree.append(leaf);

function claimOf(from: number, to: number, size: number): PageClaim {
  const proof = pageProof({ from, to, size }, (height, index) => tree.subtree(height, index));
  return { from, size, leafHashes: leaves.slice(from, to), ...proof, root: tree.root(size) };
}

test('every page of every small tree proves itself, the empty one too', () => {
  for (let size = 0; size <= 24; size += 1) {
    for (let from = 0; from <= size; from += 1) {
      for (let to = from; to <= size; to += 1)
        assert.ok(verifyPage(claimOf(from, to, size)), `${from}-${to} of ${size}`);
    }
  }
});

test('random pages prove themselves with at most 2 log2(size) hashes', () => {
  const next = seededNumbers(12);
  for (let round = 0; round < 60; round += 1) {
    const [from = 0, to = 0, size = 0] = [next() % 2_001, next() % 2_001, next() % 2_001].toSorted((a, b) => a - b);
    const claim = claimOf(from, to, size);
    assert.ok(verifyPage(claim));
    assert.ok(claim.left.length + claim.right.length <= 2 * Math.ceil(Math.log2(size + 1)));
  }
});

test('one changed bit of any hash is refused', () => {
  for (const [from, to, size] of [
    [3, 5, 7],
    [0, 6, 13],
    [5, 5, 11],
  ] as const) {
    const claim = claimOf(from, to, size);
    for (let bit = 0; bit < 256; bit += 1) {
      assert.equal(verifyPage({ ...claim, root: flipBit(claim.root, bit) }), false);
      for (const member of ['left', 'leafHashes', 'right'] as const) {
        claim[member].forEach((hash, i) => {
          assert.equal(verifyPage({ ...claim, [member]: claim[member].with(i, flipBit(hash, bit)) }), false);
        });
      }
    }
  }
});

test('another place, size, order or number of hashes is refused', () => {
  const claim = claimOf(3, 9, 13);
  const wrong: Partial<PageClaim>[] = [
    { from: 2 },
    { from: 4 },
    { size: 8 },
    { size: 9 },
    { size: 30 },
    { from: -1 },
    { leafHashes: claim.leafHashes.slice(1) },
    { leafHashes: claim.leafHashes.toReversed() },
    { left: claim.left.toReversed() },
    { left: [] },
    { left: [...claim.left, claim.root] },
    { right: claim.right.slice(1) },
    { right: [...claim.right, claim.root] },
  ];
  for (const change of wrong)
    assert.equal(verifyPage({ ...claim, ...change }), false, JSON.stringify(Object.keys(change)));
  assert.throws(() => claimOf(9, 3, 13), { code: 'out_of_range' });
  assert.throws(() => claimOf(3, 14, 13), { code: 'out_of_range' });
});

test('random claims are refused and never throw', () => {
  const hashes = fc.array(fc.uint8Array({ minLength: 31, maxLength: 33 }), { maxLength: 6 });
  const number = fc.oneof(fc.integer(), fc.double(), fc.nat(20));
  fc.assert(
    fc.property(number, number, hashes, hashes, hashes, (from, size, left, leafHashes, right) => {
      assert.equal(verifyPage({ from, size, left, leafHashes, right, root: new Uint8Array(32) }), false);
    }),
  );
});

test('values of the wrong type are refused in every place', () => {
  const claim = claimOf(3, 9, 13);
  refusesWrongTypes('nothing', (value) => verifyPage(value));
  for (const member of ['from', 'size', 'left', 'leafHashes', 'right', 'root']) {
    const kind = member === 'from' ? 'number' : 'nothing';
    refusesWrongTypes(kind, (value) => verifyPage({ ...claim, [member]: value }));
  }
  refusesWrongTypes('nothing', (value) => pageProof(value, () => claim.root));
});
