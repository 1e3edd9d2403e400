import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc, { anyCharacter } from '#properties';
import { CompactRange } from './compact-range.ts';
import { hashJoinedLeaves, LeafPage, splitJoinedLeaves } from './leaf-page.ts';
import { leafHash } from './merkle.ts';

const leafText = fc.string({ unit: anyCharacter }).map((text) => text.replaceAll('\n', ' ').toWellFormed());

suite('joined leaves', () => {
  test('hash to the same as each leaf alone', () => {
    fc.assert(
      fc.property(fc.array(leafText, { minLength: 1, maxLength: 40 }), (leaves) => {
        const joined = splitJoinedLeaves(leaves.map((leaf) => `\n${leaf}`).join(''), leaves.length);
        assert.ok(joined !== undefined);
        assert.deepEqual(hashJoinedLeaves(joined), Buffer.concat(leaves.map((leaf) => leafHash(Buffer.from(leaf)))));
      }),
    );
  });

  test('are refused when there are more or fewer than expected, as with a newline inside a leaf', () => {
    assert.equal(splitJoinedLeaves('\na\nb', 1), undefined);
    assert.equal(splitJoinedLeaves('\na\nb', 3), undefined);
    assert.equal(splitJoinedLeaves('a\nb', 1), undefined);
    assert.equal(splitJoinedLeaves('', 1), undefined);
  });
});

test('a page gives the same root as its leaves one by one, for every number of them', () => {
  const hashes = Array.from({ length: 70 }, (_, index) => leafHash(Buffer.from([index])));
  const page = new LeafPage(Buffer.concat(hashes));
  const oneByOne = new CompactRange();
  hashes.forEach((hash, index) => {
    oneByOne.push(hash);
    const range = new CompactRange();
    for (const { height, hash: subtree } of page.subtrees(index + 1)) range.pushSubtree(height, subtree);
    assert.deepEqual(range.root(), oneByOne.root(), String(index));
  });
});

test('a page has no subtrees beyond its leaves, and is made of whole hashes', () => {
  assert.throws(() => new LeafPage(Buffer.alloc(64)).subtrees(3), /as many leaves/);
  assert.throws(() => new LeafPage(Buffer.alloc(63)), /whole hashes/);
  assert.deepEqual(new LeafPage(Buffer.alloc(0)).subtrees(0), []);
});
