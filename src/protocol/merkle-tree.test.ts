import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runs } from '#properties';
import { exampleLeafHashes, NaiveTree, seededNumbers } from './_naive-tree.ts';
import { refusesWrongTypes } from './_wrong-types.ts';
import { verifyConsistency, verifyInclusion } from './merkle.ts';
import { MerkleTree } from './merkle-tree.ts';
import { tileLayout } from './tile.ts';

function grow(leafHashes: readonly Uint8Array[]): MerkleTree {
  const tree = new MerkleTree();
  for (const hash of leafHashes) tree.append(hash);
  return tree;
}

/** What a store would have kept of the tree. */
function storedForm(tree: MerkleTree, leafHashes: readonly Uint8Array[]) {
  const layout = tileLayout(tree.size);
  const tiles = layout.map(({ level, fullTiles }) =>
    Array.from({ length: fullTiles }, (_, index) => Uint8Array.from(tree.tile(level, index, 256))),
  );
  return { tiles, lastLeafHashes: leafHashes.slice((layout[0]?.fullTiles ?? 0) * 256, tree.size) };
}

test('for every small size root, all inclusion paths and all consistency proofs are those of RFC 6962', () => {
  const sizes = new Set([...Array.from({ length: runs(300) }, (_, size) => size), 255, 256, 257, 300]);
  const leaves = exampleLeafHashes(300);
  const naive = new NaiveTree(leaves);
  const tree = grow(leaves);
  for (const size of sizes) {
    assert.deepEqual(tree.root(size), naive.root(size));
    for (let index = 0; index < size; index += 1) {
      const expected = naive.path(index, size);
      const path = tree.inclusionPath(index, size);
      assert.ok(
        path.length === expected.length &&
          path.every((hash, i) => Buffer.compare(hash, expected[i] as Uint8Array) === 0),
      );
    }
    for (let first = 0; first <= size; first += size < 70 ? 1 : 7) {
      assert.deepEqual(tree.consistencyProof(first, size), naive.proof(first, size));
    }
  }
});

test('while it grows the tree answers for its present size', () => {
  const leaves = exampleLeafHashes(600);
  const naive = new NaiveTree(leaves);
  const tree = new MerkleTree();
  leaves.forEach((leaf, index) => {
    assert.deepEqual(tree.root(), naive.root(index));
    tree.append(leaf);
    assert.equal(tree.size, index + 1);
    const path = tree.inclusionPath(index);
    assert.ok(verifyInclusion({ index, size: tree.size, leafHash: leaf, path, root: tree.root() }));
  });
});

test('a large tree agrees with the naive one at random sizes, and its proofs verify', () => {
  const naive = new NaiveTree(exampleLeafHashes(3 * 1024));
  const tree = new MerkleTree();
  const leaves = runs(1_000_000);
  while (tree.size < leaves) tree.append(naive.leaf(tree.size));
  const next = seededNumbers(20_261_115);
  for (const size of [leaves, 65_536, 65_537, ...Array.from({ length: 5 }, () => next() % leaves)]) {
    const root = tree.root(size);
    assert.deepEqual(root, naive.root(size), `size ${size}`);
    for (const index of [0, size - 1, next() % size, next() % size]) {
      const path = tree.inclusionPath(index, size);
      assert.deepEqual(path, naive.path(index, size));
      assert.ok(verifyInclusion({ index, size, leafHash: naive.leaf(index), path, root }));
    }
    const first = 1 + (next() % size);
    const proof = tree.consistencyProof(first, size);
    assert.deepEqual(proof, naive.proof(first, size));
    assert.ok(verifyConsistency({ first, second: size, firstRoot: tree.root(first), secondRoot: root, proof }));
  }
});

test('a tree loaded from its full tiles is the same tree, and grows on', () => {
  const leaves = exampleLeafHashes(70_000);
  const tree = grow(leaves);
  const loaded = MerkleTree.load(storedForm(tree, leaves));
  const next = seededNumbers(7);
  assert.deepEqual([loaded.size, loaded.root()], [tree.size, tree.root()]);
  for (let i = 0; i < 50; i += 1) {
    const index = next() % tree.size;
    assert.deepEqual(loaded.inclusionPath(index), tree.inclusionPath(index));
    assert.deepEqual(loaded.consistencyProof(index), tree.consistencyProof(index));
  }
  for (const leaf of leaves.slice(0, 700)) {
    loaded.append(leaf);
    tree.append(leaf);
  }
  assert.deepEqual(loaded.root(), tree.root());
});

test('trees of every shape of the right edge load from their tiles', () => {
  const leaves = exampleLeafHashes(66_600);
  for (const size of [0, 1, 255, 256, 257, 511, 512, 65_536, 65_792, 66_600]) {
    const tree = grow(leaves.slice(0, size));
    const stored = storedForm(tree, leaves);
    assert.deepEqual(MerkleTree.load(stored).root(), tree.root(), `size ${size}`);
    const levelZeroOnly = { ...stored, tiles: stored.tiles.slice(0, 1) };
    assert.deepEqual(
      MerkleTree.load(levelZeroOnly).root(),
      tree.root(),
      'higher levels are hashed where none is given',
    );
  }
});

test('a loaded tile that does not hash to the one above it gives no answer', () => {
  const leaves = exampleLeafHashes(66_000);
  const stored = storedForm(grow(leaves), leaves);
  const [lowest = [], ...higher] = stored.tiles;
  const wrong = lowest.map((tile, index) => (index === 7 ? Uint8Array.from(tile).fill(0, 100, 101) : tile));
  const tree = MerkleTree.load({ ...stored, tiles: [wrong, ...higher] });
  assert.deepEqual(tree.root(), grow(leaves).root(), 'the root is that of the tiles above');
  assert.deepEqual([...tree.unchecked()].length, 256);
  for (const call of [
    () => tree.subtree(0, 7 * 256),
    () => tree.subtree(3, 7 * 32),
    () => tree.tile(0, 7, 1),
    () => tree.inclusionPath(7 * 256 + 255),
    () => tree.check({ level: 0, index: 7 }),
  ]) {
    assert.throws(call, { code: 'tile_mismatch' });
  }
  tree.check({ level: 0, index: 8 });
  assert.ok(tree.inclusionPath(8 * 256).length > 0);
});

test('a stored tree with a tile too many, too few or too short is refused', () => {
  const leaves = exampleLeafHashes(65_800);
  const stored = storedForm(grow(leaves), leaves);
  const [lowest = [], higher = []] = stored.tiles;
  for (const tiles of [
    [lowest, []],
    [lowest, [...higher, ...higher]],
    [lowest.slice(2), higher],
    [[new Uint8Array(8191)]],
  ]) {
    assert.throws(() => MerkleTree.load({ ...stored, tiles }), { code: 'argument_invalid' });
  }
});

test('what the caller does with its bytes later does not change the tree', () => {
  const leaf = new Uint8Array(32).fill(1);
  const tree = grow([leaf]);
  const root = Buffer.from(tree.root());
  leaf.fill(2);
  assert.deepEqual(tree.root(), root);
});

test('subtrees and tiles are those of the leaves that are there, and no others', () => {
  const leaves = exampleLeafHashes(700);
  const tree = grow(leaves);
  const naive = new NaiveTree(leaves.slice(256));
  assert.deepEqual(tree.subtree(8, 1), naive.root(256));
  assert.deepEqual(tree.tile(1, 0, 2), Buffer.concat([tree.subtree(8, 0), tree.subtree(8, 1)]));
  assert.deepEqual(tree.tile(0, 2, 188), Buffer.concat(leaves.slice(512)));
  for (const call of [
    () => tree.subtree(8, 2),
    () => tree.subtree(32, 0),
    () => tree.tile(0, 2, 189),
    () => tree.tile(1, 0, 3),
    () => tree.tile(4, 0, 0),
    () => tree.root(701),
    () => tree.inclusionPath(700),
    () => tree.inclusionPath(5, 5),
    () => tree.inclusionPath(0, 0),
    () => tree.consistencyProof(6, 5),
    () => tree.consistencyProof(0, 701),
  ]) {
    assert.throws(call, { code: 'out_of_range' });
  }
});

test('values of the wrong type are refused in every place', () => {
  const tree = grow(exampleLeafHashes(9));
  refusesWrongTypes('nothing', (value) => tree.append(value));
  refusesWrongTypes('nothing', (value) => MerkleTree.load(value));
  const orPresentSize = (value: unknown) => (value === undefined ? Number.NaN : value) as number;
  refusesWrongTypes('number', (value) => tree.root(orPresentSize(value)));
  refusesWrongTypes('number', (value) => tree.inclusionPath(value));
  refusesWrongTypes('number', (value) => tree.inclusionPath(1, orPresentSize(value)));
  refusesWrongTypes('number', (value) => tree.consistencyProof(value));
  refusesWrongTypes('number', (value) => tree.consistencyProof(1, orPresentSize(value)));
  refusesWrongTypes('number', (value) => tree.subtree(value, 0));
  refusesWrongTypes('number', (value) => tree.subtree(0, value));
  refusesWrongTypes('nothing', (value) => tree.tile(value, 0, 3));
  refusesWrongTypes('nothing', (value) => tree.tile(0, value, 3));
  refusesWrongTypes('number', (value) => tree.tile(0, 0, value));
  assert.equal(tree.size, 9);
});
