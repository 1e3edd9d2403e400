import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ENGINES, hasPostgres } from '../../../test/support/databases.ts';
import { type OpenedStore, openStore } from '../../../test/support/engines.ts';
import { eventErasureUnit } from './event-erasure.ts';
import { StoredEvents } from './stored-events.ts';

/** Events of a key at these revisions, and a head that has gone on since. */
async function write(opened: OpenedStore, { key, revs, head }: { key: string; revs: readonly number[]; head: number }) {
  await opened.engine.exclusively(async (ask) => {
    for (const rev of revs) {
      const sql = "INSERT INTO event (rev, key, type, at, body) VALUES ($1, $2, 'claim', 0, $3)";
      await ask(sql, [rev, key, JSON.stringify({ fence: rev })]);
    }
    await ask('UPDATE head SET rev = $1', [head]);
  });
}

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  suite(`stored events on ${engine}`, { skip }, () => {
    test('a key is the same since its newest event, or since a later revision where that is long ago', async () => {
      await using opened = await openStore(engine);
      const events = new StoredEvents(opened.store);
      const sameSince = async (head: number, revs: readonly number[] = []) => {
        await write(opened, { key: 'a', revs, head });
        return (await events.headAndKey('a')).sameSince;
      };
      assert.ok((await sameSince(0)) <= 0);
      assert.equal(await sameSince(1_023, [5, 7]), 7);
      assert.equal(await sameSince(2_047), 7);
      assert.equal(await sameSince(2_048), 1_023);
      assert.equal(await sameSince(9_000, [2_100, 8_191]), 8_191);
      assert.ok((await events.headAndKey('b')).sameSince <= 9_000);
    });

    test('the events of a key come in their order, each once, however much happened to others between them', async () => {
      await using opened = await openStore(engine);
      const events = new StoredEvents(opened.store);
      const start = 3_000_000_000;
      const revs = [1, 1_023, 1_024, 1_025, 5_000, 1_048_575, 1_048_576, 1_048_577, 2_500_000].map(
        (rev) => start + rev,
      );
      const head = start + 2_500_100;
      await write(opened, { key: 'a', revs, head });
      await write(opened, { key: 'b', revs: [start + 2, head], head });
      const from = async (after: number, limit: number) =>
        (await events.ofKey('a', after, limit)).map(({ rev }) => rev);
      assert.deepEqual(await from(start, 100), revs);
      for (const [index, rev] of revs.entries()) assert.deepEqual(await from(rev, 100), revs.slice(index + 1));
      assert.deepEqual(await from(start + 1_000, 4), revs.slice(1, 5));
      assert.deepEqual(await from(head, 100), []);
    });

    test('erasing finds the events of its keys in all that is kept', async () => {
      await using opened = await openStore(engine);
      const about = { fence: 700 };
      assert.equal(await opened.store.run(eventErasureUnit, { key: 'a', about }), 0);
      await write(opened, { key: 'a', revs: [700, 5_000, 90_000], head: 90_001 });
      await write(opened, { key: 'b', revs: [701, 90_001], head: 90_001 });
      const erased = await Promise.all([
        opened.store.run(eventErasureUnit, { key: 'a', about }),
        opened.store.run(eventErasureUnit, { key: 'b', about: { fence: 90_001 } }),
      ]);
      assert.deepEqual(erased, [1, 1]);
      const left = await opened.store.read('SELECT rev FROM event ORDER BY rev');
      assert.deepEqual(
        left.map(({ rev }) => rev),
        [701, 5_000, 90_000],
      );
    });
  });
}
