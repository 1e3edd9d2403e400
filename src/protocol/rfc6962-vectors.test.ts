import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { suite, test } from 'node:test';
import { base64, fromBase64, fromHex, hex, type LogVectors, SHARED_VECTORS_SKIP, VECTOR_SETS } from './_vectors.ts';
import { CompactRange, decompose } from './compact-range.ts';
import { emptyRoot, leafHash, verifyConsistency, verifyInclusion } from './merkle.ts';
import { MerkleTree } from './merkle-tree.ts';
import { pageProof, verifyPage } from './page-proof.ts';
import { encodeEntryBundle, parseTilePath } from './tile.ts';

function treeOf(entries: readonly Uint8Array[]): MerkleTree {
  const tree = new MerkleTree();
  for (const entry of entries) tree.append(leafHash(entry));
  return tree;
}

test('the shared vectors are run too', { skip: SHARED_VECTORS_SKIP }, () => {
  assert.deepEqual(
    VECTOR_SETS.map(({ name }) => name),
    ['own vectors', 'shared vectors'],
  );
});

for (const { name: setName, vectors } of VECTOR_SETS) {
  const vectorTest = (title: string, run: (given: LogVectors) => void) => {
    test(title, () => run(vectors));
  };

  suite(`RFC 6962, ${setName}`, () => {
    vectorTest('leaf hashes and the root of every size', ({ rfc6962 }) => {
      const entries = rfc6962.leaves_hex.map(fromHex);
      assert.deepEqual(
        entries.map((entry) => hex(leafHash(entry))),
        rfc6962.leaf_hashes_hex,
      );
      const tree = treeOf(entries);
      const range = new CompactRange();
      rfc6962.roots_by_size_hex.forEach((root, size) => {
        assert.equal(hex(tree.root(size)), root);
        assert.equal(hex(range.root()), root);
        if (size < entries.length) range.push(leafHash(entries[size] as Uint8Array));
      });
      assert.equal(hex(emptyRoot()), rfc6962.roots_by_size_hex[0]);
    });

    vectorTest('inclusion and consistency proofs are made and accepted', ({ rfc6962 }) => {
      const tree = treeOf(rfc6962.leaves_hex.map(fromHex));
      for (const { index, size, leaf_hash_hex, root_hex, hashes_b64 } of rfc6962.inclusion) {
        assert.deepEqual(tree.inclusionPath(index, size).map(base64), hashes_b64);
        const path = hashes_b64.map(fromBase64);
        assert.ok(verifyInclusion({ index, size, leafHash: fromHex(leaf_hash_hex), path, root: fromHex(root_hex) }));
      }
      for (const { first, second, first_root_hex, second_root_hex, hashes_b64 } of rfc6962.consistency) {
        assert.deepEqual(tree.consistencyProof(first, second).map(base64), hashes_b64);
        const roots = { firstRoot: fromHex(first_root_hex), secondRoot: fromHex(second_root_hex) };
        assert.ok(verifyConsistency({ first, second, ...roots, proof: hashes_b64.map(fromBase64) }));
      }
    });

    vectorTest('every Merkle case is judged as the strict verifier must', ({ merkle_cases }) => {
      for (const one of merkle_cases.inclusion) {
        const accepted = verifyInclusion({
          index: BigInt(one.leafIdx),
          size: BigInt(one.treeSize),
          leafHash: fromBase64(one.leafHash),
          path: (one.proof ?? []).map(fromBase64),
          root: fromBase64(one.root),
        });
        assert.equal(accepted, one.strict_result ?? !one.wantErr, one.case);
      }
      for (const one of merkle_cases.consistency) {
        const accepted = verifyConsistency({
          first: BigInt(one.size1),
          second: BigInt(one.size2),
          firstRoot: fromBase64(one.root1),
          secondRoot: fromBase64(one.root2),
          proof: (one.proof ?? []).map(fromBase64),
        });
        assert.equal(accepted, one.strict_result ?? !one.wantErr, one.case);
      }
      assert.ok(merkle_cases.inclusion.length > 20 && merkle_cases.consistency.length > 20);
    });

    vectorTest('range proofs surround their page', ({ rfc6962, range_proofs }) => {
      const leafHashes = rfc6962.leaves_hex.map((leaf) => leafHash(fromHex(leaf)));
      const tree = treeOf(rfc6962.leaves_hex.map(fromHex));
      for (const one of range_proofs.cases) {
        const page = { from: one.from_seq, to: one.next_seq, size: one.tree_size };
        const places = (begin: number, end: number) =>
          decompose(begin, end).map(({ height, index }) => ({ height, start: index * 2 ** height }));
        assert.deepEqual(places(0, page.from), one.left_subtrees);
        assert.deepEqual(places(page.to, page.size), one.right_subtrees);
        const proof = pageProof(page, (height, index) => tree.subtree(height, index));
        assert.deepEqual([proof.left.map(base64), proof.right.map(base64)], [one.left_b64, one.right_b64]);
        const leaves = leafHashes.slice(page.from, page.to);
        assert.ok(verifyPage({ ...page, ...proof, leafHashes: leaves, root: fromHex(one.root_hex) }));
      }
    });

    vectorTest('a log of tens of thousands of entries: roots, proofs, tiles, bundles and a page', ({ large_log }) => {
      const count = Number(/\d+/.exec(large_log.last_entry)?.[0]) + 1;
      const entries = Array.from({ length: count }, (_, i) => Buffer.from(large_log.last_entry.replace(/\d+/, `${i}`)));
      const tree = treeOf(entries);
      for (const [size, root] of Object.entries(large_log.roots_by_size_b64)) {
        assert.equal(base64(tree.root(Number(size))), root, size);
      }
      for (const { index, size, leaf_hash_b64, hashes_b64 } of large_log.inclusion) {
        const path = tree.inclusionPath(index, size);
        assert.deepEqual(path.map(base64), hashes_b64);
        const root = tree.root(size);
        assert.ok(verifyInclusion({ index, size, leafHash: fromBase64(leaf_hash_b64), path, root }));
      }
      for (const { first, second, hashes_b64 } of large_log.consistency) {
        assert.deepEqual(tree.consistencyProof(first, second).map(base64), hashes_b64);
      }
      for (const [path, digest] of Object.entries(large_log.file_sha256_hex)) {
        const { level, index, width } = parseTilePath(path);
        const slice = entries.slice(index * 256, index * 256 + width);
        const bytes = level === 'entries' ? encodeEntryBundle(slice) : tree.tile(level, index, width);
        assert.equal(hash('sha256', bytes, 'hex'), digest, path);
      }
      const { from_seq: from, next_seq: to, tree_size: size, left_b64, right_b64 } = large_log.range_page;
      const proof = { left: left_b64.map(fromBase64), right: right_b64.map(fromBase64) };
      const leafHashes = entries.slice(from, to).map(leafHash);
      assert.ok(verifyPage({ from, size, leafHashes, ...proof, root: tree.root(size) }));
    });
  });
}
