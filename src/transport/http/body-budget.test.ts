import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyBudget } from './body-budget.ts';

const MIB = 1024 * 1024;

test('one address keeps the longest body at most, all together twice as much, and what was read makes room', () => {
  const budget = new BodyBudget();
  const bodyOf = (address: string) => budget.begin(() => address);
  const first = bodyOf('a');
  assert.equal(first.add(32 * MIB), true);
  assert.equal(bodyOf('a').add(MIB), false, 'its share is used up');
  assert.equal(bodyOf('b').add(32 * MIB), true);
  assert.equal(bodyOf('c').add(MIB), false, 'there is no room for anybody');
  first.end();
  first.end();
  assert.equal(bodyOf('c').add(MIB), true);
  assert.equal(bodyOf('a').add(30 * MIB), true);
});

test('short bodies are taken whatever else is kept', () => {
  const budget = new BodyBudget();
  for (const address of ['a', 'b']) assert.equal(budget.begin(() => address).add(32 * MIB), true);
  const short = budget.begin(() => assert.fail('nobody need know who sends it'));
  assert.equal(short.add(10_000), true);
  assert.equal(short.add(6_384), true);
  assert.equal(budget.begin(() => 'a').add(16_384 + 20_000), false);
});
