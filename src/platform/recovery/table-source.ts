import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { runningSha256 } from '#kernel/ids.ts';
import type { Ask, Engine } from '#platform/storage/engine.ts';
import { linesOf } from '#platform/storage/file-lines.ts';
import { multiRow } from '#platform/storage/multi-row.ts';
import { ROWS_AT_ONCE, tablesOf } from '#platform/storage/snapshot.ts';
import type { Cell } from '#platform/storage/store.ts';
import { OF_THE_MOMENT } from './backup.ts';
import type { BackupManifest } from './manifest.ts';
import type { RowCount } from './progress.ts';
import { RecoveryRefused } from './recovery-refused.ts';

/** Whole tables to be written into an empty store. */
export interface TableSource {
  readonly tables: ReadonlyMap<string, readonly string[]>;
  rows(table: string): AsyncIterable<readonly (readonly Cell[])[]>;
}

/** Refuses a backup of which a file is missing or is not the one that was written. */
export async function backupSource(
  directory: string,
  { tables }: BackupManifest,
  count?: RowCount,
): Promise<TableSource> {
  for (const { table, sha256, rows } of tables) {
    const digest = runningSha256();
    try {
      for await (const piece of createReadStream(pathOf(directory, table))) digest.update(piece as Buffer);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new RecoveryRefused(`${table}.ndjson of the backup cannot be read (${code}): the backup is not whole`);
    }
    if (digest.hex() !== sha256) throw new RecoveryRefused(`${table}.ndjson of the backup was changed or cut`);
    count?.add(rows);
  }
  return {
    tables: new Map(tables.map(({ table, columns }) => [table, columns])),
    rows: (table) => rowsOf(pathOf(directory, table)),
  };
}

function pathOf(directory: string, table: string): string {
  return join(directory, `${table}.ndjson`);
}

async function* rowsOf(path: string): AsyncGenerator<Cell[][]> {
  let portion: Cell[][] = [];
  for await (const { bytes } of linesOf(path)) {
    portion.push(JSON.parse(bytes.toString()) as Cell[]);
    if (portion.length < ROWS_AT_ONCE) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}

/** Puts the tables in the place of the first rows that the schema itself makes. */
export async function loadTables(
  engine: Engine['name'],
  query: Ask,
  source: TableSource,
  count?: RowCount,
): Promise<void> {
  const there = await tablesOf(engine, query);
  const names = [...there.keys()].filter((name) => !OF_THE_MOMENT.includes(name));
  for (const [table, columns] of source.tables) {
    const own = there.get(table) ?? [];
    const isSame = own.length === columns.length && own.every((column) => columns.includes(column));
    if (!isSame) throw new RecoveryRefused(`table ${table} of the copy is not one of its schema`);
  }
  for (const name of names.toReversed()) await query(`DELETE FROM ${name}`);
  for (const name of names) {
    const columns = source.tables.get(name);
    if (columns === undefined) continue;
    const marks = columns.map((_, index) => `$${index + 1}`).join(', ');
    const sql = `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${marks})`;
    for await (const rows of source.rows(name)) {
      for (const { text, values } of multiRow({ sql, rows })) await query(text, values);
      count?.add(rows.length);
    }
  }
}
