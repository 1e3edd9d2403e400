import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '#kernel/clock.ts';
import { startBench } from './_registers.ts';

const PATIENT = { deadlineMs: 60_000, attemptMs: 60_000, retries: 0 };
const UNTIL_MIDNIGHT_MS = 14 * HOUR_MS; // the bench begins at ten o'clock

for (const [plate, code, waitMs] of [
  ['TESTRL1', 'DAILY_QUOTA', UNTIL_MIDNIGHT_MS],
  ['TESTRL2', 'MOTH-RL-02', 180_000],
] as const) {
  test(`after ${code} nothing is sent for ${waitMs / 1_000} seconds`, async () => {
    await using bench = await startBench({ policy: PATIENT });
    const ask = async (asked: string) => bench.set.dvsaMot?.vehicle(asked, { live: true });
    const throttled = { kind: 'unavailable', code, class: 'throttled' };
    assert.deepEqual(await ask(plate), { ...throttled, retryAfterSeconds: waitMs / 1_000 });
    bench.clock.advance(waitMs - 1_000);
    assert.deepEqual(await ask('TEST01'), { ...throttled, retryAfterSeconds: 1 }, 'although it would be answered');
    bench.clock.advance(1_000);
    assert.equal((await ask('TEST01'))?.kind, 'answered');
  });
}
