import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { STATES } from '#areas/mandates/handshake.ts';
import { ManualClock } from '#kernel/clock.ts';
import { openStore } from './_engines.ts';
import { play, steps } from './_mandate-model.ts';

test('whatever is verified, sealed, left or revoked: counters are the sum of their parts and caps hold', async () => {
  const injectedClock = new ManualClock();
  await using opened = await openStore('sqlite', { injectedClock });
  const reached = new Set<string>();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      run += 1;
      for (const state of await play(opened.store, injectedClock, run, given)) reached.add(state);
    }),
    { numRuns: 60 },
  );
  assert.deepEqual([...reached].toSorted(), [...STATES].toSorted(), 'every state is reached');
});
