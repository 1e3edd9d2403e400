import assert from 'node:assert/strict';
import { beforeEach, suite, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { startBench } from '../_registers.ts';
import { startScripted } from '../_scripted.ts';
import { Hedge } from './hedge.ts';

const NEVER = new Promise<string>(() => {});
const nowMs = () => 0;
const WAIT_MS = 1;

/** Waits as the hedge does: only when the test lets the time pass. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A hedge that has seen so many quick answers. */
async function seasoned(answers: number): Promise<Hedge> {
  const hedge = new Hedge(WAIT_MS);
  for (let i = 0; i < answers; i += 1) await hedge.send(async () => 'quick', nowMs);
  return hedge;
}

suite('a question that may be sent twice', () => {
  beforeEach((t) => (t as TestContext).mock.timers.enable({ apis: ['setTimeout'] }));

  test('is answered by the second when the first hangs, and the first is called off', async (t) => {
    const hedge = await seasoned(20);
    const signals: AbortSignal[] = [];
    const answer = hedge.send((loser) => {
      signals.push(loser);
      return signals.length === 1 ? NEVER : Promise.resolve('second');
    }, nowMs);
    t.mock.timers.tick(WAIT_MS);
    assert.deepEqual([await answer, signals.length, signals[0]?.aborted], ['second', 2, true]);
  });

  test('is answered by the first when the second fails', async (t) => {
    const hedge = await seasoned(20);
    const first = Promise.withResolvers<string>();
    let sent = 0;
    const answer = hedge.send(() => {
      sent += 1;
      if (sent === 1) return first.promise;
      void setImmediate().then(() => first.resolve('first'));
      return Promise.reject(new Error('second'));
    }, nowMs);
    t.mock.timers.tick(WAIT_MS);
    assert.equal(await answer, 'first');
  });

  test('fails as the first failed when both do, and is not sent again when it fails at once', async (t) => {
    const hedge = await seasoned(40);
    const first = Promise.withResolvers<string>();
    let sent = 0;
    const both = hedge.send(() => {
      sent += 1;
      if (sent === 1) return first.promise;
      first.reject(new Error('first'));
      return Promise.reject(new Error('second'));
    }, nowMs);
    t.mock.timers.tick(WAIT_MS);
    await assert.rejects(both, /first/);
    const atOnce = async () => {
      sent += 1;
      throw new Error('at once');
    };
    await assert.rejects(hedge.send(atOnce, nowMs), /at once/);
    assert.equal(sent, 3);
  });

  test('is sent once while little is known', async (t) => {
    const hedge = await seasoned(19);
    let sent = 0;
    const answer = hedge.send(async () => {
      sent += 1;
      await pause(60_000);
      return 'slow';
    }, nowMs);
    t.mock.timers.tick(60_000);
    assert.deepEqual([await answer, sent], ['slow', 1]);
  });

  test('at most one in twenty is sent twice, however slow all are', async (t) => {
    const hedge = await seasoned(20);
    let sent = 20;
    const slow = async () => {
      sent += 1;
      await pause(5 * WAIT_MS);
    };
    const all = Promise.all(Array.from({ length: 180 }, () => hedge.send(slow, nowMs)));
    for (const ms of [WAIT_MS, 5 * WAIT_MS, 5 * WAIT_MS]) {
      t.mock.timers.tick(ms);
      await setImmediate();
    }
    await all;
    assert.ok(sent > 200, 'some are');
    assert.ok(sent <= 210, `${sent - 200} of 200`);
  });
});

test('a data set of the RDW that swallows one question still gives its answer within the attempt', async () => {
  let asked = 0;
  const swallowed = 61;
  await using register = await startScripted((_, path) => {
    asked += 1;
    if (asked === swallowed) return NEVER_ANSWERED;
    const [, kenteken] = /kenteken=(\w+)/.exec(path) ?? [];
    return { body: JSON.stringify(path.includes('m9d7') ? [{ kenteken }] : []) };
  });
  await using bench = await startBench({
    policy: { deadlineMs: 60_000, attemptMs: 60_000, retries: 0 },
    settings: () => ({ rdw: { baseUrl: register.url, appToken: null } }),
  });
  for (let n = 100; n < 125; n += 1) {
    const outcome = await bench.set.rdw?.vehicle(`AB${n}C`);
    assert.equal(outcome?.kind, 'answered');
  }
  // Where the machine is slow, others are sent twice too: of twenty one.
  assert.ok(asked > 25 * 3 && asked <= 25 * 3 + 4, `${asked} questions`);
});

const NEVER_ANSWERED = { body: '', isSilent: true };
