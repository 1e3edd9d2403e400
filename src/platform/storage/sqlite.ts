import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Clock } from '#kernel/clock.ts';
import { type Durability, NETWORK_FILE_SYSTEM } from './durability.ts';
import { type Decide, type Engine, HEAD_SQL, listText, paddedLists, type Ask, type Reader } from './engine.ts';
import { isOnNetwork } from './network-file-system.ts';
import { type Cell, type Read, readingOf, type Row, StorageError } from './store.ts';
import { WAL_LIMITS, WalCheckpointer } from './wal-checkpointer.ts';
import { WalThread } from './wal-thread.ts';

const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 0; -- WalCheckpointer
  PRAGMA cache_size = -16384; -- a commit that split a page walks the whole cache; the map below reads the rest
  PRAGMA mmap_size = 1073741824;
  PRAGMA temp_store = MEMORY;
  PRAGMA secure_delete = FAST;
`;
const FULL = 2;

const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
/** READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB: the file or the disk, not the command. */
const FILE_FAULTS = new Set([8, SQLITE_IOERR, 11, 13, 14, 26]);

const codeOf = (error: unknown) => (error as { errcode?: number }).errcode;

export function toError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  const primary = code & 0xff;
  if (primary === SQLITE_BUSY) return new StorageError('conflict', 'another process writes', { cause: error });
  if (FILE_FAULTS.has(primary)) {
    return new StorageError('unavailable', `the database file cannot be used (SQLite code ${code})`, { cause: error });
  }
  return error;
}

/**
 * `node:sqlite` in WAL mode with one fsync per commit. One connection reads and writes: a batch never yields, so that no
 * read sees the middle of one, and the file is mapped once.
 */
export class SqliteEngine implements Engine {
  readonly name = 'sqlite';
  readonly #clock: Clock;
  readonly #file: string;
  /** Undefined for a database in memory. */
  readonly #inode: number | undefined;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #checkpointer: WalCheckpointer;
  readonly #durability: Durability;
  /** Reads while `exclusively` waits between its statements. */
  readonly #beside: SqliteReader;

  constructor(file: string, clock: Clock, limits = WAL_LIMITS) {
    this.#clock = clock;
    this.#file = file;
    // timeout 0: a busy time-out would block the event loop for its whole length.
    this.#database = new DatabaseSync(file, { timeout: 0 });
    this.#database.exec(PRAGMAS);
    this.#inode = inodeOf(file);
    const level = this.#database.prepare('PRAGMA synchronous').get() as { synchronous: number };
    if (level.synchronous !== FULL) throw new StorageError('unavailable', 'SQLite did not accept synchronous=FULL');
    this.#durability = { synchronous: 'full', risks: isOnNetwork(dirname(file)) ? [NETWORK_FILE_SYSTEM] : [] };
    this.#checkpointer = new WalCheckpointer(this.#database, new WalThread(file), limits);
    this.#beside = new SqliteReader(file);
  }

  durability(): Durability {
    return this.#durability;
  }

  async checkDurability(): Promise<void> {
    // Pragmas and place of an open file stay as they are.
  }

  async batch(reads: readonly Read[], decide: Decide): Promise<void> {
    while (this.#checkpointer.hold !== undefined) await this.#checkpointer.hold;
    try {
      this.#requireSameFile();
      this.#database.exec('BEGIN IMMEDIATE');
      const head = this.#prepared(HEAD_SQL).get() as { rev: number; at: number };
      const rows = reads.map((read) => this.#load(read));
      const writes = decide({ rev: head.rev, atMs: head.at, clockMs: this.#clock.now(), rows });
      for (const { sql, rows: values } of writes) {
        const statement = this.#prepared(sql);
        for (const value of values) statement.run(...(value as SQLInputValue[]));
      }
      this.#commit();
    } catch (error) {
      this.#rollback();
      throw toError(error);
    }
    this.#checkpointer.afterCommit();
  }

  async read(sql: string, params: readonly Cell[]): Promise<readonly Row[]> {
    try {
      if (this.#database.isTransaction) return await this.#beside.read(sql, params);
      return this.#prepared(sql).all(...params) as Row[];
    } catch (error) {
      throw toError(error);
    }
  }

  /** One disk: what is committed is there. */
  readConfirmed(sql: string, params: readonly Cell[]): Promise<readonly Row[]> {
    return this.read(sql, params);
  }

  async exclusively<T>(work: (query: Ask) => Promise<T>): Promise<T> {
    while (this.#checkpointer.hold !== undefined) await this.#checkpointer.hold;
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      const result = await work(async (sql, params = []) => {
        return this.#database.prepare(positional(nativeKeys(sql))).all(...params) as Row[];
      });
      this.#commit();
      this.#checkpointer.afterCommit();
      return result;
    } catch (error) {
      this.#rollback();
      throw toError(error);
    }
  }

  async scrub(): Promise<void> {
    await this.#checkpointer.empty();
  }

  async close(): Promise<void> {
    await this.#checkpointer.close();
    await this.#beside.close();
    if (this.#database.isOpen) this.#database.close();
  }

  /** What is written to a file that was moved away or replaced is gone with the process. */
  #requireSameFile(): void {
    if (inodeOf(this.#file) === this.#inode) return;
    const what = `${basename(this.#file)} was removed or replaced while the service ran`;
    throw new StorageError('set_back', `${what}: stop it, put the newest copy in its place, and start again`);
  }

  #load(read: Read): readonly Row[] {
    const { params = [] } = read;
    if (read.list === undefined) return this.#prepared(read.sql).all(...params) as Row[];
    const rows: Row[] = [];
    for (const chunk of paddedLists(read.list)) {
      rows.push(...(this.#prepared(read.sql, chunk.length).all(...params, ...chunk) as Row[]));
    }
    return rows;
  }

  #prepared(sql: string, listSize = 0): StatementSync {
    return prepare(this.#database, this.#statements, sql, listSize);
  }

  /** A COMMIT that the disk does not confirm may lie there whole, to be found by whoever opens the file next. */
  #commit(): void {
    try {
      this.#database.exec('COMMIT');
    } catch (error) {
      const code = codeOf(error) ?? 0;
      if ((code & 0xff) !== SQLITE_IOERR) throw error;
      throw new StorageError('unknown', `the disk failed while it took a commit (SQLite code ${code})`, {
        cause: error,
      });
    }
  }

  #rollback(): void {
    // A full disk has already rolled the transaction back; a second ROLLBACK would throw.
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
  }
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

/**
 * A read-only connection to the file, which must be there. It is opened at the first read, and maps nothing: the pages of
 * a file that one process maps twice count twice.
 */
export class SqliteReader implements Reader {
  readonly read = readingOf(async (sql, params = []) => this.#rows(sql, params));
  readonly #file: string;
  readonly #statements = new Map<string, StatementSync>();
  #database: DatabaseSync | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  async close(): Promise<void> {
    if (this.#database?.isOpen) this.#database.close();
  }

  #rows(sql: string, params: readonly Cell[]): readonly Row[] {
    try {
      return prepare(this.#opened(), this.#statements, sql).all(...params) as Row[];
    } catch (error) {
      throw toError(error);
    }
  }

  #opened(): DatabaseSync {
    if (this.#database !== undefined) return this.#database;
    this.#database = new DatabaseSync(this.#file, { readOnly: true, timeout: 0 });
    return this.#database;
  }
}

/** A 64-bit number as key is SQLite's own row id, which saves the table an index; the column holds the same. */
function nativeKeys(sql: string): string {
  return sql.startsWith('CREATE TABLE') ? sql.replace('BIGINT PRIMARY KEY', 'INTEGER PRIMARY KEY') : sql;
}

function positional(sql: string): string {
  return sql.replaceAll('$', '?');
}

function prepare(database: DatabaseSync, kept: Map<string, StatementSync>, sql: string, listSize = 0): StatementSync {
  const name = listSize === 0 ? sql : `${listSize} ${sql}`;
  const known = kept.get(name);
  if (known !== undefined) return known;
  const statement = database.prepare(positional(listSize === 0 ? sql : listText(sql, listSize)));
  kept.set(name, statement);
  return statement;
}
