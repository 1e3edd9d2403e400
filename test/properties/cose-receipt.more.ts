import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CoseCase, COSE_JUDGE_SKIP, pythonVerdicts } from '../referees/cose-judge.ts';
import { caseOf, consistencyOf, entriesOf, inclusionOf, KEY, LOG, treeOf } from '../../src/protocol/_cose-cases.ts';
import { verifyConsistencyReceipt, verifyInclusionReceipt } from '#protocol/cose-receipt.ts';

const SIZE = 5_000;
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('for 5,000 random sizes and places a receipt leads to the root, here and in Python', () => {
  const tree = treeOf(entriesOf(SIZE));
  const trust = { keys: [KEY.publicKey], log: LOG };
  const cases: CoseCase[] = [];
  const places = fc.integer({ min: 2, max: SIZE }).chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1)));
  fc.assert(
    fc.property(places, ([size, index]) => {
      const entry = Buffer.from(`entry ${index}`);
      const included = inclusionOf(tree, index, size);
      const { valid, root } = verifyInclusionReceipt(included, entry, trust);
      assert.deepEqual([valid, hex(root as Uint8Array)], [true, hex(tree.root(size))]);
      cases.push(caseOf(included, { entry: hex(entry) }));
      if (index === 0) return;
      const grown = consistencyOf(tree, index, size);
      assert.equal(verifyConsistencyReceipt(grown, tree.root(index), trust).valid, true);
      cases.push(caseOf(grown, { root: hex(tree.root(index)) }));
    }),
    { numRuns: 5_000 },
  );
  if (COSE_JUDGE_SKIP === false) assert.ok(!pythonVerdicts(cases).includes(false));
});
