import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { FairQueue } from './fair-queue.ts';

test('agents take turns however much one of them has waiting', () => {
  const queue = new FairQueue<string>(9);
  for (const item of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) queue.push(item.slice(0, 1), item);
  assert.deepEqual(
    Array.from({ length: 7 }, () => queue.take()),
    ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined],
  );
});

test('an agent has no more under way than it may, and others pass by it', () => {
  const queue = new FairQueue<string>(1);
  for (const item of ['a1', 'a2', 'b1']) queue.push(item.slice(0, 1), item);
  assert.deepEqual([queue.take(), queue.take(), queue.take()], ['a1', 'b1', undefined]);
  queue.finished('b');
  assert.equal(queue.take(), undefined);
  queue.finished('a');
  assert.equal(queue.take(), 'a2');
});

test('what was taken out is not given, and what is cleared is given back', () => {
  const queue = new FairQueue<string>(1);
  for (const item of ['a1', 'a2', 'a3']) queue.push('a', item);
  queue.remove('a', 'a1');
  queue.remove('b', 'a2');
  assert.equal(queue.take(), 'a2');
  assert.deepEqual(queue.clear(), ['a3']);
  queue.finished('a');
  assert.equal(queue.take(), undefined);
});

test('everything that was pushed is given once, and an agent waits for at most one task of each other', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4), { maxLength: 40 }), (agents) => {
      const queue = new FairQueue<number>(1);
      for (const [item, agent] of agents.entries()) queue.push(`agt_${agent}`, item);
      const given: number[] = [];
      for (let item = queue.take(); item !== undefined; item = queue.take()) {
        given.push(item);
        queue.finished(`agt_${agents[item]}`);
      }
      assert.deepEqual(
        given.toSorted((a, b) => a - b),
        [...agents.keys()],
      );
      for (const agent of new Set(agents)) {
        const turns = given.flatMap((item, at) => (agents[item] === agent ? [at] : []));
        for (const [n, at] of turns.entries()) assert.ok(at <= (turns[n - 1] ?? -1) + new Set(agents).size);
      }
    }),
  );
});
