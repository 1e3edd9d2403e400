import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { DAY_MS, HOUR_MS, isoTime, ManualClock, MAX_SLEW, SlewedTime, systemClock, utcDay } from './clock.ts';

const START_MS = Date.UTC(2026, 10, 15);

/** Reads once a second while wall time is off by `errorMs`; returns how far off the clock then is. */
function errorAfter(seconds: number, errorMs: number): number {
  const time = new SlewedTime(START_MS, 0);
  let now = START_MS;
  for (let s = 1; s <= seconds; s++) now = time.at(s * 1000, () => START_MS + errorMs + s * 1000);
  return START_MS + errorMs + seconds * 1000 - now;
}

test('a clock starts at wall time and advances by the monotonic clock', () => {
  const time = new SlewedTime(START_MS + 0.9, 500.25);
  const wallStandsStill = () => START_MS;
  assert.equal(time.at(500.25, wallStandsStill), START_MS);
  assert.equal(time.at(501.2, wallStandsStill), START_MS);
  assert.equal(time.at(501.3, wallStandsStill), START_MS + 1);
});

test('half a second of error is made good at 500 ppm', () => {
  assert.ok(Math.abs(errorAfter(100, 500) - 450) <= 1);
  assert.ok(Math.abs(errorAfter(1001, 500)) <= 1);
  assert.ok(Math.abs(errorAfter(1001, -500)) <= 1);
});

test('a forward step of an hour is made good at 5 percent, in 20 hours', () => {
  assert.ok(Math.abs(errorAfter(3600, HOUR_MS) - 0.95 * HOUR_MS) <= 1);
  assert.ok(errorAfter(19 * 3600, HOUR_MS) > 0);
  assert.ok(errorAfter(20 * 3600 + 2000, HOUR_MS) <= 1);
});

test('a backward step slows the clock and never moves it back', () => {
  const time = new SlewedTime(START_MS, 0);
  let last = START_MS;
  for (let ms = 0.3; ms < 5000; ms += 0.3) {
    const now = time.at(ms, () => START_MS - HOUR_MS + ms);
    assert.ok(now >= last);
    last = now;
  }
  assert.ok(Math.abs(last - (START_MS + 5000 * (1 - MAX_SLEW))) <= 2);
});

test('a monotonic clock that is read out of order does not move time back', () => {
  const time = new SlewedTime(START_MS, 0);
  const wall = () => START_MS + 100;
  assert.equal(time.at(100, wall), START_MS + 100);
  assert.equal(time.at(40, wall), START_MS + 100);
});

test('whatever wall time does, the clock is an integer, never goes back and keeps within the slew of real time', () => {
  const steps = fc.array(
    fc.record({ passMs: fc.double({ min: 0, max: 1e6, noNaN: true }), wallMs: fc.integer({ min: 0, max: 4e12 }) }),
    { maxLength: 60 },
  );
  const property = fc.property(steps, (readings) => {
    const time = new SlewedTime(START_MS, 7);
    let monotonicMs = 7;
    let last = START_MS;
    for (const { passMs, wallMs } of readings) {
      monotonicMs += passMs;
      const now = time.at(monotonicMs, () => wallMs);
      assert.ok(Number.isSafeInteger(now) && now >= last);
      last = now;
      const realMs = monotonicMs - 7;
      assert.ok(now - START_MS <= realMs * (1 + MAX_SLEW) + 1);
      assert.ok(now - START_MS >= realMs * (1 - MAX_SLEW) - 1);
    }
  });
  fc.assert(property);
});

test('many readings within a millisecond do not add up to drift', () => {
  const time = new SlewedTime(START_MS, 0);
  let now = START_MS;
  for (let i = 1; i <= 1_000_000; i++) now = time.at(i * 1e-4, () => START_MS + i * 1e-4);
  assert.ok(Math.abs(now - (START_MS + 100)) <= 1);
});

test('the system clock agrees with wall time and does not go back', () => {
  const clock = systemClock();
  let last = clock.now();
  assert.ok(Math.abs(last - Date.now()) < 1000);
  for (let i = 0; i < 10_000; i++) {
    const now = clock.now();
    assert.ok(Number.isSafeInteger(now) && now >= last);
    last = now;
  }
  assert.ok(clock.monotonicMs() <= clock.monotonicMs());
});

test('a manual clock moves by hand and both of its readings pass the same time', () => {
  const clock = new ManualClock(START_MS);
  clock.advance(1500);
  clock.set(START_MS + 2000);
  assert.deepEqual([clock.now(), clock.monotonicMs()], [START_MS + 2000, 2000]);
});

test('a manual clock goes back only by a jump, in which no time passes', () => {
  const clock = new ManualClock(START_MS);
  assert.throws(() => clock.advance(-1), RangeError);
  assert.throws(() => clock.set(START_MS - 1), RangeError);
  assert.throws(() => clock.advance(0.5), RangeError);
  clock.jump(START_MS - HOUR_MS);
  assert.deepEqual([clock.now(), clock.monotonicMs()], [START_MS - HOUR_MS, 0]);
});

test('times are written as ISO 8601 with milliseconds, days as their date', () => {
  assert.equal(isoTime(0), '1970-01-01T00:00:00.000Z');
  assert.equal(isoTime(START_MS + 1), '2026-11-15T00:00:00.001Z');
  assert.equal(isoTime(START_MS + 1), '2026-11-15T00:00:00.001Z');
  assert.equal(utcDay(START_MS - 1), '2026-11-14');
  assert.equal(utcDay(START_MS), '2026-11-15');
  assert.throws(() => isoTime(Number.NaN), RangeError);
});

test('a time is written as a Date writes it, whatever was written before it', () => {
  const edges = [-1, 0, DAY_MS - 1, DAY_MS, -DAY_MS, 1.5, -1.5, Date.UTC(10_000, 0, 1), -62_200_000_000_000];
  // Steps that meet all digits, forth and back over days.
  const steps = Array.from({ length: 5_000 }, (_, i) => START_MS + (i % 2 === 0 ? 1 : -1) * i * 7_654_321);
  for (const ms of [...edges, ...steps]) assert.equal(isoTime(ms), new Date(ms).toISOString());
});
