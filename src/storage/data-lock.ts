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
    const database = new DatabaseSync(join(directory, `${name}.db`), { timeout: 0 });
    const ownerFile = join(directory, `${name}.pid`);
    try {
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      if (((error as { errcode?: number }).errcode ?? 0) % 256 !== 5) throw error;
      throw new LockedError(`another process (pid ${ownerOf(ownerFile)}) uses ${directory}`);
    }
    writeFileSync(ownerFile, String(pid));
    return new DataLock(database);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

function ownerOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return 'unknown';
  }
}
