import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { ComponentBoard, type ComponentChange, type ComponentState } from './component-board.ts';

test('a part is up for a minute after its check, then unknown; since is when its state last changed', () => {
  const clock = new ManualClock(1_000_000);
  let state: ComponentState = { status: 'up', detail: null, lastCheckMs: null };
  const board = new ComponentBoard(clock, [{ id: 'x', required: true, look: () => state }]);
  const view = () => board.view()[0];
  assert.partialDeepStrictEqual(view(), { status: 'degraded', detail: 'Not checked yet.', sinceMs: 1_000_000 });
  clock.advance(10);
  state = { ...state, lastCheckMs: clock.now() };
  assert.partialDeepStrictEqual(view(), { status: 'up', detail: null, sinceMs: 1_000_010, latencyMs: null });
  clock.advance(60_000);
  assert.partialDeepStrictEqual(view(), { status: 'up', sinceMs: 1_000_010 });
  clock.advance(1);
  assert.partialDeepStrictEqual(view(), { status: 'degraded', detail: 'Not checked in the last minute.' });
  state = { status: 'down', detail: 'why', lastCheckMs: null };
  assert.partialDeepStrictEqual(view(), { status: 'down', detail: 'Why.', sinceMs: clock.now() });
});

test('a component reports each change of its state once with its cause, and none while it is unchecked or off', () => {
  const clock = new ManualClock(1_000_000);
  const told: ComponentChange[] = [];
  let state: ComponentState = { status: 'up', detail: null, lastCheckMs: null };
  const board = new ComponentBoard(clock, [{ id: 'x', required: false, look: () => state }], (one) => told.push(one));
  const becomes = (status: ComponentState['status'], detail: string | null = null) => {
    clock.advance(1_000);
    state = { status, detail, lastCheckMs: clock.now() };
    board.view();
    board.find('x');
  };
  board.view();
  becomes('up');
  becomes('not_configured');
  becomes('up');
  assert.deepEqual(told, [], 'it was never down');
  becomes('down', 'why');
  becomes('down', 'why not');
  becomes('degraded', 'slow');
  becomes('up');
  assert.deepEqual(told, [
    { id: 'x', from: 'up', to: 'down', detail: 'Why.', lastedMs: 4_000 },
    { id: 'x', from: 'down', to: 'degraded', detail: 'Slow.', lastedMs: 2_000 },
    { id: 'x', from: 'degraded', to: 'up', detail: null, lastedMs: 1_000 },
  ]);
  assert.equal(board.find('y'), undefined);
});
