import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { openStore } from '../../../test/support/engines.ts';
import { ENGINES, hasPostgres } from '../../../test/support/databases.ts';
import { PRESENCE_MS, presenceUnit } from './presence.ts';

const beat = (process: string, leaving = false) => ({ process, jobs: ['sweep', 'settle'], leaving });

for (const name of ENGINES) {
  suite(`presence on ${name}`, { skip: name === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here' }, () => {
    test('the first process leads every job, the second counts but leads none', async () => {
      await using opened = await openStore(name);
      assert.deepEqual(await opened.store.run(presenceUnit, beat('one')), {
        leads: ['sweep', 'settle'],
        liveProcesses: 1,
      });
      assert.deepEqual(await opened.store.run(presenceUnit, beat('two')), { leads: [], liveProcesses: 2 });
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
      });
    });
  });
}
