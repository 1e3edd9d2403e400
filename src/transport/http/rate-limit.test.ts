import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { readConfig } from '#platform/config/config.ts';
import type { RateClass } from '#kernel/operation.ts';
import type { RateFigures } from '#kernel/rate-policy.ts';
import { RateLimiter, SIGNED_FACTOR } from './rate-limit.ts';

const RATES = readConfig({}).rates;
const limiterOf = (figures: RateFigures) => new RateLimiter('crossing-read', figures);

/** Per class: the header of the first answer, the number of calls at one instant, and the refusal of the next one. */
const CLASSES: readonly (readonly [RateClass, string, string, number, string, number])[] = [
  ['crossing-read', 'q=60;w=3', 'r=59;t=1', 60, 'r=0;t=3', 1],
  ['paid', 'q=60;w=3', 'r=59;t=1', 60, 'r=0;t=3', 1],
  ['attest-read', 'q=60;w=3', 'r=59;t=1', 60, 'r=0;t=3', 1],
  ['wallet', 'q=60;w=3', 'r=59;t=1', 60, 'r=0;t=3', 1],
  ['crossing-write', 'q=20;w=4', 'r=19;t=1', 20, 'r=0;t=4', 1],
  ['tasks', 'q=20;w=4', 'r=19;t=1', 20, 'r=0;t=4', 1],
  ['attest-seal', 'q=50;w=5', 'r=49;t=1', 50, 'r=0;t=5', 1],
  ['mcp', 'q=40;w=4', 'r=39;t=1', 40, 'r=0;t=4', 1],
  ['login', 'q=5;w=60', 'r=4;t=12', 5, 'r=0;t=60', 12],
];
for (const [name, policy, first, burst, last, retryAfter] of CLASSES) {
  test(`${name} tells its figures, and refuses call ${burst + 1} of one instant with a wait of ${retryAfter} s`, () => {
    const limiter = new RateLimiter(name, RATES[name]);
    assert.equal(limiter.policy, `"${name}";${policy}`);
    const outcomes = Array.from({ length: burst + 1 }, () => limiter.take('a', 5_000));
    assert.equal(limiter.header(outcomes[0] as (typeof outcomes)[number]), `"${name}";${first}`);
    assert.deepEqual(
      outcomes.map(({ remaining }) => remaining),
      [...Array(burst).keys(), 0].toSorted((a, b) => b - a),
    );
    assert.deepEqual(
      outcomes.map(({ accepted }) => accepted),
      [...Array<boolean>(burst).fill(true), false],
    );
    const refused = outcomes.at(-1) as (typeof outcomes)[number];
    assert.equal(limiter.header(refused), `"${name}";${last}`);
    assert.equal(refused.retryAfterSeconds, retryAfter);
  });
}

test('every rate class has a row here', () => {
  assert.deepEqual(CLASSES.map(([name]) => name).toSorted(), Object.keys(RATES).toSorted());
});

test('2 per second with a burst of 10 accepts exactly 10 of 50 calls at once', () => {
  const limiter = limiterOf({ calls: 2, perSeconds: 1, burst: 10 });
  const accepted = Array.from({ length: 50 }, () => limiter.take('a', 0)).filter((outcome) => outcome.accepted);
  assert.equal(accepted.length, 10);
});

test('2 per second with a burst of 10 accepts 129 or 130 of 20 calls per second over a minute', () => {
  const limiter = limiterOf({ calls: 2, perSeconds: 1, burst: 10 });
  const accepted = Array.from({ length: 1_200 }, (_, n) => limiter.take('a', n * 50)).filter(
    (outcome) => outcome.accepted,
  );
  assert.ok(accepted.length === 129 || accepted.length === 130, String(accepted.length));
});

test('5 per minute accepts one more call every 12 seconds and not a microsecond before', () => {
  const limiter = limiterOf({ calls: 5, perSeconds: 60, burst: 5 });
  for (let n = 0; n < 5; n += 1) limiter.take('a', 0);
  assert.equal(limiter.take('a', 11_999.999).accepted, false);
  assert.deepEqual(limiter.take('a', 12_000), { accepted: true, remaining: 0, resetSeconds: 60, retryAfterSeconds: 0 });
  assert.equal(limiter.take('a', 12_000).accepted, false);
});

test('a call that costs n takes n from the burst, or nothing when there is not enough', () => {
  const limiter = limiterOf({ calls: 10, perSeconds: 1, burst: 10 });
  assert.equal(limiter.take('a', 0, 7).remaining, 3);
  assert.deepEqual(limiter.take('a', 0, 4), { accepted: false, remaining: 0, resetSeconds: 1, retryAfterSeconds: 1 });
  assert.equal(limiter.take('a', 0, 3).remaining, 0);
});

test('callers do not count against each other', () => {
  const limiter = limiterOf({ calls: 1, perSeconds: 1, burst: 1 });
  assert.equal(limiter.take('a', 0).accepted, true);
  assert.equal(limiter.take('a', 0).accepted, false);
  assert.equal(limiter.take('b', 0).accepted, true);
});

test('a clock that stands still or starts at zero changes nothing', () => {
  const limiter = limiterOf({ calls: 1, perSeconds: 1, burst: 2 });
  assert.deepEqual(
    [0, 0, 0].map((at) => limiter.take('a', at).accepted),
    [true, true, false],
  );
});

test('a rate of more than a call per microsecond still tells what remains', () => {
  const limiter = limiterOf({ calls: 9_999_999, perSeconds: 1, burst: 3 });
  assert.deepEqual(
    [1, 2, 3, 4].map(() => limiter.take('a', 0).remaining),
    [2, 1, 0, 0],
  );
});

test('200,000 callers are remembered, and the one least recently accepted is forgotten first', () => {
  const limiter = limiterOf({ calls: 1, perSeconds: 60, burst: 2 });
  for (let n = 0; n < 200_000; n += 1) limiter.take(`c${n}`, 0);
  limiter.take('c1', 0); // accepted once more: now the most recent
  limiter.take('new', 0); // takes the place of c0
  limiter.take('newer', 0); // takes the place of c2
  assert.equal(limiter.take('c1', 0).accepted, false, 'remembered');
  assert.equal(limiter.take('c3', 0).remaining, 0, 'remembered');
  assert.equal(limiter.take('c2', 0).remaining, 1, 'forgotten');
  assert.equal(limiter.take('c0', 0).remaining, 1, 'forgotten');
});

test('a refusal does not make a caller one that was recently accepted', () => {
  const limiter = limiterOf({ calls: 1, perSeconds: 60, burst: 1 });
  for (let n = 0; n < 200_000; n += 1) limiter.take(`c${n}`, 0);
  assert.equal(limiter.take('c0', 0).accepted, false);
  limiter.take('new', 0);
  assert.equal(limiter.take('c0', 0).accepted, true, 'forgotten in spite of its refused call');
});

for (const [processes, burst, calls] of [
  [2, 10, 120],
  [3, 6, 80],
  [20, 1, 12],
  [60, 1, 4],
] as const) {
  test(`one of ${processes} processes accepts ${burst} at once and ${calls} in the minute after`, () => {
    const limiter = limiterOf({ calls: 4, perSeconds: 1, burst: 20 });
    limiter.share(processes);
    const accepts = (fromMs: number, stepMs: number, count: number) =>
      Array.from({ length: count }, (_, n) => limiter.take('a', fromMs + n * stepMs)).filter(
        (outcome) => outcome.accepted,
      ).length;
    assert.equal(accepts(0, 0, 30), burst);
    assert.equal(accepts(1, 1, 60_000), calls);
    assert.equal(limiter.policy, '"crossing-read";q=20;w=5', 'the policy tells the figures of all together');
  });
}

test('a process that is alone again has the whole figures', () => {
  const limiter = limiterOf({ calls: 4, perSeconds: 1, burst: 20 });
  limiter.share(4);
  limiter.share(1);
  assert.equal(Array.from({ length: 30 }, () => limiter.take('a', 0)).filter((outcome) => outcome.accepted).length, 20);
});

const figures = fc.record({
  calls: fc.integer({ min: 1, max: 50 }),
  perSeconds: fc.constantFrom(1 as const, 60 as const),
  burst: fc.integer({ min: 1, max: 80 }),
});
const gapsMs = fc.array(fc.oneof(fc.constant(0), fc.nat(200), fc.nat(20_000)), {
  minLength: 1,
  maxLength: 200,
  size: 'max',
});

test('property: who waits as long as told is accepted', () => {
  fc.assert(
    fc.property(figures, gapsMs, (given, gaps) => {
      const limiter = limiterOf(given);
      let nowMs = 0;
      for (const gap of gaps) {
        nowMs += gap;
        const outcome = limiter.take('a', nowMs);
        if (outcome.accepted) continue;
        nowMs += outcome.retryAfterSeconds * 1_000;
        assert.equal(limiter.take('a', nowMs).accepted, true);
      }
    }),
  );
});

test('property: a second less than told is too early, where more than one second is told', () => {
  fc.assert(
    fc.property(figures, gapsMs, (given, gaps) => {
      const limiter = limiterOf(given);
      let nowMs = 0;
      for (const gap of gaps) {
        nowMs += gap;
        const { retryAfterSeconds } = limiter.take('a', nowMs);
        if (retryAfterSeconds < 2) continue;
        nowMs += (retryAfterSeconds - 1) * 1_000 - 1;
        assert.equal(limiter.take('a', nowMs).accepted, false);
      }
    }),
  );
});

test('property: in no stretch of time more calls are accepted than the burst and what the rate adds', () => {
  fc.assert(
    fc.property(figures, gapsMs, (given, gaps) => {
      const limiter = limiterOf(given);
      let nowMs = 0;
      const acceptedAtMs: number[] = [];
      for (const gap of gaps) {
        nowMs += gap;
        if (limiter.take('a', nowMs).accepted) acceptedAtMs.push(nowMs);
      }
      acceptedAtMs.forEach((fromMs, first) => {
        acceptedAtMs.slice(first).forEach((toMs, more) => {
          const allowed = given.burst + ((toMs - fromMs) * given.calls) / (given.perSeconds * 1_000);
          assert.ok(more + 1 <= allowed + 0.01, `${more + 1} from ${fromMs} to ${toMs} ms`);
        });
      });
    }),
  );
});

test('property: the calls that are said to remain are there, and no more', () => {
  fc.assert(
    fc.property(figures, gapsMs, (given, gaps) => {
      const limiter = limiterOf(given);
      let nowMs = 0;
      let outcome = limiter.take('a', nowMs);
      for (const gap of gaps.slice(0, 20)) outcome = limiter.take('a', (nowMs += gap));
      for (let left = outcome.remaining; left > 0; left -= 1) assert.equal(limiter.take('a', nowMs).accepted, true);
      assert.equal(limiter.take('a', nowMs).accepted, false);
    }),
  );
});

test('property: no signature lifts the calls of one address by more than the factor, and none makes them fewer', () => {
  const calls = fc.array(fc.record({ gapMs: fc.nat(400), agent: fc.constantFrom(null, 'x', 'y', 'z') }), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(figures, calls, (given, made) => {
      const [signing, unsigned] = [limiterOf(given), limiterOf(given)];
      let nowMs = 0;
      const acceptedAtMs: number[] = [];
      let withoutSignature = 0;
      for (const { gapMs, agent } of made) {
        nowMs += gapMs;
        const { accepted } =
          agent === null ? signing.take('address', nowMs) : signing.takeSigned({ agent, address: 'address' }, nowMs);
        if (accepted) acceptedAtMs.push(nowMs);
        if (unsigned.take('address', nowMs).accepted) withoutSignature += 1;
      }
      assert.ok(acceptedAtMs.length >= withoutSignature);
      acceptedAtMs.forEach((fromMs, first) => {
        acceptedAtMs.slice(first).forEach((toMs, more) => {
          const allowed = given.burst + ((toMs - fromMs) * given.calls) / (given.perSeconds * 1_000);
          assert.ok(more + 1 <= SIGNED_FACTOR * allowed + 0.01, `${more + 1} from ${fromMs} to ${toMs} ms`);
        });
      });
    }),
  );
});

test('calls that are taken although they come too soon hold up later ones, but by no more than one more burst', () => {
  const limiter = new RateLimiter('attest-seal', { calls: 1, perSeconds: 1, burst: 4 });
  const waitAt = (ms: number) => limiter.take('key', ms).retryAfterSeconds;
  for (let call = 0; call < 4; call += 1) assert.equal(waitAt(0), 0);
  assert.equal(waitAt(0), 1);
  limiter.charge('key', 0);
  assert.equal(waitAt(0), 2);
  for (let call = 0; call < 100; call += 1) limiter.charge('key', 0);
  assert.equal(waitAt(0), 5);
  assert.equal(waitAt(5_000), 0);
  limiter.charge('other', 0);
  assert.equal(limiter.take('other', 0).remaining, 2, 'a call within the quota counts as any other');
});

test('agents that sign their calls from one address have four times its calls together, one alone less than twice', () => {
  const burstOf = (agents: readonly string[]) => {
    const limiter = limiterOf({ calls: 60, perSeconds: 60, burst: 60 });
    const take = (n: number) => limiter.takeSigned({ agent: agents[n % agents.length] as string, address: 'a' }, 0);
    return Array.from({ length: 400 }, (_, n) => take(n)).filter(({ accepted }) => accepted).length;
  };
  assert.deepEqual([burstOf(['x']), burstOf(['x', 'y', 'z', 'u', 'v'])], [105, 240]);
});
