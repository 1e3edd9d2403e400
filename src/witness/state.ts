import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

// One synchronous transaction reads, decides and writes: SQLite gives the order, the fsync and the repair after a crash.
const OPEN = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  BEGIN IMMEDIATE;
  CREATE TABLE IF NOT EXISTS witness (vkey TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS cosigned (origin_hash TEXT PRIMARY KEY, note TEXT NOT NULL);
  COMMIT;
`;
const FILE = 'witness.db';
const SQLITE_BUSY = 5;

/** A data directory that a witness cannot start on; the message says what to do. */
export class WitnessDataError extends Error {
  override readonly name = 'WitnessDataError';
}

/** The latest note of each origin. One process owns it; what `change` returned is on the disk. */
export class WitnessState implements Disposable {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  static open(directory: string): WitnessState {
    let database: DatabaseSync | undefined;
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      database = new DatabaseSync(join(directory, FILE), { timeout: 0 });
      database.exec(OPEN);
      const level = database.prepare('PRAGMA synchronous').get() as { synchronous: number };
      if (level.synchronous !== 2) throw new WitnessDataError('SQLite did not accept synchronous=FULL');
      return new WitnessState(database);
    } catch (error) {
      database?.close();
      throw asDataError(error, directory);
    }
  }

  /** The key that has cosigned here, once it has been recorded. */
  vkey(): string | undefined {
    return (this.#database.prepare('SELECT vkey FROM witness').get() as { vkey: string } | undefined)?.vkey;
  }

  recordVkey(vkey: string): void {
    this.#database.prepare('INSERT INTO witness (vkey) VALUES (?)').run(vkey);
  }

  note(originHash: string): string | undefined {
    const row = this.#database.prepare('SELECT note FROM cosigned WHERE origin_hash = ?').get(originHash);
    return (row as { note: string } | undefined)?.note;
  }

  /** Hands the latest note to `decide` and keeps the one that it gives, durably, before it returns. */
  change<T extends { readonly keep?: string }>(originHash: string, decide: (latest: string | undefined) => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const decided = decide(this.note(originHash));
      if (decided.keep !== undefined) this.#put(originHash, decided.keep);
      this.#database.exec('COMMIT');
      return decided;
    } finally {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    }
  }

  #put(originHash: string, note: string): void {
    const sql =
      'INSERT INTO cosigned (origin_hash, note) VALUES (?, ?) ON CONFLICT (origin_hash) DO UPDATE SET note = excluded.note';
    this.#database.prepare(sql).run(originHash, note);
  }

  [Symbol.dispose](): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

function asDataError(error: unknown, directory: string): unknown {
  const { code, errcode } = error as { code?: string; errcode?: number };
  if (errcode !== undefined && (errcode & 0xff) === SQLITE_BUSY)
    return new WitnessDataError(`another witness runs on ${directory}: stop it or give --data another directory`);
  if (errcode !== undefined) {
    const advice = 'restore the disk it was on, or start a new witness in an empty directory, never on an old copy';
    return new WitnessDataError(`${FILE} in ${directory} cannot be used (SQLite code ${errcode}): ${advice}`);
  }
  if (code?.startsWith('E') === true && error instanceof Error && 'syscall' in error)
    return new WitnessDataError(
      `the directory ${directory} cannot be used (${code}): give --data a writable directory`,
    );
  return error;
}
