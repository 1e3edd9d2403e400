import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from '#properties';
import { exampleLeafHashes, NaiveTree } from './_naive-tree.ts';
import { flipBit, refusesWrongTypes } from './_wrong-types.ts';
import {
  emptyRoot,
  leafHash,
  nodeHash,
  requireHash,
  verifyConsistency,
  verifyInclusion,
  writeParent,
} from './merkle.ts';

const leaves = exampleLeafHashes(70);
const tree = new NaiveTree(leaves);
const MAX = 2n ** 63n - 1n;

function inclusion(index: number, size: number) {
  return {
    index,
    size,
    leafHash: leaves[index] as Uint8Array,
    path: tree.path(index, size) as Uint8Array[],
    root: tree.root(size),
  };
}

function consistency(first: number, second: number) {
  return {
    first,
    second,
    firstRoot: tree.root(first),
    secondRoot: tree.root(second),
    proof: tree.proof(first, second) as Uint8Array[],
  };
}

test('hashes of leaves and nodes are apart from each other and of entries of any length', () => {
  const [a, b] = leaves as unknown as [Uint8Array, Uint8Array];
  assert.notDeepEqual(leafHash(Buffer.concat([a, b])), nodeHash(a, b));
  for (const length of [0, 1, 65_534, 65_535, 65_536, 200_000]) {
    const entry = new Uint8Array(length).fill(7);
    assert.equal(leafHash(entry).length, 32);
    assert.deepEqual(leafHash(entry), leafHash(Buffer.from(entry)));
  }
  const pair = Buffer.concat([a, b, new Uint8Array(32)]);
  writeParent(pair, 0, pair, 64);
  assert.deepEqual(pair.subarray(64), nodeHash(a, b));
});

test('the empty root cannot be spoiled by who got it', () => {
  emptyRoot().fill(0);
  assert.equal(Buffer.from(emptyRoot()).toString('hex').slice(0, 8), 'e3b0c442');
});

suite('RFC 9162 section 2.1.3.2, inclusion', () => {
  test('every leaf of every size is accepted at its place and at no other', () => {
    for (let size = 1; size <= 33; size += 1) {
      for (let index = 0; index < size; index += 1) {
        const claim = inclusion(index, size);
        assert.ok(verifyInclusion(claim));
        assert.ok(verifyInclusion({ ...claim, index: BigInt(index), size: BigInt(size) }));
        for (let other = 0; other <= size; other += 1) {
          if (other !== index) assert.equal(verifyInclusion({ ...claim, index: other }), false);
        }
      }
    }
  });

  test('one changed bit of leaf, root or path is refused', () => {
    for (const [index, size] of [
      [0, 1],
      [3, 7],
      [12, 13],
      [21, 64],
      [69, 70],
    ] as const) {
      const claim = inclusion(index, size);
      for (let bit = 0; bit < 256; bit += 1) {
        assert.equal(verifyInclusion({ ...claim, leafHash: flipBit(claim.leafHash, bit) }), false);
        assert.equal(verifyInclusion({ ...claim, root: flipBit(claim.root, bit) }), false);
        claim.path.forEach((hash, i) => {
          assert.equal(verifyInclusion({ ...claim, path: claim.path.with(i, flipBit(hash, bit)) }), false);
        });
      }
    }
  });

  test('a path with a hash more, less, swapped or of another length is refused', () => {
    const claim = inclusion(21, 64);
    const { path } = claim;
    const paths = [
      [...path, path[0]],
      path.slice(1),
      path.slice(0, -1),
      path.toReversed(),
      [],
      path.with(1, new Uint8Array(31)),
      path.with(1, new Uint8Array(33)),
    ];
    for (const wrong of paths) assert.equal(verifyInclusion({ ...claim, path: wrong as Uint8Array[] }), false);
    const above = { path: [...path, claim.leafHash], root: nodeHash(claim.leafHash, claim.root) };
    assert.equal(verifyInclusion({ ...claim, ...above }), false, 'a root above the root');
    assert.equal(verifyInclusion({ ...claim, path: Array.from({ length: 100_000 }, () => claim.root) }), false);
  });

  test('a tree of 2^63-1 leaves is walked exactly, and one more is refused', () => {
    const path = exampleLeafHashes(63);
    const leaf = leaves[69] as Uint8Array;
    const root = path.reduce((hash, sibling) => nodeHash(hash, sibling), leaf);
    const claim = { index: 0n, size: MAX, leafHash: leaf, path, root };
    assert.ok(verifyInclusion(claim));
    assert.equal(verifyInclusion({ ...claim, size: MAX + 1n }), false);
    assert.equal(verifyInclusion({ ...claim, size: Number(MAX) }), false, 'a number that is not exact');
    assert.equal(verifyInclusion({ ...claim, index: 1n }), false);
    assert.equal(verifyInclusion({ ...claim, path: path.slice(1) }), false);
  });
});

suite('RFC 9162 section 2.1.4.2, consistency', () => {
  test('every pair of sizes is accepted', () => {
    for (let second = 0; second <= 70; second += 1) {
      for (let first = 0; first <= second; first += 1) assert.ok(verifyConsistency(consistency(first, second)));
    }
  });

  test('one changed bit of either root or of the proof is refused', () => {
    for (const [first, second] of [
      [1, 1],
      [4, 8],
      [6, 8],
      [33, 70],
      [64, 70],
    ] as const) {
      const claim = consistency(first, second);
      for (let bit = 0; bit < 256; bit += 1) {
        assert.equal(verifyConsistency({ ...claim, firstRoot: flipBit(claim.firstRoot, bit) }), false);
        assert.equal(verifyConsistency({ ...claim, secondRoot: flipBit(claim.secondRoot, bit) }), false);
        claim.proof.forEach((hash, i) => {
          assert.equal(verifyConsistency({ ...claim, proof: claim.proof.with(i, flipBit(hash, bit)) }), false);
        });
      }
    }
  });

  test('the empty tree starts every tree, and only with its own root and no proof', () => {
    const claim = consistency(0, 9);
    assert.ok(verifyConsistency({ ...claim, secondRoot: leaves[0] as Uint8Array }), 'nothing binds the second root');
    assert.equal(verifyConsistency({ ...claim, firstRoot: tree.root(1) }), false);
    assert.equal(verifyConsistency({ ...claim, proof: [tree.root(9)] }), false);
  });

  test('a shrinking tree, equal sizes with a proof, and missing or further hashes are refused', () => {
    const claim = consistency(6, 8);
    const { proof } = claim;
    assert.equal(verifyConsistency({ ...consistency(6, 8), first: 8, second: 6 }), false);
    assert.equal(verifyConsistency({ ...consistency(8, 8), proof: [tree.root(8)] }), false);
    for (const wrong of [[], proof.slice(1), proof.slice(0, -1), [...proof, proof[0]], proof.toReversed()]) {
      assert.equal(verifyConsistency({ ...claim, proof: wrong as Uint8Array[] }), false);
    }
    const top = leaves[0] as Uint8Array;
    const above = { firstRoot: nodeHash(top, claim.firstRoot), secondRoot: nodeHash(top, claim.secondRoot) };
    assert.equal(verifyConsistency({ ...claim, ...above, proof: [...proof, top] }), false, 'roots above the roots');
    assert.equal(verifyConsistency({ ...claim, second: MAX + 1n }), false);
  });
});

test('random claims are refused and never throw', () => {
  const hash = fc.uint8Array({ minLength: 31, maxLength: 33 });
  const number = fc.oneof(fc.bigInt(-1n, 2n ** 64n), fc.integer(), fc.double());
  fc.assert(
    fc.property(number, number, hash, fc.array(hash, { maxLength: 70 }), hash, (first, second, a, path, b) => {
      assert.equal(verifyInclusion({ index: first, size: second, leafHash: a, path, root: b }), false);
      const claim = { first, second, firstRoot: a, secondRoot: b, proof: path };
      assert.equal(verifyConsistency(claim), false);
    }),
  );
});

test('values of the wrong type are refused in every place', () => {
  const good = inclusion(3, 7);
  const grown = consistency(3, 7);
  refusesWrongTypes('nothing', (value) => verifyInclusion(value));
  refusesWrongTypes('nothing', (value) => verifyConsistency(value));
  refusesWrongTypes('integer', (index) => verifyInclusion({ ...good, index }));
  refusesWrongTypes('nothing', (size) => verifyInclusion({ ...good, size }));
  for (const member of ['leafHash', 'root', 'path']) {
    refusesWrongTypes('nothing', (value) => verifyInclusion({ ...good, [member]: value }));
  }
  refusesWrongTypes('integer', (first) => verifyConsistency({ ...grown, first }));
  for (const member of ['second', 'firstRoot', 'secondRoot', 'proof']) {
    refusesWrongTypes('nothing', (value) => verifyConsistency({ ...grown, [member]: value }));
  }
  const sparse: Uint8Array[] = [];
  sparse.length = good.path.length;
  assert.equal(verifyInclusion({ ...good, path: sparse }), false);
  refusesWrongTypes('bytes', (value) => leafHash(value));
  refusesWrongTypes('nothing', (value) => nodeHash(value, good.root));
  refusesWrongTypes('nothing', (value) => nodeHash(good.root, value));
  refusesWrongTypes('nothing', (value) => requireHash(value) ?? true);
});
