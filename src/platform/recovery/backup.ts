import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { isoTime } from '#kernel/clock.ts';
import { runningSha256, sha256Hex } from '#kernel/ids.ts';
import { LOG_HEAD } from '#platform/log/sql.ts';
import { readTextIfThere, replaceDurably } from '#platform/storage/durable-file.ts';
import { recordedSteps } from '#platform/storage/migrate.ts';
import { requireServable, SERVABLE_MARKS, wholeStore } from '#platform/storage/recovery-mark.ts';
import { type Snapshot, tablesOf } from '#platform/storage/snapshot.ts';
import { readingOf } from '#platform/storage/store.ts';
import { integer, query } from '#platform/storage/table.ts';
import { type RecoveryProgress, RowCount } from './progress.ts';
import { type BackupManifest, FORMAT, MANIFEST_FILE, type TableFile } from './manifest.ts';
import { RecoveryRefused } from './recovery-refused.ts';

/** Keys that must die with their day, and what only means something to the processes of the moment. */
const KEYS_THAT_DIE = ['day_key', 'try_key'];
export const OF_THE_MOMENT = ['migration', 'writer', 'process', 'leader'];
/** Events lie below the revision that a restored store begins with, so nobody could ask for them. */
const LEFT_OUT = new Set([...KEYS_THAT_DIE, ...OF_THE_MOMENT, 'event', 'recovery']);

export interface Backup {
  readonly manifest: BackupManifest;
  readonly manifestSha256: string;
}

export interface BackupOptions {
  readonly snapshot: Snapshot;
  readonly directory: string;
  readonly version: string;
  readonly nowMs: number;
  /** Rows are counted first where somebody watches. */
  readonly onProgress?: RecoveryProgress | undefined;
}

/** Copies one moment of a store into a new directory; a backup that fails leaves none. */
export async function writeBackup(options: BackupOptions): Promise<Backup> {
  const { snapshot, directory, version, nowMs } = options;
  makeEmpty(directory);
  try {
    const tables = await tablesOf(snapshot.engine, snapshot.query);
    const [head] = tables.has('log_head') ? await readingOf(snapshot.query)(LOG_HEAD) : [];
    if (head === undefined) throw new RecoveryRefused('the database has no log yet: there is nothing to back up');
    if (tables.has('recovery')) requireServable(await readingOf(snapshot.query)(SERVABLE_MARKS));
    const files: TableFile[] = [];
    const kept = [...tables].filter(([table]) => !LEFT_OUT.has(table));
    const count = await rowCount(
      options,
      kept.map(([table]) => table),
    );
    for (const [table, columns] of kept) files.push(await writeTable(snapshot, { directory, table, columns, count }));
    const manifest: BackupManifest = {
      format: FORMAT,
      version,
      engine: snapshot.engine,
      made_at: isoTime(nowMs),
      revision: (await wholeStore.head(snapshot.query)).rev,
      origin: head.origin,
      tree_size: head.size,
      root: head.rootHex,
      checkpoint: head.checkpoint,
      schema: await recordedSteps(snapshot.query),
      left_out: [...LEFT_OUT].toSorted(),
      tables: files,
    };
    const path = join(directory, MANIFEST_FILE);
    replaceDurably(path, `${JSON.stringify(manifest, null, 1)}\n`);
    return { manifest, manifestSha256: sha256Hex(readTextIfThere(path) as string) };
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

function makeEmpty(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (readdirSync(directory).length > 0) throw new RecoveryRefused(`${directory} is not empty: name a new directory`);
}

const ROWS_OF = (table: string) => query(`SELECT count(*) AS rows FROM ${table}`, { rows: integer() });

async function rowCount({ snapshot, onProgress }: BackupOptions, tables: readonly string[]): Promise<RowCount> {
  if (onProgress === undefined) return new RowCount('copy', undefined);
  let total = 0;
  for (const table of tables) {
    const [counted] = await readingOf(snapshot.query)(ROWS_OF(table));
    total += counted?.rows ?? 0;
    onProgress('count', total);
  }
  return new RowCount('copy', onProgress, total);
}

interface TableCopy {
  readonly directory: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly count: RowCount;
}

async function writeTable(
  snapshot: Snapshot,
  { directory, table, columns, count: seen }: TableCopy,
): Promise<TableFile> {
  const digest = runningSha256();
  let count = 0;
  await using file: FileHandle = await open(join(directory, `${table}.ndjson`), 'wx', 0o600);
  for await (const rows of snapshot.rows(table, columns)) {
    const bytes = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    digest.update(bytes);
    await file.writeFile(bytes);
    count += rows.length;
    seen.add(rows.length);
  }
  await file.sync();
  return { table, columns, rows: count, sha256: digest.hex() };
}
