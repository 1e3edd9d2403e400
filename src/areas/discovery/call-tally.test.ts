import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS, ManualClock, MINUTE_MS } from '#kernel/clock.ts';
import { openStore } from '../../../test/support/engines.ts';
import { ENGINES, hasPostgres } from '../../../test/support/databases.ts';
import { CallTally } from './call-tally.ts';

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  test(`calls and faults of several processes add up by the hour and leave after ninety days (${engine})`, {
    skip,
  }, async () => {
    await using opened = await openStore(engine);
    const clock = new ManualClock(Date.UTC(2026, 10, 15, 10, 59));
    const [one, other] = [new CallTally(opened.store, clock), new CallTally(await opened.beside(), clock)];
    const count = (tally: CallTally, operation: string, ...statuses: number[]) => {
      for (const status of statuses) tally.count(operation, status, clock.now());
    };
    count(one, 'look', 200, 200, 429, 503);
    count(other, 'look', 200);
    count(other, 'claim', 409);
    clock.advance(2 * MINUTE_MS);
    count(one, 'look', 200);
    await Promise.all([one.flush(), other.flush()]);
    await one.flush();
    assert.equal(await one.callsOfDay(), 7);
    const { minimum_pct, worst_endpoint, by_endpoint } = await other.availability();
    assert.deepEqual([minimum_pct, worst_endpoint], [83.3333, 'look']);
    assert.deepEqual(by_endpoint, [
      { operation_id: 'claim', pct: 100, n: 1 },
      { operation_id: 'look', pct: 83.3333, n: 6 },
    ]);
    clock.advance(25 * HOUR_MS);
    assert.equal(await one.callsOfDay(), 0);
    clock.advance(90 * DAY_MS);
    count(one, 'mark', 200);
    await one.flush();
    assert.deepEqual((await one.availability()).by_endpoint, [{ operation_id: 'mark', pct: 100, n: 1 }]);
    const left = await opened.store.read('SELECT operation FROM tally');
    assert.deepEqual(
      left.map(({ operation }) => operation),
      ['mark'],
    );
  });
}

test('what could not be written is written with the next', async () => {
  await using opened = await openStore('sqlite', { maxQueue: 1 });
  const clock = new ManualClock(Date.UTC(2026, 10, 15, 10));
  const tallies = Array.from({ length: 4 }, () => new CallTally(opened.store, clock));
  for (const tally of tallies) tally.count('look', 200, clock.now());
  const outcomes = await Promise.allSettled(tallies.map((tally) => tally.flush()));
  assert.ok(outcomes.some(({ status }) => status === 'rejected'));
  for (const tally of tallies) tally.count('look', 200, clock.now());
  for (const tally of tallies) await tally.flush();
  assert.equal(await (tallies[0] as CallTally).callsOfDay(), 8);
});

test('counts that could not be written stay whole when the hour turns before the next try', async () => {
  await using opened = await openStore('sqlite');
  const clock = new ManualClock(Date.UTC(2026, 10, 15, 10, 59));
  let isDown = true;
  const store: typeof opened.store = Object.assign(Object.create(opened.store) as typeof opened.store, {
    run: async (...given: Parameters<typeof opened.store.run>) => {
      if (isDown) throw new Error('the store is out of reach');
      return opened.store.run(...given);
    },
    read: opened.store.read.bind(opened.store),
  });
  const tally = new CallTally(store, clock);
  for (let n = 0; n < 5; n += 1) tally.count('look', 200, clock.now());
  await assert.rejects(tally.flush());
  tally.count('look', 200, clock.now());
  clock.advance(60_000);
  tally.count('look', 200, clock.now());
  isDown = false;
  await tally.flush();
  assert.equal(await tally.callsOfDay(), 7);
});
