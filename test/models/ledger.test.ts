import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { ManualClock } from '#kernel/clock.ts';
import { type OpenedStore, openStore } from '../support/engines.ts';
import { ENGINES, hasPostgres } from '../support/databases.ts';
import { histories, play } from './ledger-model.ts';

const RUNS = { sqlite: 40, postgres: 4 };
const REFUSALS = ['exceeds_hold', 'hold_expired', 'hold_voided', 'insufficient_funds', 'wallet_frozen'];

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  test(`whatever is posted, held, captured, refunded or disputed on ${engine}: books balance, no wallet is below zero`, {
    skip,
  }, async () => {
    const injectedClock = new ManualClock();
    await using shared = engine === 'postgres' ? await openStore(engine, { injectedClock }) : undefined;
    const reached = new Set<string>();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(histories, async (actions) => {
        // Fresh rows where they cost little: an audit after every step of a growing ledger takes ever longer.
        await using opened = shared === undefined ? await openStore(engine, { injectedClock }) : undefined;
        const { store } = (opened ?? shared) as OpenedStore;
        for (const one of await play(store, injectedClock, (run += 1), actions)) reached.add(one);
      }),
      { numRuns: RUNS[engine] },
    );
    if (engine === 'sqlite')
      assert.deepEqual(
        REFUSALS.filter((code) => !reached.has(code)),
        [],
        'all are reached',
      );
  });
}
