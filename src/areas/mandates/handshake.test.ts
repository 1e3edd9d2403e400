import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#kernel/clock.ts';
import fc from '#properties';
import { PERIOD_UNITS, periodStart, STATES, STEPS } from './handshake.ts';

test('periods begin at midnight UTC, on Mondays and on the first of the month', () => {
  const rows = [
    ['day', '2026-11-15T23:59:59.999Z', '2026-11-15'],
    ['day', '2026-11-16T00:00:00.000Z', '2026-11-16'],
    ['week', '2026-11-15T12:00:00.000Z', '2026-11-09'],
    ['week', '2026-11-16T00:00:00.000Z', '2026-11-16'],
    ['week', '2027-01-01T00:00:00.000Z', '2026-12-28'],
    ['month', '2026-11-30T23:59:59.999Z', '2026-11-01'],
    ['month', '2028-02-29T10:00:00.000Z', '2028-02-01'],
  ] as const;
  for (const [unit, at, start] of rows) {
    assert.equal(periodStart(unit, Date.parse(at)), Date.parse(`${start}T00:00:00Z`), `${unit} of ${at}`);
  }
});

test('a period begins in itself, and time never falls back into an earlier one', () => {
  const moment = fc.integer({ min: Date.UTC(2020), max: Date.UTC(2100) });
  fc.assert(
    fc.property(fc.constantFrom(...PERIOD_UNITS), moment, fc.nat(40 * DAY_MS), (unit, at, later) => {
      const start = periodStart(unit, at);
      assert.ok(start <= at);
      assert.equal(periodStart(unit, start), start);
      assert.ok(periodStart(unit, at + later) >= start);
    }),
  );
});

test('what ended stays ended, and only expired or denied states may follow nothing but a seal', () => {
  for (const state of STATES) for (const outcome of STEPS[state]) assert.notEqual(outcome, state);
  assert.deepEqual(
    STATES.filter((state) => STEPS[state].length === 0),
    ['cancelled', 'delivered', 'failed', 'refused', 'voided'],
  );
});
