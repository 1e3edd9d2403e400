import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DAY_MS, ManualClock, MINUTE_MS } from '#kernel/clock.ts';
import { addressTag } from '#kernel/ip-prefix.ts';
import type { Store } from '#platform/storage/store.ts';
import { openStore } from '../../../test/support/engines.ts';
import { ENGINES, hasPostgres } from '../../../test/support/databases.ts';
import { DayKeys, firstOfThirtyDays, THIRTY_DAYS } from './day-key.ts';

const MIDNIGHT_MS = Date.UTC(2026, 2, 2);
const [YESTERDAY, TODAY, TOMORROW] = ['2026-03-01', '2026-03-02', '2026-03-03'] as const;

async function storedDays(store: Store): Promise<unknown[]> {
  return (await store.read('SELECT day FROM day_key ORDER BY day')).map((row) => row['day']);
}

for (const engine of ENGINES) {
  const options = { skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here' };
  suite(`the day key on ${engine}`, options, () => {
    test('is the same for all processes and after a restart, and 256 bits long', async () => {
      const clock = new ManualClock(MIDNIGHT_MS);
      await using opened = await openStore(engine, { injectedClock: clock });
      const processes = Array.from({ length: 3 }, () => new DayKeys(opened.store, clock));
      await Promise.all(processes.map((process) => process.refresh()));
      const restarted = new DayKeys(opened.store, clock);
      await restarted.refresh();
      const keys = [...processes, restarted].map((process) => process.current(TODAY));
      assert.equal(keys[0]?.length, 32);
      for (const key of keys) assert.deepEqual(key, keys[0]);
      assert.equal(restarted.current(YESTERDAY), undefined);
    });

    test('of the next day is fetched ten minutes ahead, so that no call at midnight waits for it', async () => {
      const clock = new ManualClock(MIDNIGHT_MS - 11 * MINUTE_MS);
      await using opened = await openStore(engine, { injectedClock: clock });
      const [early, late] = [new DayKeys(opened.store, clock), new DayKeys(opened.store, clock)];
      await early.refresh();
      assert.equal(early.current(TODAY), undefined);
      clock.advance(MINUTE_MS);
      await early.refresh();
      const ahead = early.current(TODAY);
      assert.equal(ahead?.length, 32);
      assert.notDeepEqual(ahead, early.current(YESTERDAY));
      clock.set(MIDNIGHT_MS + 1);
      await late.refresh();
      assert.deepEqual(late.current(TODAY), ahead);
    });

    test('is gone from memory and database with the first beat after its day', async () => {
      const clock = new ManualClock(MIDNIGHT_MS - MINUTE_MS);
      await using opened = await openStore(engine, { injectedClock: clock });
      const dayKeys = new DayKeys(opened.store, clock);
      await dayKeys.refresh();
      const [before, ahead] = [dayKeys.current(YESTERDAY), dayKeys.current(TODAY)];
      assert.deepEqual(await storedDays(opened.store), [YESTERDAY, TODAY]);
      clock.set(MIDNIGHT_MS);
      await dayKeys.refresh();
      assert.deepEqual(await storedDays(opened.store), [TODAY]);
      assert.equal(dayKeys.current(YESTERDAY), undefined);
      assert.deepEqual(dayKeys.current(TODAY), ahead, 'the key that was fetched ahead stays');
      const tags = [before, ahead].map((key) => addressTag(key as Uint8Array, '198.51.100.7/32'));
      assert.notEqual(tags[0], tags[1], 'tags of two days cannot be linked');
    });
  });
}

test('a key whose day ended while nothing ran goes with the next start', async () => {
  const clock = new ManualClock(MIDNIGHT_MS - MINUTE_MS);
  await using opened = await openStore('sqlite', { injectedClock: clock });
  await new DayKeys(opened.store, clock).refresh();
  clock.advance(DAY_MS);
  await new DayKeys(opened.store, clock).refresh();
  assert.deepEqual(await storedDays(opened.store), [TODAY, TOMORROW]);
});

test('a database that sees midnight later than this process still loses the key', async () => {
  const clock = new ManualClock(MIDNIGHT_MS);
  const behind = new ManualClock(MIDNIGHT_MS - MINUTE_MS);
  await using opened = await openStore('sqlite', { injectedClock: behind });
  await new DayKeys(opened.store, behind).refresh();
  const dayKeys = new DayKeys(opened.store, clock);
  await dayKeys.refresh();
  assert.deepEqual(await storedDays(opened.store), [YESTERDAY, TODAY]);
  behind.set(MIDNIGHT_MS);
  await dayKeys.refresh();
  assert.deepEqual(await storedDays(opened.store), [TODAY]);
});

test('the key of free tries is one for thirty days, apart from that of the day, and dies with them', async () => {
  const clock = new ManualClock(MIDNIGHT_MS);
  await using opened = await openStore('sqlite', { injectedClock: clock });
  const stored = async () => (await opened.store.read('SELECT secret FROM try_key')).map((row) => row['secret']);
  const keys = new DayKeys(opened.store, clock, THIRTY_DAYS);
  await keys.refresh();
  const [first] = await stored();
  const lastMs = Date.parse(firstOfThirtyDays(MIDNIGHT_MS)) + 30 * DAY_MS - 11 * MINUTE_MS;
  clock.set(lastMs);
  await keys.refresh();
  assert.deepEqual(await stored(), [first]);
  assert.deepEqual(keys.current(firstOfThirtyDays(lastMs)), Buffer.from(String(first), 'base64url'));
  clock.advance(11 * MINUTE_MS);
  await keys.refresh();
  assert.equal((await stored()).length, 1);
  assert.notDeepEqual(await stored(), [first]);
  assert.deepEqual(await storedDays(opened.store), []);
});
