import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { LogGrowth } from './growth.ts';

/** A log that is as long as the test says, and counts who looks. */
class Source {
  size = 1;
  looks = 0;
  fault: Error | undefined;
  readonly growth = new LogGrowth(async () => {
    this.looks += 1;
    const { size } = this;
    await Promise.resolve();
    if (this.fault !== undefined) throw this.fault;
    return { size };
  });
  readonly #timers: TestContext['mock']['timers'];

  constructor(t: TestContext) {
    this.#timers = t.mock.timers;
    this.#timers.enable({ apis: ['setTimeout'] });
  }

  /** Lets time pass, and what waited for it happen. */
  async pass(ms: number): Promise<void> {
    this.#timers.tick(ms);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  }
}

const never = new AbortController().signal;

test('one look a second serves everybody who waits, and nobody looks for nobody', async (t) => {
  const source = new Source(t);
  const waiting = [source.growth.beyond(1, never), source.growth.beyond(1, never), source.growth.beyond(2, never)];
  await source.pass(1_000);
  assert.equal(source.looks, 1);
  source.size = 2;
  await source.pass(1_000);
  assert.equal(source.looks, 2);
  assert.deepEqual(await Promise.all(waiting.slice(0, 2)), [{ size: 2 }, { size: 2 }]);
  source.size = 3;
  await source.pass(1_000);
  assert.deepEqual(await waiting[2], { size: 3 });
  for (let n = 0; n < 3; n += 1) await source.pass(1_000);
  assert.equal(source.looks, 3);
});

test('a commit of this process is seen at once, also one that comes while somebody looks', async (t) => {
  const source = new Source(t);
  source.growth.wake();
  await source.pass(0);
  assert.equal(source.looks, 0, 'nobody waits');
  const first = source.growth.beyond(1, never);
  source.size = 2;
  source.growth.wake();
  source.growth.wake();
  await source.pass(0);
  assert.deepEqual([await first, source.looks], [{ size: 2 }, 1]);
  const next = source.growth.beyond(2, never);
  source.growth.wake();
  const looked = source.pass(0);
  source.size = 3;
  source.growth.wake();
  await looked;
  await source.pass(0);
  assert.deepEqual(await next, { size: 3 });
});

test('who no longer wants to know is let go, and a failure is told to everybody who waits', async (t) => {
  const source = new Source(t);
  const leaving = new AbortController();
  const gone = source.growth.beyond(1, leaving.signal);
  const others = [source.growth.beyond(1, never), source.growth.beyond(1, never)];
  leaving.abort();
  assert.equal(await gone, undefined);
  assert.equal(await source.growth.beyond(1, leaving.signal), undefined);
  source.fault = new Error('lost');
  const failures = others.map((other) => assert.rejects(other, source.fault));
  await source.pass(1_000);
  await Promise.all(failures);
  source.fault = undefined;
  source.size = 2;
  const again = source.growth.beyond(1, never);
  await source.pass(1_000);
  assert.deepEqual(await again, { size: 2 });
});
