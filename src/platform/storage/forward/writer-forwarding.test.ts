// Two processes on one database: one hands its commands to the other, which is lost in every way that a process can be.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { suite, test, type TestContext } from 'node:test';
import { statementStep } from '#platform/log/statement-unit.ts';
import { ENGINES, hasPostgres } from '../../../../test/support/databases.ts';
import { openStore, testSequencer } from '../../../../test/support/engines.ts';
import { until } from '../../../../test/support/until.ts';
import { type Clock, ManualClock, systemClock } from '#kernel/clock.ts';
import type { GroupCommitter } from '../committer.ts';
import type { Migration } from '../migrate.ts';
import { StorageError, type Unit } from '../store.ts';
import { integer, nothing, query, text } from '../table.ts';
import { helloFrame } from './handshake.ts';
import { type ForwardingOptions, WriterForwarding } from './writer-forwarding.ts';

const TABLE: Migration = {
  area: 'counts',
  number: 1,
  name: 'count',
  sql: 'CREATE TABLE counts (name TEXT PRIMARY KEY, total BIGINT NOT NULL);\n',
};
const COUNTS = query('SELECT name, total FROM counts', { name: text(), total: integer() });
const reads = () => ({ counts: COUNTS });

interface Add {
  readonly name: string;
  readonly fault?: true;
  /** Code has no plain form. */
  readonly code?: () => void;
}
interface Added {
  readonly total: number;
  readonly rev: number;
}

/** Counts by name; each count is an event. */
const countUnit: Unit<[Add, Added], ReadonlyMap<string, number>, typeof reads> = {
  name: 'counts',
  reads,
  load: ({ counts }) => new Map(counts.map(({ name, total }) => [name, total])),
  decide(state, _nowMs, next, { name, fault }) {
    if (fault) throw new Error('poisoned');
    const total = (state.get(name) ?? 0) + 1;
    const event = { key: name, type: 'add', body: '{}' };
    return { state: new Map(state).set(name, total), result: { total, rev: next.rev }, events: [event] };
  },
  writes: (before, after) => [
    {
      sql: 'INSERT INTO counts (name, total) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET total = excluded.total',
      rows: [...after].filter(([name, total]) => before.get(name) !== total),
    },
  ],
};

const SECRET = 'of this installation';

const LACKS_KEY = { isLackOfKey: (error: unknown) => /no key/.test(String(error)) };

interface Others extends Partial<Pick<ForwardingOptions, 'isLackOfKey'>> {
  readonly secret?: string;
  readonly maxQueue?: number;
  readonly clock?: Clock;
  readonly warn?: (text: string, details: { readonly address: string }) => void;
}

function forwardingOf(store: GroupCommitter, process: string, others: Others = {}) {
  return WriterForwarding.open({
    store,
    process,
    clock: systemClock(),
    secret: SECRET,
    host: '127.0.0.1',
    maxQueue: 1_000,
    patience: 1,
    warn: () => {},
    isLackOfKey: () => false,
    ...others,
  });
}

/** A process that writes, and one that hands on to it. */
async function pair(name: (typeof ENGINES)[number], clock: Clock = systemClock(), ofWriter: Others = {}) {
  const stack = new AsyncDisposableStack();
  const opened = stack.use(await openStore(name, { migrations: [TABLE] }));
  const follower = await opened.beside();
  const writer = stack.use(await forwardingOf(opened.store, 'one', ofWriter));
  const handing = stack.use(await forwardingOf(follower, 'two', { clock }));
  // The process that writes knows the unit once it has used it.
  await opened.store.run(countUnit, { name: 'first' });
  handing.follow({ process: 'one', address: writer.address });
  await handing.settled();
  return { store: opened.store, follower, writer, handing, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

for (const name of ENGINES) {
  suite(`forwarding on ${name}`, {
    skip: name === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('commands of both processes count together, and each is answered with its own result', async () => {
      await using two = await pair(name);
      const all = await Promise.all(
        Array.from({ length: 200 }, (_, n) => (n % 2 ? two.store : two.follower).run(countUnit, { name: 'a' })),
      );
      assert.deepEqual(new Set(all.map(({ total }) => total)).size, 200);
      assert.equal(new Set(all.map(({ rev }) => rev)).size, 200);
      const [{ total } = { total: 0 }] = (await two.follower.read(COUNTS)).filter((row) => row.name === 'a');
      assert.equal(total, 200);
    });

    test('what was handed on is written by the other process alone, and its revision wakes who listens here', async () => {
      await using two = await pair(name);
      let woken = 0;
      two.follower.onRevision(() => (woken += 1));
      const before = two.follower.status().lastCommitMs;
      const { rev } = await two.follower.run(countUnit, { name: 'a' });
      assert.equal(two.follower.status().lastCommitMs, before);
      assert.equal(two.follower.newestRevision(), rev);
      assert.equal(woken, 1);
    });

    test('proofs of log entries come back with what was handed on', async () => {
      await using two = await pair(name);
      const stated = (store: GroupCommitter, statement: string) => {
        const { unit, command } = statementStep(statement, true);
        return store.runProven(unit, command);
      };
      await stated(two.store, 'first');
      const { proofs } = await stated(two.follower, 'second');
      assert.equal(proofs.length, 1);
      assert.equal(proofs[0]?.seq, 1);
      assert.equal(proofs[0]?.treeSize, 2);
    });

    test('a fault of one command is told to its caller alone', async () => {
      await using two = await pair(name);
      const [good, bad] = await Promise.allSettled([
        two.follower.run(countUnit, { name: 'a' }),
        two.follower.run(countUnit, { name: 'a', fault: true }),
      ]);
      assert.equal(good.status, 'fulfilled');
      assert.ok(bad.status === 'rejected' && /poisoned/.test(String(bad.reason)));
    });

    test('a command without a plain form, and a unit that the other has not met, are written here', async () => {
      await using two = await pair(name);
      const code = () => {};
      assert.equal((await two.follower.run(countUnit, { name: 'a', code })).total, 1);
      const other: typeof countUnit = { ...countUnit, name: 'others' };
      assert.equal((await two.follower.run(other, { name: 'a' })).total, 2);
      assert.equal((await two.follower.run(countUnit, { name: 'a' })).total, 3);
    });

    test('what the other has no key for is written here', async () => {
      await using two = await pair(name, systemClock(), LACKS_KEY);
      const { unit, command } = statementStep('first', true);
      two.store.attachLog(testSequencer({ signers: { inForceRead: nothing(), of: () => assert.fail('no key') } }));
      await assert.rejects(two.store.run(unit, command), /no key/);
      assert.equal((await two.follower.runProven(unit, command)).proofs[0]?.treeSize, 1);
      assert.equal((await two.follower.run(countUnit, { name: 'a' })).total, 1);
    });

    test('what is under way when the other stops is answered, and written once', async () => {
      await using two = await pair(name);
      const runs = Array.from({ length: 50 }, () => two.follower.run(countUnit, { name: 'a' }));
      // The commands are on their way to the other process, which may have begun with them or not.
      await new Promise((resolve) => setImmediate(resolve));
      await two.writer[Symbol.asyncDispose]();
      const totals = (await Promise.all(runs)).map(({ total }) => total);
      assert.equal(new Set(totals).size, 50);
      assert.equal(await totalOf(two.follower, 'a'), 50);
    });

    test('once the other stops or is gone, commands are written here', async () => {
      await using two = await pair(name);
      await two.follower.run(countUnit, { name: 'a' });
      await two.writer[Symbol.asyncDispose]();
      await until('the end of the way', async () => {
        const before = two.follower.status().lastCommitMs;
        await two.follower.run(countUnit, { name: 'b' }).catch(() => {});
        return two.follower.status().lastCommitMs !== before;
      });
      assert.equal((await two.follower.run(countUnit, { name: 'a' })).total, 2);
    });
  });
}

async function totalOf(store: GroupCommitter, name: string): Promise<number | undefined> {
  return (await store.read(COUNTS)).find((row) => row.name === name)?.total;
}

/** Leads the way of the follower over a place where it can be cut. */
async function cuttable(t: TestContext, { writer, handing }: Awaited<ReturnType<typeof pair>>) {
  const [, port = ''] = writer.address.split(':');
  const toWriter = connect(Number(port), '127.0.0.1').on('error', () => {});
  let toFollower: Socket | undefined;
  const proxy = createServer((socket) => {
    toFollower = socket.on('error', () => {});
    socket.pipe(toWriter);
    toWriter.pipe(socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => {
    proxy.close();
    toWriter.destroy();
    toFollower?.destroy();
  });
  handing.follow(null);
  handing.follow({ process: 'one', address: `127.0.0.1:${(proxy.address() as { port: number }).port}` });
  await handing.settled();
  return {
    /** What is sent still arrives; what comes back does not. */
    silence: () => void toWriter.unpipe(),
    cut: () => void toFollower?.destroy(),
  };
}

suite('a way to the process that writes', () => {
  test('that is cut before the answer leaves the outcome unknown, and never writes twice', async (t) => {
    await using two = await pair('sqlite');
    const way = await cuttable(t, two);
    assert.equal((await two.follower.run(countUnit, { name: 'a' })).total, 1);
    way.silence();
    const lost = two.follower.run(countUnit, { name: 'a' });
    await until('the commit', async () => (await totalOf(two.store, 'a')) === 2);
    way.cut();
    await assert.rejects(lost, (error: unknown) => error instanceof StorageError && error.kind === 'unknown');
    assert.equal((await two.follower.run(countUnit, { name: 'a' })).total, 3);
  });

  test('that falls silent is left after the time that a command waits for a database', async (t) => {
    const clock = new ManualClock();
    await using two = await pair('sqlite', clock);
    const way = await cuttable(t, two);
    way.silence();
    const lost = two.follower.run(countUnit, { name: 'a' });
    await until('the commit', async () => (await totalOf(two.store, 'a')) === 1);
    clock.advance(8_001);
    await assert.rejects(lost, (error: unknown) => error instanceof StorageError && error.kind === 'unknown');
    assert.equal((await two.follower.run(countUnit, { name: 'a' })).total, 2);
  });

  test('is not opened to a process of another installation', async (t) => {
    await using two = await pair('sqlite');
    const stranger = await forwardingOf(two.store, 'three', { secret: 'of another installation' });
    stranger.follow({ process: 'one', address: two.writer.address });
    await stranger.settled();
    const [, port = ''] = two.writer.address.split(':');
    const socket = connect(Number(port), '127.0.0.1');
    t.after(() => socket.destroy());
    await once(socket, 'connect');
    socket.write(helloFrame({ nonce: 'n' }));
    await once(socket, 'data');
    socket.write(helloFrame({ nonce: 'n', proof: '0'.repeat(64) }));
    await once(socket.resume(), 'close');
    await stranger[Symbol.asyncDispose]();
  });

  test('is not taken where another process answers than the one that was meant', async () => {
    await using two = await pair('sqlite');
    two.handing.follow(null);
    two.handing.follow({ process: 'three', address: two.writer.address });
    await two.handing.settled();
    const before = two.follower.status().lastCommitMs;
    await two.follower.run(countUnit, { name: 'a' });
    assert.notEqual(two.follower.status().lastCommitMs, before);
  });

  test('that cannot be opened is tried with every beat, and told once', async () => {
    await using two = await pair('sqlite');
    const told: string[] = [];
    const warn = (_text: string, { address }: { address: string }) => void told.push(address);
    await using alone = await forwardingOf(two.follower, 'four', { secret: 'of another build', warn });
    for (const process of ['one', 'one', 'five', 'one']) {
      alone.follow({ process, address: two.writer.address });
      await alone.settled();
    }
    assert.equal(told.length, 3);
    assert.equal(told[0], two.writer.address);
  });

  test('refuses more than may wait', async () => {
    await using opened = await openStore('sqlite', { migrations: [TABLE] });
    const follower = await opened.beside();
    await using writer = await forwardingOf(opened.store, 'one');
    await using handing = await forwardingOf(follower, 'two', { maxQueue: 2 });
    await opened.store.run(countUnit, { name: 'a' });
    handing.follow({ process: 'one', address: writer.address });
    await handing.settled();
    const runs = await Promise.allSettled(Array.from({ length: 3 }, () => follower.run(countUnit, { name: 'a' })));
    assert.deepEqual(
      runs.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected'],
    );
  });
});
