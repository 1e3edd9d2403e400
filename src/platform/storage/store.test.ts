import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR_MS, ManualClock, systemClock } from '#kernel/clock.ts';
import { LOG_HEAD } from '#platform/log/sql.ts';
import { statementStep } from '#platform/log/statement-unit.ts';
import { openEngine, openStore, testSequencer } from '../../../test/support/engines.ts';
import { settableDatabaseClock } from '../../../test/support/database-clock.ts';
import { ENGINES, freshDatabase, hasPostgres } from '../../../test/support/databases.ts';
import { allMigrations } from './all-migrations.ts';
import { GroupCommitter } from './committer.ts';
import type { Engine, Opened } from './engine.ts';
import { loadMigrations, type Migration, migrate } from './migrate.ts';
import { PostgresEngine } from './postgres.ts';
import { StorageError, type Unit } from './store.ts';
import { integer, listed, query, text } from './table.ts';

interface Add {
  readonly name: string;
  readonly amount: number;
  readonly fault?: 'throws' | 'violates';
}
type Sums = ReadonlyMap<string, number>;

const SUM_TABLE: Migration = {
  area: 'sums',
  number: 1,
  name: 'sum',
  sql: 'CREATE TABLE sums (name TEXT PRIMARY KEY, total BIGINT NOT NULL, note TEXT NOT NULL);\n',
};

const SUMS_OF_NAMES = query('SELECT name, total FROM sums WHERE name IN (...)', { name: text(), total: integer() });
const sumReads = (commands: readonly Add[]) => ({
  sums: listed(
    SUMS_OF_NAMES,
    commands.map(({ name }) => name),
  ),
});

/** A small area: sums by name; refuses what would go below zero. */
const sumUnit: Unit<[Add, { rev: number; atMs: number; total: number; refused: boolean }], Sums, typeof sumReads> = {
  name: 'sums',
  reads: sumReads,
  load: ({ sums }) => new Map(sums.map(({ name, total }) => [name, total])),
  decide(sums, nowMs, next, { name, amount, fault }) {
    if (fault === 'throws') throw new Error('poisoned');
    const total = (sums.get(name) ?? 0) + amount;
    if (total < 0) return { state: sums, result: { rev: next.rev - 1, atMs: nowMs, total, refused: true } };
    const state = new Map(sums).set(fault === 'violates' ? '' : name, total);
    const event = { key: name, type: 'add', body: JSON.stringify({ amount }) };
    return { state, result: { rev: next.rev, atMs: nowMs, total, refused: false }, events: [event] };
  },
  writes: (before, after) => [
    {
      sql: 'INSERT INTO sums (name, total, note) VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE SET total = excluded.total',
      // A null note breaks the NOT NULL rule: the poison that only the database notices.
      rows: [...after]
        .filter(([name, total]) => before.get(name) !== total)
        .map(([name, total]) => [name, total, name === '' ? null : 'n']),
    },
  ],
};

for (const name of ENGINES) {
  suite(`store on ${name}`, { skip: name === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here' }, () => {
    test('commands of one batch see each other, in the order of their calls', async () => {
      await using opened = await openStore(name, { migrations: [SUM_TABLE] });
      const results = await Promise.all([1, 2, 3].map((amount) => opened.store.run(sumUnit, { name: 'a', amount })));
      assert.deepEqual(
        results.map(({ total }) => total),
        [1, 3, 6],
      );
      assert.deepEqual(
        results.map(({ rev }) => rev),
        [1, 2, 3],
      );
    });

    test('commands of two units over the same rows see each other too, though they came together', async () => {
      await using opened = await openStore(name, { migrations: [SUM_TABLE] });
      const units = [sumUnit, { ...sumUnit }, sumUnit];
      const results = await Promise.all(units.map((unit) => opened.store.run(unit, { name: 'a', amount: 1 })));
      assert.deepEqual(
        results.map(({ total }) => total),
        [1, 2, 3],
      );
    });

    test('a group of commands is one: results in order, later ones see earlier ones', async () => {
      await using opened = await openStore(name, { migrations: [SUM_TABLE] });
      const add = (amount: number) => ({ unit: sumUnit, command: { name: 'a', amount } });
      const results = (await opened.store.runAll([add(1), add(2), add(3)])) as { total: number }[];
      assert.deepEqual(
        results.map(({ total }) => total),
        [1, 3, 6],
      );
    });

    test('a group of which one command is poisoned leaves nothing, and its neighbours stand', async () => {
      await using opened = await openStore(name, { migrations: [SUM_TABLE] });
      for (const fault of ['throws', 'violates'] as const) {
        const outcomes = await Promise.allSettled([
          opened.store.run(sumUnit, { name: 'before', amount: 1 }),
          opened.store.runAll([
            { unit: sumUnit, command: { name: 'a', amount: 1 } },
            { unit: sumUnit, command: { name: 'b', amount: 1, fault } },
          ]),
          opened.store.run(sumUnit, { name: 'after', amount: 1 }),
        ]);
        assert.deepEqual(
          outcomes.map(({ status }) => status),
          ['fulfilled', 'rejected', 'fulfilled'],
        );
      }
      const rows = await opened.store.read('SELECT name, total FROM sums ORDER BY name');
      assert.deepEqual(
        rows.map((row) => [row['name'], row['total']]),
        [
          ['after', 2],
          ['before', 2],
        ],
      );
    });

    test('a group ends behind the result at which it is told to stop', async () => {
      await using opened = await openStore(name, { migrations: [SUM_TABLE] });
      const add = (amount: number) => ({ unit: sumUnit, command: { name: 'a', amount } });
      const results = await opened.store.runAll(
        [add(1), add(-5), add(7)],
        (result) => (result as { refused: boolean }).refused,
      );
      assert.equal(results.length, 2);
      assert.deepEqual({ ...(await opened.store.read('SELECT total FROM sums'))[0] }, { total: 1 });
    });

    test('a resolved write is visible to another connection', async () => {
      await using opened = await openStore(name, { migrations: [SUM_TABLE] });
      await opened.store.run(sumUnit, { name: 'a', amount: 5 });
      const other = await opened.again();
      assert.deepEqual({ ...(await other.read('SELECT total FROM sums', []))[0] }, { total: 5 });
    });

    test('a read beside an exclusive transaction sees nothing of it before its end', async () => {
      await using opened = await openStore(name, { migrations: [SUM_TABLE] });
      const totals = () => opened.engine.read('SELECT total FROM sums', []);
      await opened.engine.exclusively(async (ask) => {
        await ask("INSERT INTO sums (name, total, note) VALUES ('a', 3, '')");
        assert.deepEqual(await totals(), []);
      });
      assert.deepEqual({ ...(await totals())[0] }, { total: 3 });
    });

    test('a refused command writes nothing and takes no revision', async () => {
      await using opened = await openStore(name, { migrations: [SUM_TABLE] });
      const refused = await opened.store.run(sumUnit, { name: 'a', amount: -1 });
      assert.equal(refused.refused, true);
      assert.deepEqual(await opened.store.read('SELECT rev FROM event'), []);
      assert.equal((await opened.store.run(sumUnit, { name: 'a', amount: 1 })).rev, 1);
    });

    test('more commands than fit into one statement are all written', async () => {
      await using opened = await openStore(name, { migrations: [SUM_TABLE] });
      const names = Array.from({ length: 700 }, (_, index) => `n${index}`);
      await Promise.all(names.map((each) => opened.store.run(sumUnit, { name: each, amount: 1 })));
      const [row] = await opened.store.read('SELECT count(*) AS n, CAST(sum(total) AS BIGINT) AS total FROM sums');
      assert.deepEqual({ ...row }, { n: 700, total: 700 });
      const [events] = await opened.store.read('SELECT count(*) AS n, max(rev) AS last FROM event');
      assert.deepEqual({ ...events }, { n: 700, last: 700 });
    });

    for (const fault of ['throws', 'violates'] as const) {
      test(`one command that ${fault} fails alone, the others of its batch are committed`, async () => {
        await using opened = await openStore(name, { migrations: [SUM_TABLE] });
        const settled = await Promise.allSettled([
          opened.store.run(sumUnit, { name: 'a', amount: 1 }),
          opened.store.run(sumUnit, { name: 'b', amount: 1, fault }),
          opened.store.run(sumUnit, { name: 'c', amount: 1 }),
        ]);
        assert.deepEqual(
          settled.map(({ status }) => status),
          ['fulfilled', 'rejected', 'fulfilled'],
        );
        const rows = await opened.store.read('SELECT name FROM sums ORDER BY name');
        assert.deepEqual(
          rows.map((row) => row['name']),
          ['a', 'c'],
        );
      });
    }

    test('time never goes back, also when the clock does', async () => {
      const clock = new ManualClock();
      await using opened = await openStore(name, { migrations: [SUM_TABLE], injectedClock: clock });
      const first = await opened.store.run(sumUnit, { name: 'a', amount: 1 });
      clock.jump(clock.now() - HOUR_MS);
      const second = await opened.store.run(sumUnit, { name: 'a', amount: 1 });
      assert.equal(second.atMs, first.atMs);
    });

    test('two writers on the same data share one gap-free order', async () => {
      await using opened = await openStore(name, { migrations: [SUM_TABLE] });
      const other = new GroupCommitter({
        engine: await opened.again(),
        clock: systemClock(),
        maxBatch: 256,
        maxQueue: 10_000,
      });
      const runs = Array.from({ length: 200 }, (_, index) =>
        (index % 2 === 0 ? opened.store : other).run(sumUnit, { name: 'a', amount: 1 }),
      );
      const revs = (await Promise.all(runs)).map(({ rev }) => rev).toSorted((a, b) => a - b);
      assert.deepEqual(
        revs,
        Array.from({ length: 200 }, (_, index) => index + 1),
      );
      const [row] = await opened.store.read('SELECT total FROM sums');
      assert.equal(row?.['total'], 200);
    });

    test('a full queue refuses with busy and keeps what it accepted', async () => {
      await using opened = await openStore(name, { migrations: [SUM_TABLE], maxQueue: 3 });
      const runs = Array.from({ length: 5 }, () => opened.store.run(sumUnit, { name: 'a', amount: 1 }));
      const settled = await Promise.allSettled(runs);
      const faults = settled
        .filter((one) => one.status === 'rejected')
        .map(({ reason }) => (reason as StorageError).kind);
      assert.deepEqual(faults, ['busy', 'busy']);
      assert.equal((await opened.store.run(sumUnit, { name: 'a', amount: 0 })).total, 3);
    });

    test('closing finishes what was accepted and refuses the rest', async () => {
      await using opened = await openEngine(name);
      await migrate(opened.engine, [...(await storageMigrations()), SUM_TABLE]);
      const store = new GroupCommitter({ engine: opened.engine, clock: systemClock(), maxBatch: 2, maxQueue: 100 });
      const runs = Array.from({ length: 5 }, () => store.run(sumUnit, { name: 'a', amount: 1 }));
      const closing = store.close();
      await assert.rejects(store.run(sumUnit, { name: 'a', amount: 1 }), { kind: 'closed' });
      assert.deepEqual(
        (await Promise.all(runs)).map(({ total }) => total),
        [1, 2, 3, 4, 5],
      );
      await closing;
    });

    test('a conflict is retried, and the caller sees only the result', async () => {
      await using opened = await openStore(name, { migrations: [SUM_TABLE] });
      const store = committerOver(failing(opened.engine, ['conflict', 'conflict']));
      assert.equal((await store.run(sumUnit, { name: 'a', amount: 1 })).total, 1);
    });

    test('an outage rejects as unavailable, shows in the status, and the next write recovers', async () => {
      await using opened = await openStore(name, { migrations: [SUM_TABLE] });
      const store = committerOver(failing(opened.engine, ['unavailable']));
      await assert.rejects(store.run(sumUnit, { name: 'a', amount: 1 }), { kind: 'unavailable' });
      assert.equal(store.status().state, 'down');
      assert.equal((await store.run(sumUnit, { name: 'a', amount: 1 })).total, 1);
      assert.equal(store.status().state, 'up');
    });

    test('a revision seen in a batch that was then lost is not held against the database', async () => {
      await using opened = await openStore(name, { migrations: [SUM_TABLE] });
      const { engine } = opened;
      let isLost = true;
      const store = committerOver({
        ...failing(engine, []),
        async batch(reads, decide, untilMs) {
          if (!isLost) return engine.batch(reads, decide, untilMs);
          await engine.batch(reads, (there) => (decide({ ...there, rev: there.rev + 5 }), []), untilMs);
          throw new StorageError('unavailable', 'lost with the server');
        },
      });
      await assert.rejects(store.run(sumUnit, { name: 'a', amount: 1 }), { kind: 'unavailable' });
      isLost = false;
      assert.equal((await store.run(sumUnit, { name: 'a', amount: 1 })).total, 1);
    });

    test('a look from before others went on is not taken for a database that was set back', async () => {
      await using opened = await openStore(name, { migrations: [SUM_TABLE] });
      const other = await opened.beside();
      const add = () => store.run(sumUnit, { name: 'a', amount: 1 });
      let isForwarding = false;
      const engine = late(opened.engine, async () => {
        isForwarding = true;
        assert.equal((await add()).rev, 1);
        isForwarding = false;
      });
      const store: GroupCommitter = committerOver(engine);
      store.forwardBy((steps) => (isForwarding ? other.runForwarded(steps, false) : undefined));
      assert.equal((await add()).rev, 2);
      assert.equal(store.status().halted, null);
    });

    test('a look at the log from before others went on is taken again, and a log that was set back halts', async () => {
      await using opened = await openStore(name);
      const { unit, command } = statementStep('first', true);
      let followed = { size: 0, rootHex: '' };
      const engine = late(opened.engine, async () => {
        await opened.store.run(unit, command);
        followed = (await opened.store.read(LOG_HEAD))[0] ?? followed;
      });
      const store = committerOver(engine);
      store.attachLog(testSequencer({ followed: () => followed }));
      await store.run(unit, command);
      assert.equal((await opened.store.read(LOG_HEAD))[0]?.size, 2);
      followed = { size: 3, rootHex: '' };
      await assert.rejects(store.run(unit, command), { kind: 'set_back' });
      assert.match(String(store.status().halted), /has 2 entries, and this process knows 3/);
    });

    test('a halt refuses the batch under way and who waits behind it, writes nothing and stays', async () => {
      await using opened = await openStore(name, { migrations: [SUM_TABLE] });
      const engine = late(opened.engine, async () => store.halt('set back'));
      const store: GroupCommitter = new GroupCommitter({ engine, clock: systemClock(), maxBatch: 1, maxQueue: 10 });
      const runs = await Promise.allSettled([1, 2, 3].map((amount) => store.run(sumUnit, { name: 'a', amount })));
      for (const run of runs) assert.ok(run.status === 'rejected' && (run.reason as StorageError).kind === 'set_back');
      await assert.rejects(store.run(sumUnit, { name: 'a', amount: 4 }), { kind: 'set_back' });
      assert.deepEqual(await opened.engine.read('SELECT name FROM sums', []), []);
      const { state, queued, halted } = store.status();
      assert.deepEqual({ state, queued, halted }, { state: 'down', queued: 0, halted: 'set back' });
    });

    test('a halt while a batch is made durable leaves its callers their answer, and the store down', async () => {
      await using opened = await openStore(name, { migrations: [SUM_TABLE] });
      const { engine } = opened;
      const store: GroupCommitter = committerOver({
        ...failing(engine, []),
        async batch(reads, decide, untilMs) {
          await engine.batch(reads, decide, untilMs);
          store.halt('set back');
        },
      });
      assert.equal((await store.run(sumUnit, { name: 'a', amount: 1 })).total, 1);
      assert.equal(store.status().state, 'down');
    });

    test('a conflict that does not end becomes an outage instead of an endless wait', async () => {
      await using opened = await openStore(name, { migrations: [SUM_TABLE] });
      const store = committerOver(
        failing(
          opened.engine,
          Array.from({ length: 6 }, () => 'conflict' as const),
        ),
      );
      await assert.rejects(store.run(sumUnit, { name: 'a', amount: 1 }), { kind: 'unavailable' });
      assert.deepEqual(await opened.store.read('SELECT name FROM sums'), []);
    });
  });
}

const skip = !(await hasPostgres()) && 'no PostgreSQL here';

test('time is that of the PostgreSQL server: it follows a step ahead at once, and waits after a step back', {
  skip,
}, async () => {
  const { url, step } = await settableDatabaseClock((await freshDatabase('postgres')) as string);
  const engine = await PostgresEngine.open({ url, process: 'stepped', clock: systemClock() });
  await migrate(engine, [...(await allMigrations()), SUM_TABLE]);
  const store = committerOver(engine);
  const timeAfter = async (stepMs: number) => {
    await step(stepMs);
    return (await store.run(sumUnit, { name: 'a', amount: 1 })).atMs;
  };
  const before = await timeAfter(0);
  const ahead = await timeAfter(HOUR_MS);
  assert.ok(ahead >= before + HOUR_MS);
  assert.equal(await timeAfter(-HOUR_MS), ahead);
  assert.ok((await timeAfter(2 * HOUR_MS)) >= ahead + HOUR_MS);
  await store.close();
});

test('a batch that decided for too long is followed by smaller ones, and those grow again', async () => {
  await using opened = await openEngine('sqlite');
  await migrate(opened.engine, [...(await storageMigrations()), SUM_TABLE]);
  const clock = new ManualClock();
  const store = new GroupCommitter({ engine: opened.engine, clock, maxBatch: 8, maxQueue: 100 });
  const sizes: number[] = [];
  let eachMs = 4;
  const slowUnit: typeof sumUnit = {
    ...sumUnit,
    reads(commands) {
      sizes.push(commands.length);
      return sumReads(commands);
    },
    decide(...given) {
      clock.advance(eachMs);
      return sumUnit.decide(...given);
    },
  };
  const crowd = (callers: number) =>
    Promise.all(Array.from({ length: callers }, () => store.run(slowUnit, { name: 'a', amount: 1 })));
  await crowd(16);
  assert.deepEqual(sizes.splice(0), [8, 2, 4, 2], 'no more than eight milliseconds, as far as the batch before told');
  eachMs = 0;
  await crowd(20);
  assert.deepEqual(sizes, [4, 8, 8]);
});

test('who waited behind a failing batch for as long as anybody waits is refused with it, the others are tried', async () => {
  const clock = new ManualClock();
  const untils: number[] = [];
  const first = Promise.withResolvers<void>();
  const engine: Engine = {
    ...failing({ name: 'sqlite' } as Engine, []),
    batch(_reads, _decide, untilMs) {
      untils.push(untilMs);
      return untils.length === 1 ? first.promise : Promise.reject(new StorageError('unavailable', 'still away'));
    },
  };
  const store = new GroupCommitter({ engine, clock, maxBatch: 1, maxQueue: 10 });
  const told = (name: string) =>
    store.run(sumUnit, { name, amount: 1 }).then(
      () => `${name} done`,
      (error: StorageError) => `${name} ${error.message}`,
    );
  const answers = [told('first')];
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  answers.push(told('second'));
  clock.advance(4_000);
  answers.push(told('third'));
  clock.advance(4_000);
  first.reject(new StorageError('unavailable', 'away'));
  assert.deepEqual(await Promise.all(answers), ['first away', 'second others waited for too long', 'third still away']);
  assert.deepEqual(untils, [8_000, 12_000], 'each caller has eight seconds from its call');
});

/** The engine with its next batches failing before they begin. */
function failing(engine: Engine, kinds: ('conflict' | 'unavailable')[]): Engine {
  return {
    name: engine.name,
    durability: () => engine.durability(),
    checkDurability: () => engine.checkDurability(),
    read: (sql, params) => engine.read(sql, params),
    readConfirmed: (sql, params) => engine.readConfirmed(sql, params),
    exclusively: (work) => engine.exclusively(work),
    scrub: () => engine.scrub(),
    close: () => engine.close(),
    batch(reads, decide, untilMs) {
      const kind = kinds.shift();
      return kind === undefined
        ? engine.batch(reads, decide, untilMs)
        : Promise.reject(new StorageError(kind, 'injected'));
    },
  };
}

/** The engine as a process that stands still has it: between its first look and what it decides, others go on. */
function late(engine: Engine, meanwhile: () => Promise<void>): Engine {
  let looks = 0;
  return {
    ...failing(engine, []),
    async batch(reads, decide, untilMs) {
      looks += 1;
      if (looks > 1) return engine.batch(reads, decide, untilMs);
      let seen: Opened | undefined;
      await engine.batch(reads, (opened) => ((seen = opened), []), untilMs);
      await meanwhile();
      decide(seen as Opened);
      throw new StorageError('conflict', 'the server has ended the transaction');
    },
  };
}

function committerOver(engine: Engine): GroupCommitter {
  return new GroupCommitter({ engine, clock: systemClock(), maxBatch: 256, maxQueue: 10_000 });
}

function storageMigrations(): Promise<Migration[]> {
  return loadMigrations('storage', new URL('./migrations/', import.meta.url));
}
