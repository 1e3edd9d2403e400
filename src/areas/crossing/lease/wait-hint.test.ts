import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { retryInSeconds } from './wait-hint.ts';

const ISSUE = 'https://github.com/acme/repo/issues/12';
const NO_LIMIT = Number.POSITIVE_INFINITY;

const VECTORS: readonly (readonly [key: string, agent: string, attempt: number, wait: number, retry: number])[] = [
  [ISSUE, 'a7', 0, NO_LIMIT, 2.273722],
  [ISSUE, 'a7', 1, NO_LIMIT, 7.988723],
  [ISSUE, 'a7', 3, NO_LIMIT, 22.436894],
  [ISSUE, 'a7', 3, 12, 12],
  [ISSUE, 'a7', 8, NO_LIMIT, 575.833078],
  ['my task', 'bot-1', 0, NO_LIMIT, 3.596113],
  ['my task', 'bot-2', 0, NO_LIMIT, 3.394782],
];

test('retry hints have their published values', () => {
  for (const [key, agent, attempt, waitSeconds, retry] of VECTORS) {
    assert.equal(retryInSeconds({ key, agent, attempt, waitSeconds }), retry);
  }
});

const REFUSED = fc.record({
  key: fc.string(),
  agent: fc.string(),
  attempt: fc.oneof(fc.nat(12), fc.nat()),
  waitSeconds: fc.nat(100_000),
});

test('jitter is only ever added and at most doubles the backoff, which ends at 300 s', () => {
  const property = fc.property(REFUSED, (refused) => {
    const backoffSeconds = Math.min(300, 2 * 2 ** refused.attempt);
    const retry = retryInSeconds({ ...refused, waitSeconds: NO_LIMIT });
    assert.ok(retry >= backoffSeconds && retry <= 2 * backoffSeconds);
  });
  fc.assert(property);
});

test('the hint is never beyond the wait, so it is 0 when time does not help', () => {
  const property = fc.property(REFUSED, (refused) => {
    assert.ok(retryInSeconds(refused) <= refused.waitSeconds);
    assert.equal(retryInSeconds({ ...refused, waitSeconds: 0 }), 0);
  });
  fc.assert(property);
});

test('nobody is asked to come back before the moment that nothing can hasten', () => {
  const property = fc.property(REFUSED, fc.nat(100_000), (refused, leastSeconds) => {
    const retry = retryInSeconds({ ...refused, leastSeconds });
    assert.ok(retry >= Math.min(leastSeconds, refused.waitSeconds) && retry <= refused.waitSeconds);
  });
  fc.assert(property);
});

test('the same refusal gets the same hint', () => {
  const property = fc.property(REFUSED, (refused) => {
    assert.equal(retryInSeconds(refused), retryInSeconds(Object.freeze({ ...refused })));
  });
  fc.assert(property);
});

test('agents that are refused together are spread over the backoff', () => {
  const hints = Array.from({ length: 1000 }, (_, i) =>
    retryInSeconds({ key: ISSUE, agent: `agent-${i}`, attempt: 4, waitSeconds: NO_LIMIT }),
  );
  for (let quarter = 0; quarter < 4; quarter++) {
    const from = 32 + 8 * quarter;
    const share = hints.filter((retry) => retry >= from && retry < from + 8).length;
    assert.ok(share > 180 && share < 320, `${share} of 1000 in ${from}..${from + 8} s`);
  }
});
