import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { REASONS } from '#areas/mandates/checks.ts';
import { STATES } from '#areas/mandates/handshake.ts';
import { ManualClock } from '#kernel/clock.ts';
import { openStore } from '../support/engines.ts';
import { play, steps } from './mandate-model.ts';

test('whatever is verified, approved, sealed, left or revoked: decisions and books are those of the plainest reading', async () => {
  const injectedClock = new ManualClock();
  await using opened = await openStore('sqlite', { injectedClock });
  const reached = new Set<string>();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      run += 1;
      for (const one of await play(opened.store, injectedClock, run, given)) reached.add(one);
    }),
    { numRuns: 100 },
  );
  const all = new Set<string>([...STATES, ...REASONS]);
  assert.deepEqual([...reached].toSorted(), [...all].toSorted(), 'every state and reason is reached');
});
