import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '#kernel/clock.ts';
import fc from '#properties';
import { type CallPlan, type Ending, type Lane, permit, settleCall, UNASKED, type VenueState } from './budget.ts';

const PLAN: CallPlan = { perHour: { crawl: 5, look: 2 }, everyMs: 1_000 };
const NOW = 10_000_000;
const WELL: Ending = { type: 'well', isFree: false, remaining: null, resetAtMs: null };

function settled(ending: Ending, state: VenueState = UNASKED): VenueState {
  return settleCall(state, { nowMs: NOW, lane: 'crawl', ending });
}

test('no hour has more calls than planned, lanes do not take from each other, and calls are spaced', () => {
  const tries = fc.array(fc.record({ waitMs: fc.nat(900_000), lane: fc.constantFrom<Lane>('crawl', 'look') }), {
    minLength: 50,
    maxLength: 300,
  });
  fc.assert(
    fc.property(tries, (calls) => {
      let state = UNASKED;
      let nowMs = NOW;
      let lastMs = 0;
      for (const { waitMs, lane } of calls) {
        nowMs += waitMs;
        const leave = permit(state, { nowMs, lane, plan: PLAN });
        if (!leave.granted) {
          assert.ok(leave.untilMs > nowMs, 'a refusal says when to come back');
          continue;
        }
        ({ state } = leave);
        assert.ok(state.calls.crawl <= 5 && state.calls.look <= 2 && state.hourStartMs > nowMs - HOUR_MS);
        assert.ok(nowMs - lastMs >= PLAN.everyMs);
        lastMs = nowMs;
      }
    }),
  );
});

test('whoever comes back at the stated time alone is let through', () => {
  fc.assert(
    fc.property(fc.nat(20), fc.double({ min: 0, max: 1, noNaN: true }), (failures, random) => {
      const held = settled({ type: 'ill', random }, { ...UNASKED, failures });
      const leave = permit(held, { nowMs: NOW, lane: 'look', plan: PLAN });
      assert.ok(!leave.granted && leave.why === 'held' && leave.untilMs <= NOW + HOUR_MS + 1);
      assert.ok(permit(held, { nowMs: leave.untilMs, lane: 'look', plan: PLAN }).granted);
    }),
  );
});

test('failures in a row double the hold up to an hour, with jitter, and a success ends it', () => {
  const holds = Array.from({ length: 9 }, (_, failures) => {
    return settled({ type: 'ill', random: 0 }, { ...UNASKED, failures }).heldUntilMs - NOW;
  });
  assert.deepEqual(
    holds,
    [15, 30, 60, 120, 240, 480, 960, 1_800, 1_800].map((seconds) => seconds * 1_000),
  );
  assert.equal(settled({ type: 'ill', random: 1 }).heldUntilMs - NOW, 30_000);
  assert.equal(settled(WELL, { ...UNASKED, failures: 7 }).failures, 0);
});

test('a source that states its limit is believed, within two hours', () => {
  const until = (ending: Ending) => settled(ending).heldUntilMs - NOW;
  assert.equal(until({ type: 'limited', untilMs: NOW + 90_000 }), 90_000);
  assert.equal(until({ type: 'limited', untilMs: NOW + 99 * HOUR_MS }), 2 * HOUR_MS);
  assert.equal(until({ type: 'limited', untilMs: 0 }), 1_000);
  assert.equal(until({ ...WELL, remaining: 0, resetAtMs: NOW + 60_000 }), 60_000);
  assert.equal(settled({ ...WELL, remaining: 1, resetAtMs: NOW + 60_000 }).heldUntilMs, 0);
});

test('a call that cost nothing is given back', () => {
  const used = { ...UNASKED, calls: { crawl: 3, look: 1 } };
  assert.deepEqual(settled({ ...WELL, isFree: true }, used).calls, { crawl: 2, look: 1 });
  assert.deepEqual(settled(WELL, used).calls, used.calls);
});
