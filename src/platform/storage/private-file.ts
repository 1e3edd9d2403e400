import { chmodSync, closeSync, openSync, type Stats, statSync } from 'node:fs';

const OTHERS = 0o077;
const ALL_BUT_GROUP_READS = 0o037;

/**
 * True for a secret that only this process can read. One that is mounted belongs to root, and the process reads it by
 * a group.
 */
export function isPrivate({ mode, uid, gid }: Pick<Stats, 'mode' | 'uid' | 'gid'>, groups = ownGroups()): boolean {
  if ((mode & OTHERS) === 0) return true;
  return (mode & ALL_BUT_GROUP_READS) === 0 && uid === 0 && groups.includes(gid);
}

/** Those that it was given; the group of root is not. */
function ownGroups(): number[] {
  return [process.getegid?.() ?? 0, ...(process.getgroups?.() ?? [])].filter((gid) => gid !== 0);
}

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
