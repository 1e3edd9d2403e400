import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemClock } from '#kernel/clock.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { loadMigrations, migrate } from './migrate.ts';
import { keepPrivate } from './private-file.ts';
import { openReader } from './reader.ts';
import { SqliteEngine } from './sqlite.ts';
import { SqliteSnapshot } from './sqlite-snapshot.ts';
import { WalCheckpointer, type WalLimits } from './wal-checkpointer.ts';
import { type WalOutcome, type WalTask, WalThread } from './wal-thread.ts';

/** The connection that writes never copies. */
const LIMITS: WalLimits = {
  copyPages: 40,
  restartPages: 80,
  truncatePages: 100_000,
  hardPages: Number.MAX_SAFE_INTEGER,
};
const PAGE_BYTES = 4_096;
const KILLS = 4;

test('a thread copies a grown log into the database file, and the log begins anew in the same room', async (t) => {
  const wal = await openWal(t);
  await wal.write(50);
  await wal.checkpointer.settled();
  assert.equal(wal.uncopiedPages(), 0);
  assert.ok(wal.bytes('') > 50 * PAGE_BYTES);
  const room = wal.bytes('-wal');
  await wal.write(1);
  assert.ok(wal.checkpointer.size().logPages < 10);
  assert.equal(wal.bytes('-wal'), room);
  for (const beside of ['', '-wal', '-shm']) assert.equal(statSync(wal.file + beside).mode & 0o077, 0, beside);
});

test('a small log starts no thread', async (t) => {
  const wal = await openWal(t, { thread: () => new ManualThread() });
  for (let n = 0; n < 5; n += 1) await wal.write(5);
  assert.deepEqual(wal.manual().tasks, []);
});

test('the end of a long log is copied while the next transaction waits', async (t) => {
  const wal = await openWal(t, { thread: (file) => new ManualThread(file) });
  await wal.write(90);
  await nextTurn();
  assert.deepEqual(wal.manual().tasks, ['PASSIVE']);
  wal.manual().answer('complete');
  await nextTurn();
  assert.deepEqual(wal.manual().tasks, ['PASSIVE', 'RESTART']);
  const waiting = wal.write(1);
  assert.equal(await Promise.race([waiting, nextTurn('still waits')]), 'still waits');
  wal.manual().copy();
  wal.manual().answer('complete');
  await waiting;
  assert.ok(wal.checkpointer.size().logPages < 10);
});

test('writers that are faster than the copy wait for it', async (t) => {
  const wal = await openWal(t, { thread: () => new ManualThread() });
  await wal.write(50);
  await wal.write(30);
  assert.equal(wal.checkpointer.hold, undefined);
  await wal.write(30);
  const waiting = wal.write(1);
  assert.equal(await Promise.race([waiting, nextTurn('still waits')]), 'still waits');
  wal.manual().answer('partial');
  await waiting;
});

test('a log that grew very long behind a reader gives its room back when the reader is gone', async (t) => {
  const wal = await openWal(t, { limits: { ...LIMITS, truncatePages: 200 } });
  await wal.write(1);
  const snapshot = new SqliteSnapshot(wal.file);
  for (let n = 0; n < 10; n += 1) {
    await wal.write(50);
    await wal.checkpointer.settled();
  }
  assert.ok(wal.uncopiedPages() >= 500, 'the snapshot needs them');
  assert.equal((await snapshot.query('SELECT COUNT(*) AS n FROM note'))[0]?.['n'], 1);
  await snapshot[Symbol.asyncDispose]();
  await writeUntil(wal, 'the room is given back', () => wal.bytes('-wal') < 200 * PAGE_BYTES);
  assert.ok(wal.bytes('') > 500 * PAGE_BYTES);
});

test('a log of that length gives its room back also when nothing is left to copy', async (t) => {
  const limits = { ...LIMITS, truncatePages: 60 };
  const wal = await openWal(t, { limits, thread: (file) => new ManualThread(file) });
  await wal.write(90);
  await nextTurn();
  wal.manual().copy();
  wal.manual().answer('complete');
  await nextTurn();
  assert.deepEqual(wal.manual().tasks, ['PASSIVE', 'TRUNCATE']);
  wal.manual().copy();
  wal.manual().answer('complete');
  await wal.checkpointer.settled();
  assert.equal(wal.bytes('-wal'), 0);
});

test('a thread that dies is replaced at the next growth', async (t) => {
  const diesFirst = `data:text/javascript,${encodeURIComponent(`
    import { existsSync, writeFileSync } from 'node:fs';
    import { workerData } from 'node:worker_threads';
    if (!existsSync(workerData + '.died')) { writeFileSync(workerData + '.died', ''); process.exit(1); }
    await import('${new URL('./wal-worker.ts', import.meta.url)}');`)}`;
  const wal = await openWal(t, { thread: (file) => new WalThread(file, new URL(diesFirst)) });
  await wal.write(50);
  await wal.checkpointer.settled();
  assert.ok(wal.uncopiedPages() >= 50);
  await wal.write(50);
  await wal.checkpointer.settled();
  assert.equal(wal.uncopiedPages(), 0);
});

test('where no thread lives, the connection that writes keeps the log below the hard size', async (t) => {
  const dies = new URL('data:text/javascript,process.exit(1)');
  const thread = (file: string) => new WalThread(file, dies);
  const wal = await openWal(t, { limits: { ...LIMITS, hardPages: 200 }, thread });
  for (let n = 0; n < 24; n += 1) {
    await wal.write(20);
    await wal.checkpointer.settled();
    assert.ok(wal.checkpointer.size().logPages < 300);
  }
  assert.ok(wal.bytes('-wal') < 300 * PAGE_BYTES);
  assert.ok(wal.bytes('') > 300 * PAGE_BYTES);
});

test('an engine that is closed amid a copy leaves no log behind', async (t) => {
  const { engine, file } = await openNotes(t);
  await writeNotes(engine, { from: 1, count: 40 });
  await engine.close();
  assert.deepEqual(
    ['', '-wal', '-shm'].map((beside) => existsSync(file + beside)),
    [true, false, false],
  );
});

test('a scrub empties the log, be it short or long', async (t) => {
  const { engine, file } = await openNotes(t, { ...LIMITS, copyPages: 10_000 });
  for (const bytes of [1, 8_000_000]) {
    await writeNotes(engine, { from: bytes, count: 1, bytes });
    await engine.scrub();
    assert.equal(statSync(`${file}-wal`).size, 0);
  }
});

test('a process maps the database file once, whoever copies, reads and takes snapshots in it', {
  skip: process.platform !== 'linux' && 'only Linux tells what a process maps',
}, async (t) => {
  const { engine, file } = await openNotes(t);
  await writeNotes(engine, { from: 1, count: 20 });
  const reader = await openReader({ file });
  await using snapshot = new SqliteSnapshot(file);
  const count = 'SELECT COUNT(*) AS n FROM note';
  const read = [engine.read(count, []), reader.read(count), snapshot.query(count)];
  for (const rows of await Promise.all(read)) assert.equal(rows[0]?.['n'], 20);
  await writeNotes(engine, { from: 21, count: 20 });
  await engine.read('SELECT SUM(LENGTH(body)) FROM note', []);
  const maps = readFileSync('/proc/self/maps', 'utf8').split('\n');
  assert.equal(maps.filter((line) => line.endsWith(file)).length, 1);
  await reader.close();
});

test('a process that is killed amid copies has kept every row that it acknowledged', async (t) => {
  const { engine, file } = await openNotes(t);
  await engine.close();
  let last = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const given = JSON.stringify({ file, limits: LIMITS, from: last + 1 });
    const child = fork(fileURLToPath(new URL('_child-writer.ts', import.meta.url)), [given]);
    const exited = once(child, 'exit');
    // A row has 13 pages, so that a copy begins with every third or fourth as soon as the thread runs.
    const enough = last + 10 + kill;
    const { size } = statSync(file);
    child.on('message', (n: number) => {
      last = n;
      if (n >= enough && statSync(file).size > size) child.kill('SIGKILL');
    });
    assert.deepEqual(await exited, [null, 'SIGKILL']);
    using database = new DatabaseSync(file);
    assert.deepEqual({ ...database.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
    const row = database.prepare('SELECT COUNT(*) AS n, MAX(n) AS last FROM note').get() as { n: number; last: number };
    assert.ok(row.last >= last, `${last} was acknowledged`);
    assert.equal(row.n, row.last, 'no row is missing');
    last = row.last;
  }
});

test('a COMMIT that the disk does not take to its end may be durable or not: its outcome is unknown', async (t) => {
  const { engine, file } = await openNotes(t);
  await engine.close();
  const given = JSON.stringify({ file, limits: LIMITS, from: 1 });
  const child = fork(fileURLToPath(new URL('_child-writer.ts', import.meta.url)), [given], {
    // No file of the process may grow beyond a few MiB.
    execPath: '/bin/sh',
    execArgv: ['-c', 'ulimit -f 4000; exec "$@"', 'sh', process.execPath],
    silent: true,
  });
  const [said] = await Promise.all([text(child.stderr as Readable), once(child, 'close')]);
  assert.match(said, /StorageError: the disk failed while it took a commit \(SQLite code \d+\)[^]*kind: 'unknown'/);
});

interface WalOptions {
  readonly limits?: WalLimits;
  readonly thread?: (file: string) => ConstructorParameters<typeof WalCheckpointer>[1];
}

interface Wal {
  readonly file: string;
  readonly checkpointer: WalCheckpointer;
  /** Commits a row of so many pages, as the engine does. */
  write(pages: number): Promise<void>;
  uncopiedPages(): number;
  bytes(beside: '' | '-wal'): number;
  manual(): ManualThread;
}

async function openWal(t: TestContext, { limits = LIMITS, thread }: WalOptions = {}): Promise<Wal> {
  const file = join(await directoryOf(t), 'test.db');
  keepPrivate(file, false);
  const database = new DatabaseSync(file, { timeout: 0 });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE note (body TEXT)');
  const chosen = thread?.(file) ?? new WalThread(file);
  const checkpointer = new WalCheckpointer(database, chosen, limits);
  const insert = database.prepare('INSERT INTO note VALUES (?)');
  t.after(async () => {
    await checkpointer.close();
    database.close();
    assert.equal(existsSync(`${file}-wal`), false);
  });
  return {
    file,
    checkpointer,
    async write(pages) {
      await nextTurn();
      while (checkpointer.hold !== undefined) await checkpointer.hold;
      insert.run('x'.repeat(pages * PAGE_BYTES));
      checkpointer.afterCommit();
    },
    uncopiedPages() {
      const { logPages, copiedPages } = checkpointer.size();
      return logPages - copiedPages;
    },
    bytes: (beside) => statSync(file + beside).size,
    manual: () => chosen as ManualThread,
  };
}

async function writeUntil(wal: Wal, what: string, isSo: () => boolean): Promise<void> {
  for (let n = 0; n < 1_000; n += 1) {
    if (isSo()) return;
    await wal.write(5);
  }
  assert.fail(`it did not come to that: ${what}`);
}

/** Copies and answers when the test says so. */
class ManualThread implements Pick<WalThread, 'run' | typeof Symbol.asyncDispose> {
  readonly tasks: WalTask[] = [];
  readonly #database: DatabaseSync | undefined;
  #answer: (outcome: WalOutcome) => void = () => {};

  constructor(file?: string) {
    this.#database = file === undefined ? undefined : new DatabaseSync(file);
  }

  run(task: WalTask): Promise<WalOutcome> {
    this.tasks.push(task);
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  copy(): void {
    this.#database?.exec(`SELECT 1 FROM note LIMIT 1; PRAGMA wal_checkpoint(${this.tasks.at(-1)})`);
  }

  answer(outcome: WalOutcome): void {
    this.#answer(outcome);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.answer('failed');
    this.#database?.close();
  }
}

/** An engine with a table of rows of 13 pages. */
async function openNotes(t: TestContext, limits = LIMITS): Promise<{ engine: SqliteEngine; file: string }> {
  const file = join(await directoryOf(t), 'test.db');
  const engine = new SqliteEngine(file, systemClock(), limits);
  t.after(() => engine.close());
  await migrate(engine, [
    ...(await loadMigrations('storage', new URL('./migrations/', import.meta.url))),
    { area: 'notes', number: 1, name: 'note', sql: 'CREATE TABLE note (n BIGINT PRIMARY KEY, body TEXT NOT NULL);\n' },
  ]);
  return { engine, file };
}

async function writeNotes(
  engine: SqliteEngine,
  { from, count, bytes = 50_000 }: { readonly from: number; readonly count: number; readonly bytes?: number },
): Promise<void> {
  for (let n = from; n < from + count; n += 1) {
    await nextTurn();
    await engine.batch([], () => [{ sql: 'INSERT INTO note VALUES ($1, $2)', rows: [[n, 'x'.repeat(bytes)]] }]);
  }
}

async function directoryOf(t: TestContext): Promise<string> {
  const directory = await temporaryDirectory();
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
