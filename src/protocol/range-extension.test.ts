import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleLeafHashes, NaiveTree, seededNumbers } from './_naive-tree.ts';
import { refusesWrongTypes } from './_wrong-types.ts';
import { CompactRange } from './compact-range.ts';
import { verifyConsistency, verifyInclusion } from './merkle.ts';
import { MerkleTree } from './merkle-tree.ts';
import { extendRange } from './range-extension.ts';

const leaves = exampleLeafHashes(3_000);
const naive = new NaiveTree(leaves);

function rangeOf(size: number): CompactRange {
  const range = new CompactRange();
  for (const leaf of leaves.slice(0, size)) range.push(leaf);
  return range;
}

/** Holds everything that the extension says against the naive tree. */
function check(begin: number, end: number): void {
  const extension = extendRange(rangeOf(begin), leaves.slice(begin, end));
  assert.deepEqual(extension.root, naive.root(end));
  assert.equal(extension.range.serialise(), rangeOf(end).serialise());
  assert.deepEqual(extension.consistency(), naive.proof(begin, end));
  for (let i = 0; i < end - begin; i += 1) {
    const expected = naive.path(begin + i, end);
    assert.deepEqual(extension.path(i), expected);
    assert.deepEqual(
      extension.base64Path(i),
      expected.map((hash) => hash.toString('base64')),
    );
  }
}

test('from the range of the old tree and a batch: root, range, every path and the consistency proof', () => {
  for (let begin = 0; begin <= 70; begin += 1) {
    for (const count of [0, 1, 2, 3, 5, 8, 17]) check(begin, begin + count);
  }
  const next = seededNumbers(99);
  for (let round = 0; round < 12; round += 1) {
    const begin = next() % 1_900;
    check(begin, begin + (next() % 60));
  }
  check(0, 1_024);
  check(976, 2_000);
});

test('batch after batch of random size is the same log', () => {
  const next = seededNumbers(4);
  const tree = new MerkleTree();
  let range = new CompactRange();
  while (range.size < 2_900) {
    const batch = leaves.slice(range.size, range.size + 1 + (next() % 90));
    const first = range.size;
    const firstRoot = range.root();
    const { range: grown, root, path, consistency } = extendRange(range, batch);
    for (const leaf of batch) tree.append(leaf);
    assert.deepEqual(root, tree.root());
    const second = grown.size;
    assert.ok(verifyConsistency({ first, second, firstRoot, secondRoot: root, proof: consistency() }));
    batch.forEach((leafHash, i) => {
      assert.ok(verifyInclusion({ index: first + i, size: second, leafHash, path: path(i), root }));
    });
    range = CompactRange.parse(second, grown.serialise());
  }
});

test('a batch that is not committed leaves the range as it was', () => {
  const range = rangeOf(77);
  const text = range.serialise();
  const extension = extendRange(range, leaves.slice(77, 99));
  assert.deepEqual([range.size, range.serialise()], [77, text]);
  extension.range.push(leaves[0] as Uint8Array);
  assert.deepEqual([range.size, range.serialise()], [77, text]);
});

test('a list of leaves that changes later does not change the answer', () => {
  const batch = leaves.slice(0, 5);
  const { path } = extendRange(new CompactRange(), batch);
  batch.reverse();
  assert.deepEqual(path(0), naive.path(0, 5));
});

test('a log far beyond 2^32 entries is extended exactly', () => {
  const size = 2 ** 40 + 5;
  const [whole, four, one] = leaves as [Buffer, Buffer, Buffer];
  const range = CompactRange.from(size, [whole, four, one]);
  const batch = leaves.slice(10, 14);
  const { root, path, consistency } = extendRange(range, batch);
  batch.forEach((leafHash, i) => {
    assert.ok(verifyInclusion({ index: size + i, size: size + 4, leafHash, path: path(i), root }));
  });
  const claim = { first: size, second: size + 4, firstRoot: range.root(), secondRoot: root, proof: consistency() };
  assert.ok(verifyConsistency(claim));
});

test('values of the wrong type are refused in every place', () => {
  const extension = extendRange(rangeOf(3), leaves.slice(3, 9));
  refusesWrongTypes('nothing', (value) => extendRange(value, leaves.slice(3, 9)));
  refusesWrongTypes('list', (value) => (value === '' ? false : extendRange(rangeOf(3), value)));
  refusesWrongTypes('number', (value) => extension.path(value));
  refusesWrongTypes('number', (value) => extension.base64Path(value));
  assert.throws(() => extension.path(6), { code: 'out_of_range' });
});
