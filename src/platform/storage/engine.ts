import type { Durability } from './durability.ts';
import type { Cell, Read, Reading, Row, Write } from './store.ts';

export interface Opened {
  readonly rev: number;
  readonly atMs: number;
  /** The engine's clock, read after the head lock was granted. */
  readonly clockMs: number;
  readonly rows: readonly (readonly Row[])[];
}

export type Decide = (opened: Opened) => readonly Write[];

export type Ask = (sql: string, params?: readonly Cell[]) => Promise<readonly Row[]>;

/**
 * What differs between SQLite and PostgreSQL, and nothing else.
 *
 * `batch` opens a transaction, locks the head, runs the reads, hands everything to `decide` and commits the writes it
 * returns; when it resolves they are durable, when it rejects none of them is, except for a StorageError `unknown`.
 * An exception of `decide` rolls back and passes through. Batches never overlap: the committer awaits each one.
 * `untilMs`, of the monotonic clock, is when it gives up where it waits for others.
 */
export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  /** As last checked: at the start, with each new connection that writes, and by `checkDurability`. */
  durability(): Durability;
  checkDurability(): Promise<void>;
  batch(reads: readonly Read[], decide: Decide, untilMs: number): Promise<void>;
  read(sql: string, params: readonly Cell[]): Promise<readonly Row[]>;
  /** As `read`, of what no failover takes back. */
  readConfirmed(sql: string, params: readonly Cell[]): Promise<readonly Row[]>;
  /** One exclusive transaction of plain statements, for migrations before the service takes commands. */
  exclusively<T>(work: (ask: Ask) => Promise<T>): Promise<T>;
  /** Clears what deleted rows left in the engine's own files, as far as that is in our hands. */
  scrub(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Where the database lies, for a connection of its own: the SQLite file, or the address of the PostgreSQL server, and how
 * many times longer than usual it may take.
 */
export type DatabaseLocation = { readonly file: string } | { readonly url: string; readonly patience?: number };

/** A connection that can only read. Faults of the connection are StorageFaults, and the next read tries again. */
export interface Reader extends Reading {
  close(): Promise<void>;
}

export const HEAD_SQL = 'SELECT rev, at FROM head WHERE id = 1';

const LIST_MARK = 'IN (...)';
export const MAX_ROWS_PER_STATEMENT = 256;

/** The smallest of 1, 2, 4 .. 256 that holds `count`: bounds the number of prepared texts. */
export function paddedSize(count: number): number {
  let size = 1;
  while (size < count && size < MAX_ROWS_PER_STATEMENT) size *= 2;
  return size;
}

/** The text with the marks of a list, numbered behind the parameters that it has itself. */
export function listText(sql: string, size: number): string {
  const own = Math.max(0, ...Array.from(sql.matchAll(/\$(\d+)/g), ([, place]) => Number(place)));
  const marks = Array.from({ length: size }, (_, index) => `$${own + index + 1}`).join(', ');
  return sql.replace(LIST_MARK, `IN (${marks})`);
}

/** The list cut into chunks of padded size; a short chunk repeats its last key, which changes no result. */
export function paddedLists(list: readonly string[]): readonly (readonly string[])[] {
  const chunks: string[][] = [];
  for (let from = 0; from < list.length; from += MAX_ROWS_PER_STATEMENT) {
    const chunk = list.slice(from, from + MAX_ROWS_PER_STATEMENT);
    const last = chunk.at(-1) as string;
    const size = paddedSize(chunk.length);
    while (chunk.length < size) chunk.push(last);
    chunks.push(chunk);
  }
  return chunks;
}
