import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import type { Reader } from './engine.ts';
import { engineFacts } from './engine-facts.ts';
import { readingOf } from './store.ts';

/** What is said of the clock of a server that is ahead by so much, where a question takes so long. */
async function aheadOf(offMs: number, tookMs: number): Promise<number | null> {
  const clock = new ManualClock();
  const reader: Reader = {
    close: async () => {},
    read: readingOf(async (sql) => {
      if (sql.includes('standby_names')) return [{ fsync: 'on', standbys: 0 }];
      if (sql.includes('pg_settings')) return [{ name: 'jit', setting: 'off', source: 'client' }];
      clock.advance(tookMs / 2);
      const now = clock.now() + offMs;
      clock.advance(tookMs / 2);
      return [{ now }];
    }),
  };
  return (await engineFacts(reader, 'postgres', clock)).clockAheadMs;
}

test('a clock is called off by what the time of the question does not explain', async () => {
  assert.deepEqual(await Promise.all([aheadOf(0, 8_000), aheadOf(3_000, 8_000), aheadOf(-3_000, 8_000)]), [0, 0, 0]);
  assert.deepEqual(await Promise.all([aheadOf(5_000, 8_000), aheadOf(-5_000, 8_000)]), [1_000, -1_000]);
  assert.deepEqual(await Promise.all([aheadOf(900, 0), aheadOf(-60_000, 0)]), [900, -60_000]);
});
