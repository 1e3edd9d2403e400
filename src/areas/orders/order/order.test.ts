import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ENDED_STATES,
  FEE_AFTER,
  feeOf,
  type FeeState,
  ORDER_MOVES,
  ORDER_STATES,
  type OrderState,
  OUTCOME_STATES,
} from './order.ts';
import { statesUntil } from './order-follow.ts';

const movesOf = (state: OrderState) => Object.entries(ORDER_MOVES[state]) as [OrderState, keyof typeof FEE_AFTER][];

test('the fee is one percent of the goods, at least a cent, rounded up to the millionth', () => {
  for (const [goods, fee] of [
    [1, 10_000],
    [1_000_000, 10_000],
    [1_000_100, 10_001],
    [1_000_001, 10_001],
    [20_000_000, 200_000],
    [500_000_000, 5_000_000],
  ] as const) {
    assert.equal(feeOf(goods), fee, String(goods));
  }
});

test('along every way the fee is held exactly while placed, and taken only from the confirmation on', () => {
  const walk = (state: OrderState, fee: FeeState, way: readonly OrderState[]): void => {
    const held = state === 'placed';
    const taken = ['confirmed', 'shipped', 'delivered'].includes(state);
    const untouched = state === 'quoted' || state === 'expired';
    assert.equal(fee, held ? 'held' : taken ? 'captured' : untouched ? 'none' : 'voided', way.join(' '));
    assert.equal(ENDED_STATES.has(state), state === 'delivered' || movesOf(state).length === 0, state);
    assert.ok(way.length <= ORDER_STATES.length, 'no way goes round');
    for (const [to, move] of movesOf(state)) walk(to, FEE_AFTER[move](fee), [...way, to]);
  };
  walk('quoted', 'none', ['quoted']);
});

test('whatever a supplier says, the order takes listed moves only, and never backwards', () => {
  for (const known of ORDER_STATES) {
    for (const said of [...ORDER_STATES, 'received'] as const) {
      let state = known;
      for (const next of statesUntil(known, said)) {
        assert.ok(ORDER_MOVES[state][next] !== undefined, `${state} -> ${next} (${known}, ${said})`);
        state = next;
      }
    }
  }
  assert.deepEqual(statesUntil('placed', 'delivered'), ['confirmed', 'shipped', 'delivered']);
  assert.deepEqual(statesUntil('placed', 'refused'), ['refused']);
  assert.deepEqual(statesUntil('shipped', 'confirmed'), []);
  assert.deepEqual(statesUntil('placed', 'received'), []);
});

test('outcomes of a mandate are states of an order', () => {
  for (const outcome of OUTCOME_STATES) assert.ok((ORDER_STATES as readonly string[]).includes(outcome));
});
