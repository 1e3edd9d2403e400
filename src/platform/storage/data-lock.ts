import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export class LockedError extends Error {
  override readonly name = 'LockedError';
}

/**
 * Exclusive ownership of a name in a directory, held by an open SQLite transaction because Node has no flock:
 * the kernel frees it also after kill -9. The owner's process id lies beside it for the message to a second one.
 */
export class DataLock implements Disposable {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  static take(directory: string, name: string, pid: number): DataLock {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const lockFile = join(directory, `${name}.db`);
    const ownerFile = join(directory, `${name}.pid`);
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(lockFile, { timeout: 0 });
      database.exec('BEGIN EXCLUSIVE');
      writeFileSync(ownerFile, String(pid));
      return new DataLock(database);
    } catch (error) {
      database?.close();
      throw explained(error, { directory, lockFile, ownerFile });
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

const SQLITE_BUSY = 5;
/** CORRUPT and NOTADB. */
const SQLITE_DAMAGED = [11, 26];

function explained(error: unknown, at: { directory: string; lockFile: string; ownerFile: string }): unknown {
  const code = (error as { errcode?: number }).errcode;
  if (code === undefined) return error;
  if ((code & 0xff) === SQLITE_BUSY) {
    const owner = `another process (pid ${ownerOf(at.ownerFile)})`;
    return new LockedError(`${owner} uses ${at.directory}: stop it or set DATA_DIR to another directory`);
  }
  const isDamaged = SQLITE_DAMAGED.includes(code & 0xff);
  const advice = isDamaged
    ? 'remove it while no process runs'
    : 'check rights and space of its directory or set DATA_DIR';
  return new Error(`the lock file ${at.lockFile} cannot be used: ${advice}`);
}

function ownerOf(file: string): string {
  try {
    return readFileSync(file, 'utf8') || 'unknown';
  } catch {
    return 'unknown';
  }
}
