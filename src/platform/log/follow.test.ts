import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StorageError, type Store } from '#platform/storage/store.ts';
import { openStore } from '../../../test/support/engines.ts';
import { PublicLog } from './public-log.ts';
import { oneLogKey } from '../../../test/support/log.ts';

/** A log on a store whose next read can be held back and then failed. */
async function openLog(store: Awaited<ReturnType<typeof openStore>>['store']) {
  let held: Promise<never> | undefined;
  const watched: Store = {
    run: (unit, command) => store.run(unit, command),
    runProven: (unit, command) => store.runProven(unit, command),
    runAll: (steps, stopAt) => store.runAll(steps, stopAt),
    read: (sql, params) => held ?? store.read(sql, params),
    readConfirmed: (sql, params) => store.readConfirmed(sql, params),
    scrub: () => store.scrub(),
    status: () => store.status(),
    close: () => store.close(),
  };
  const log = await PublicLog.open({
    store: watched,
    attach: (sequencer) => store.attachLog(sequencer),
    keys: oneLogKey(0),
    newOrigin: 'test.invalid/log',
    sandbox: true,
  });
  const holdRead = () => {
    const { promise, reject } = Promise.withResolvers<never>();
    held = promise;
    return () => {
      held = undefined;
      reject(new StorageError('unavailable', 'lost'));
    };
  };
  return { log, holdRead };
}

test('who waits for a read that fails gets its own read, and only who asked for that one its failure', async () => {
  await using opened = await openStore('sqlite');
  const { log, holdRead } = await openLog(opened.store);
  const fail = holdRead();
  const asked = log.follow();
  await new Promise((resolve) => setImmediate(resolve));
  const waiting = [log.follow(), log.follow()];
  fail();
  await assert.rejects(asked, StorageError);
  for (const { size } of await Promise.all(waiting)) assert.equal(size, 1);
});

test('a signed size is found again, and one that was not signed is not', async () => {
  await using opened = await openStore('sqlite');
  const { log } = await openLog(opened.store);
  assert.deepEqual(await log.headOf(1), log.head());
  assert.equal(await log.headOf(0), undefined);
  assert.deepEqual([await log.signedSizesNextTo(0), await log.signedSizesNextTo(7)], [[1], [1]]);
});
