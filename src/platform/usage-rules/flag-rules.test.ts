import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#kernel/clock.ts';
import { suspended } from '#kernel/api-key.ts';
import fc from '#properties';
import {
  COUNTED,
  countedTimes,
  EVASION_RULE,
  forgottenMs,
  isSuspensionDue,
  suspensionEndMs,
  TEXT_RULES,
} from './flag-rules.ts';

const NOW = Date.UTC(2026, 10, 15, 9);
const AGENT = 'agt_0123456789abcdefghjkmnpqrs';

const flag = fc.record({
  rule: fc.constantFrom(...TEXT_RULES, EVASION_RULE),
  atMs: fc.integer({ min: NOW - 3 * DAY_MS, max: NOW }),
});

test('two flags of evasion or three of texts within 24 hours suspend, and nothing else does', () => {
  fc.assert(
    fc.property(fc.array(flag, { maxLength: 8 }), fc.integer({ min: NOW - 2 * DAY_MS, max: NOW }), (flags, spent) => {
      const fresh = flags.filter(({ atMs }) => atMs > NOW - DAY_MS && atMs > spent);
      const of = (isEvasion: boolean) => fresh.filter(({ rule }) => (rule === EVASION_RULE) === isEvasion).length;
      assert.equal(isSuspensionDue(flags, spent, NOW), of(true) >= 2 || of(false) >= 3);
    }),
  );
});

test('one flag of evasion and two of texts do not add up', () => {
  const flags = ([EVASION_RULE, ...TEXT_RULES] as const).map((rule) => ({ rule, atMs: NOW - 1 }));
  assert.equal(isSuspensionDue(flags, 0, NOW), false);
});

test('what a suspended address is told of the end is how its suspensions end', () => {
  const [first, second] = [[], [NOW]].map(
    (began) => (suspensionEndMs('addr:0123456789abcdef', began, NOW) - NOW) / MINUTE_MS,
  );
  assert.equal(second, 2 * (first ?? 0));
  assert.match(
    suspended.help,
    new RegExp(`of an address lasts ${first} minutes, doubled each time on the same UTC day`),
  );
});

test('a suspension of an address begins with five minutes, doubles, and ends with the UTC day at the latest', () => {
  const minutes = (repeats: number, nowMs: number) => {
    const began = Array.from({ length: repeats }, (_, i) => nowMs - i * MINUTE_MS);
    return (suspensionEndMs('addr:aa', began, nowMs) - nowMs) / MINUTE_MS;
  };
  assert.deepEqual(
    [0, 1, 2, 5].map((repeats) => minutes(repeats, NOW)),
    [5, 10, 20, 160],
  );
  const toMidnight = forgottenMs('addr:aa', NOW) - NOW;
  assert.equal(minutes(60, NOW), toMidnight / MINUTE_MS);
  assert.equal(minutes(0, NOW + toMidnight - 60_000), 1);
});

test('a suspension doubles from a day to thirty days and forgets repeats after ninety', () => {
  const days = (began: number[]) => (suspensionEndMs(AGENT, began, NOW) - NOW) / DAY_MS;
  const ago = (n: number) => NOW - n * DAY_MS;
  const cases: [number[], number][] = [
    [[], 1],
    [[ago(1)], 2],
    [[ago(1), ago(89)], 4],
    [[ago(1), ago(90)], 2],
    [[ago(1), ago(2), ago(3), ago(4)], 16],
    [[ago(1), ago(2), ago(3), ago(4), ago(5)], 30],
  ];
  for (const [began, lasts] of cases) assert.equal(days(began), lasts, JSON.stringify(began));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: ago(400), max: NOW }), { maxLength: 60 }), (began) => {
      assert.ok(days(began) >= 1 && days(began) <= 30);
    }),
  );
});

test('a count is over exactly where more than the limit lie within its window', () => {
  for (const signal of Object.values(COUNTED)) {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: signal.windowMs / 8 }), { maxLength: 80 }), (gaps) => {
        let times: readonly number[] = [];
        let counting: number[] = [];
        let nowMs = NOW;
        for (const gap of gaps) {
          nowMs += gap;
          counting = [...counting, nowMs].filter((atMs) => atMs > nowMs - signal.windowMs);
          const counted = countedTimes(signal, times, nowMs);
          assert.equal(counted.isOver, counting.length > signal.most);
          if (counted.isOver && signal.startsAnew) counting = [];
          times = counted.times;
          assert.ok(times.length <= signal.most + 1);
        }
      }),
    );
  }
});
