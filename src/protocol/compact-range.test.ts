import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { exampleLeafHashes, NaiveTree } from './_naive-tree.ts';
import { refusesWrongTypes } from './_wrong-types.ts';
import { CompactRange, decompose } from './compact-range.ts';
import { emptyRoot } from './merkle.ts';

const leaves = exampleLeafHashes(300);
const naive = new NaiveTree(leaves);

test('a decomposition covers its range without gap by aligned subtrees as large as can be', () => {
  const bound = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(bound, bound, (a, b) => {
      const [begin, end] = [Math.min(a, b), Math.max(a, b)];
      let at = begin;
      for (const { height, index } of decompose(begin, end)) {
        const width = 2 ** height;
        assert.equal(index * width, at, 'starts where the last one ended');
        const canDouble = at % (2 * width) === 0 && at + 2 * width <= end;
        assert.equal(canDouble, false, 'is not half of a larger one');
        at += width;
      }
      assert.equal(at, end);
      assert.ok(decompose(begin, end).length <= 2 * 53);
    }),
  );
});

test('pushed leaf by leaf a range has the root of the tree and one hash per bit of its size', () => {
  const range = new CompactRange();
  for (let size = 0; size <= 300; size += 1) {
    assert.deepEqual(range.root(), naive.root(size));
    assert.equal(range.size, size);
    assert.equal(range.hashes.length, size.toString(2).replaceAll('0', '').length);
    const read = CompactRange.parse(size, range.serialise());
    assert.deepEqual([read.size, read.root(), read.hashes], [size, range.root(), range.hashes]);
    if (size < 300) range.push(leaves[size] as Uint8Array);
  }
});

test('a subtree may be pushed only where it starts at the end', () => {
  const range = new CompactRange();
  range.pushSubtree(1, new NaiveTree(leaves).root(2));
  range.push(leaves[2] as Uint8Array);
  assert.deepEqual(range.root(), naive.root(3));
  assert.throws(() => range.pushSubtree(1, leaves[3] as Uint8Array), { code: 'out_of_range' });
  assert.throws(() => range.pushSubtree(53, leaves[3] as Uint8Array), { code: 'out_of_range' });
  assert.deepEqual(range.root(), naive.root(3), 'a refused push changes nothing');
});

test('the range of nothing is the empty tree', () => {
  assert.deepEqual(new CompactRange().root(), emptyRoot());
  assert.equal(new CompactRange().serialise(), '');
  assert.equal(CompactRange.parse(0, '').size, 0);
});

test('a text of another size, of another length or in another spelling is refused', () => {
  const range = CompactRange.from(5, [naive.root(4), leaves[4] as Uint8Array]);
  const text = range.serialise();
  for (const [size, wrong] of [
    [4, text],
    [7, text],
    [5, ''],
    [5, `${text}=`],
    [5, ` ${text}`],
    [5, text.slice(4)],
    [5, text.replace(/=/g, '')],
  ] as const) {
    assert.throws(() => CompactRange.parse(size, wrong), { code: 'range_malformed' });
  }
});

test('values of the wrong type are refused in every place', () => {
  const range = new CompactRange();
  refusesWrongTypes('number', (value) => decompose(0, value));
  refusesWrongTypes('number', (value) => decompose(value, 9));
  refusesWrongTypes('nothing', (value) => range.push(value));
  refusesWrongTypes('number', (value) => range.pushSubtree(value, naive.root(8)));
  refusesWrongTypes('nothing', (value) => range.pushSubtree(0, value));
  refusesWrongTypes('nothing', (value) => CompactRange.from(value, [naive.root(8)]));
  refusesWrongTypes('nothing', (value) => CompactRange.from(8, value));
  refusesWrongTypes('nothing', (value) => CompactRange.parse(5, value));
});
