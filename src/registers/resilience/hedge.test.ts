import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startBench } from '../_registers.ts';
import { startScripted } from '../_scripted.ts';
import { Hedge } from './hedge.ts';

const NEVER = new Promise<string>(() => {});
const nowMs = () => 0;

/** A hedge that has seen so many quick answers. */
async function seasoned(answers: number): Promise<Hedge> {
  const hedge = new Hedge(1);
  for (let i = 0; i < answers; i += 1) await hedge.send(async () => 'quick', nowMs);
  return hedge;
}

suite('a question that may be sent twice', () => {
  test('is answered by the second when the first hangs, and the first is called off', async () => {
    const hedge = await seasoned(20);
    const signals: AbortSignal[] = [];
    const answer = await hedge.send((loser) => {
      signals.push(loser);
      return signals.length === 1 ? NEVER : Promise.resolve('second');
    }, nowMs);
    assert.deepEqual([answer, signals.length, signals[0]?.aborted], ['second', 2, true]);
  });

  test('is answered by the first when the second fails', async () => {
    const hedge = await seasoned(20);
    const first = Promise.withResolvers<string>();
    let sent = 0;
    const answer = hedge.send(() => {
      sent += 1;
      if (sent === 1) return first.promise;
      setImmediate(() => first.resolve('first'));
      return Promise.reject(new Error('second'));
    }, nowMs);
    assert.equal(await answer, 'first');
  });

  test('fails as the first failed when both do, and is not sent again when it fails at once', async () => {
    const hedge = await seasoned(40);
    const first = Promise.withResolvers<string>();
    let sent = 0;
    const both = hedge.send(() => {
      sent += 1;
      if (sent === 1) return first.promise;
      first.reject(new Error('first'));
      return Promise.reject(new Error('second'));
    }, nowMs);
    await assert.rejects(both, /first/);
    const atOnce = async () => {
      sent += 1;
      throw new Error('at once');
    };
    await assert.rejects(hedge.send(atOnce, nowMs), /at once/);
    assert.equal(sent, 3);
  });

  test('is sent once while little is known', async () => {
    const hedge = await seasoned(19);
    let sent = 0;
    const answer = await hedge.send(async () => {
      sent += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return 'slow';
    }, nowMs);
    assert.deepEqual([answer, sent], ['slow', 1]);
  });

  test('at most one in twenty is sent twice, however slow all are', async () => {
    const hedge = await seasoned(20);
    let sent = 20;
    const slow = async () => {
      sent += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await Promise.all(Array.from({ length: 180 }, () => hedge.send(slow, nowMs)));
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
  assert.equal(asked, 25 * 3 + 1);
});

const NEVER_ANSWERED = { body: '', isSilent: true };
