import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { openStore } from '../../../test/support/engines.ts';
import { ENGINES, hasPostgres } from '../../../test/support/databases.ts';
import { PRESENCE_MS, presenceUnit } from './presence.ts';

const beat = (process: string, leaving = false, address: string | null = null) => ({
  process,
  jobs: ['sweep', 'settle'],
  leaving,
  address,
});

for (const name of ENGINES) {
  suite(`presence on ${name}`, { skip: name === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here' }, () => {
    test('the first process leads every job, the second counts but leads none', async () => {
      await using opened = await openStore(name);
      assert.deepEqual(await opened.store.run(presenceUnit, beat('one')), {
        leads: ['sweep', 'settle'],
        liveProcesses: 1,
        writer: null,
      });
      assert.deepEqual(await opened.store.run(presenceUnit, beat('two')), {
        leads: [],
        liveProcesses: 2,
        writer: null,
      });
      assert.deepEqual((await opened.store.run(presenceUnit, beat('one'))).leads, ['sweep', 'settle']);
    });

    test('a leader that falls silent is followed by another after its time, not before', async () => {
      const clock = new ManualClock();
      await using opened = await openStore(name, { injectedClock: clock });
      await opened.store.run(presenceUnit, beat('one'));
      clock.advance(PRESENCE_MS - 1);
      assert.deepEqual((await opened.store.run(presenceUnit, beat('two'))).leads, []);
      clock.advance(1);
      assert.deepEqual(await opened.store.run(presenceUnit, beat('two')), {
        leads: ['sweep', 'settle'],
        liveProcesses: 1,
        writer: null,
      });
      assert.deepEqual((await opened.store.run(presenceUnit, beat('one'))).leads, []);
    });

    test('a leader that leaves frees its jobs at once', async () => {
      await using opened = await openStore(name);
      await opened.store.run(presenceUnit, beat('one'));
      await opened.store.run(presenceUnit, beat('one', true));
      assert.deepEqual(await opened.store.run(presenceUnit, beat('two')), {
        leads: ['sweep', 'settle'],
        liveProcesses: 1,
        writer: null,
      });
    });

    test('the first process with an address writes for those that hand on, and all learn where it is', async () => {
      const clock = new ManualClock();
      await using opened = await openStore(name, { injectedClock: clock });
      const { store } = opened;
      assert.equal((await store.run(presenceUnit, beat('none'))).writer, null);
      const one = { process: 'one', address: '127.0.0.1:1' };
      assert.deepEqual((await store.run(presenceUnit, beat('one', false, one.address))).writer, one);
      assert.deepEqual((await store.run(presenceUnit, beat('two', false, '127.0.0.1:2'))).writer, one);
      assert.deepEqual((await store.run(presenceUnit, beat('none'))).writer, one);
      clock.advance(PRESENCE_MS);
      assert.equal((await store.run(presenceUnit, beat('none'))).writer, null);
      const two = { process: 'two', address: '127.0.0.1:2' };
      assert.deepEqual((await store.run(presenceUnit, beat('two', false, two.address))).writer, two);
    });
  });
}
