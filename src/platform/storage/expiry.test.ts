import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { ENGINES, hasPostgres } from '../../../test/support/databases.ts';
import { openStore } from '../../../test/support/engines.ts';
import { expire } from './expiry.ts';
import type { Migration } from './migrate.ts';
import { step, type Unit } from './store.ts';
import { as, flag, integer, table, text, type ValueOf } from './table.ts';

/** A table of the service whose rows have a key of two columns and a time. */
const LOOK = table('look', { key: text(), agent: text(), at: as('atMs', integer()) }, { key: ['key', 'agent'] });
const expiry = LOOK.expiring({ by: ['at'], keptMs: 10 });

interface Look {
  readonly key: string;
  readonly agent: string;
  readonly atMs: number;
}

const putUnit: Unit<[readonly Look[], null], readonly Look[]> = {
  name: 'put',
  reads: () => ({}),
  load: () => [],
  decide: (put, _nowMs, _next, looks) => ({ state: [...put, ...looks], result: null }),
  writes: (_before, put) => [LOOK.upsert(put)],
};

const STAY_TABLE: Migration = {
  area: 'stays',
  number: 1,
  name: 'stay',
  sql: 'CREATE TABLE stay (id TEXT PRIMARY KEY, since BIGINT NOT NULL, until BIGINT NOT NULL, held BIGINT NOT NULL);\n',
};
const STAY = table(
  'stay',
  { id: text(), since: as('sinceMs', integer()), until: as('untilMs', integer()), held: as('isHeld', flag()) },
  { key: ['id'] },
);
const AFTER_LAST = STAY.expiring({ by: ['since', 'until'], with: 'last', unless: 'held', keptMs: 10 });
const AFTER_FIRST = STAY.expiring({ by: ['since', 'until'], unless: 'held', keptMs: 10 });

type Stay = ValueOf<typeof STAY>;

const stayUnit: Unit<[readonly Stay[], null], readonly Stay[]> = {
  name: 'stay',
  reads: () => ({}),
  load: () => [],
  decide: (put, _nowMs, _next, stays) => ({ state: [...put, ...stays], result: null }),
  writes: (_before, put) => [STAY.upsert(put)],
};

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  const looksIn = async ({ store }: Awaited<ReturnType<typeof openStore>>) => {
    const looks = await store.read(LOOK.select('ORDER BY key, agent'));
    return looks.map(({ key, agent, atMs }) => `${key} ${agent} ${atMs}`);
  };

  test(`rows go once their time and what they are kept beyond it are over, others stay (${engine})`, {
    skip,
  }, async () => {
    const clock = new ManualClock(100);
    await using opened = await openStore(engine, { injectedClock: clock });
    const looks = [
      { key: 'a', agent: 'x', atMs: 90 },
      { key: 'a', agent: 'y', atMs: 91 },
      { key: 'b', agent: 'x', atMs: 89 },
    ];
    await opened.store.run(putUnit, looks);
    assert.equal(await expire({ ...opened, clock }, expiry), 2);
    assert.deepEqual(await looksIn(opened), ['a y 91']);
    assert.equal(await expire({ ...opened, clock }, expiry), 0);
  });

  test(`a process whose clock runs ahead removes nothing that is not over for the store (${engine})`, {
    skip,
  }, async () => {
    const clock = new ManualClock(100);
    await using opened = await openStore(engine, { injectedClock: clock, migrations: [STAY_TABLE] });
    const ahead = { ...opened, clock: new ManualClock(1_000) };
    const stays = async () => (await opened.store.read(STAY.select('ORDER BY id'))).map(({ id }) => id).join(' ');
    await opened.store.run(putUnit, [{ key: 'a', agent: 'x', atMs: 91 }]);
    await opened.store.run(stayUnit, [
      { id: 'both', sinceMs: 50, untilMs: 90, isHeld: false },
      { id: 'held', sinceMs: 50, untilMs: 90, isHeld: true },
      { id: 'neither', sinceMs: 91, untilMs: 91, isHeld: false },
      { id: 'one', sinceMs: 50, untilMs: 91, isHeld: false },
    ]);
    assert.deepEqual([await expire(ahead, expiry), await looksIn(opened)], [0, ['a x 91']]);
    assert.deepEqual([await expire(ahead, AFTER_LAST), await stays()], [1, 'held neither one']);
    assert.deepEqual([await expire(ahead, AFTER_FIRST), await stays()], [1, 'held neither']);
    clock.advance(1);
    assert.deepEqual([await expire(ahead, expiry, AFTER_FIRST), await stays()], [2, 'held']);
    assert.deepEqual(await looksIn(opened), []);
  });

  test(`more rows than one portion holds go in several (${engine})`, { skip }, async () => {
    const clock = new ManualClock(100);
    await using opened = await openStore(engine, { injectedClock: clock });
    await opened.store.run(
      putUnit,
      Array.from({ length: 501 }, (_, n) => ({ key: `k${n}`, agent: 'x', atMs: 1 })),
    );
    const counts = [];
    for (let portion = 0; portion < 3; portion += 1) counts.push(await expire({ ...opened, clock }, expiry));
    assert.deepEqual(counts, [500, 1, 0]);
  });

  for (const [order, first] of [
    ['before', true],
    ['behind', false],
  ] as const) {
    test(`a row that is written anew ${order} its expiry, in the same transaction, stays (${engine})`, {
      skip,
    }, async () => {
      const clock = new ManualClock(100);
      await using opened = await openStore(engine, { injectedClock: clock });
      const { store } = opened;
      await store.run(putUnit, [{ key: 'a', agent: 'x', atMs: 1 }]);
      const anew = step(putUnit, [{ key: 'a', agent: 'x', atMs: 100 }]);
      const together = {
        clock,
        store: {
          runAll: ((steps: readonly Parameters<typeof store.runAll>[0][number][]) =>
            store
              .runAll(first ? [anew, ...steps] : [...steps, anew])
              .then((results) => (first ? results.slice(1) : results.slice(0, -1)))) as typeof store.runAll,
        },
      };
      await expire(together, expiry);
      assert.deepEqual(await looksIn(opened), ['a x 100']);
    });
  }
}
