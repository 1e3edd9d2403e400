import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

const OTHERS = 0o077;

/**
 * The database and what lies beside it hold mail addresses and the key of the day: only its user may read them. SQLite
 * gives the files beside it the rights of the database.
 * @param mayTighten takes the rights of others away; otherwise such a file is refused
 */
export function keepPrivate(database: string, mayTighten: boolean): void {
  try {
    closeSync(openSync(database, 'ax', 0o600));
  } catch {
    // It is there already, or whoever opens it says what is wrong.
  }
  for (const file of [database, `${database}-wal`, `${database}-shm`]) {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & OTHERS) === 0) continue;
    if (!mayTighten) throw new Error(`others may read ${file}: chmod 600 it`);
    chmodSync(file, 0o600);
  }
}
