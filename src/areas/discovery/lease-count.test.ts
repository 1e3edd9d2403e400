import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LeaseCount } from './lease-count.ts';

test('active leases are counted once in two seconds, and again after an error', async () => {
  let [nowMs, counts] = [0, 0];
  let broken = false;
  const count = async () => {
    counts += 1;
    if (broken) throw new Error('the store is out of reach');
    return counts;
  };
  const leases = new LeaseCount(count, { monotonicMs: () => nowMs });
  assert.deepEqual(await Promise.all([leases.now(), leases.now()]), [1, 1]);
  nowMs = 1_999;
  assert.equal(await leases.now(), 1);
  nowMs = 2_000;
  assert.equal(await leases.now(), 2);
  [nowMs, broken] = [4_000, true];
  assert.equal(await leases.now(), null);
  [nowMs, broken] = [6_000, false];
  assert.equal(await leases.now(), 4);
});
