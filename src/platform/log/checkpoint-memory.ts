import { type Checkpoint, parseCheckpoint } from '#protocol/checkpoint.ts';
import { parseNote } from '#protocol/note.ts';
import { LogError } from './log-error.ts';

/** The name of the file in the data directory that holds the newest checkpoint which this installation has seen. */
export const HIGH_WATER_FILE = 'log-high-water';

/** The checkpoint in the text of the file; undefined without a file. */
export function parseCheckpointMemory(note: string | undefined): Checkpoint | undefined {
  if (note === undefined) return undefined;
  try {
    return parseCheckpoint(parseNote(note).text);
  } catch (cause) {
    throw new LogError(`${HIGH_WATER_FILE} in DATA_DIR is damaged: restore it from a backup, or remove it`, { cause });
  }
}

/**
 * A log that was begun anew or put back would sign other entries under numbers that are taken: every reader who
 * remembers the old ones could prove a fork. What the roots say is compared once the tree is there.
 */
export function requireCheckpointMemory(
  known: Checkpoint | undefined,
  head: { readonly origin: string; readonly size: number } | undefined,
): void {
  if (known === undefined) return;
  const remembered = `${HIGH_WATER_FILE} in DATA_DIR knows log ${known.origin} with ${known.size} entries`;
  const restore = 'restore the database from a backup or correct DATABASE_URL and DATA_DIR';
  if (head === undefined) throw new LogError(`the database has no log, but ${remembered}: ${restore}`);
  if (head.origin !== known.origin) {
    throw new LogError(`the database has log ${head.origin}, but ${remembered}: ${restore}`);
  }
  if (BigInt(head.size) < known.size) {
    throw new LogError(`the log in the database has ${head.size} entries, but ${remembered}: ${restore}`);
  }
}
