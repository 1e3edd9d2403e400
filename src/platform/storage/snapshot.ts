import type { Engine, Ask } from './engine.ts';
import { type Cell, readingOf } from './store.ts';
import { as, query, text } from './table.ts';

/** One moment of a database: every read sees the same commits. */
export interface Snapshot extends AsyncDisposable {
  readonly engine: Engine['name'];
  readonly query: Ask;
  /** All rows of a table, a portion at a time, each with its cells in the order of the columns. */
  rows(table: string, columns: readonly string[]): AsyncIterable<readonly (readonly Cell[])[]>;
}

export const ROWS_AT_ONCE = 1_000;

const columnsBy = (sql: string) => query(sql, { owner: as('table', text()), name: as('column', text()) });
const COLUMNS = {
  sqlite: columnsBy(`SELECT m.name AS owner, c.name AS name FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.rowid, c.cid`),
  postgres: columnsBy(`SELECT t.relname AS owner, a.attname AS name FROM pg_class t
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE t.relkind IN ('r', 'p') AND t.relnamespace = CAST(CAST(current_schema() AS text) AS regnamespace)
    ORDER BY t.oid, a.attnum`),
};

/** The columns of every table, in the order in which the tables were made: those that others refer to come first. */
export async function tablesOf(engine: Engine['name'], ask: Ask): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>();
  for (const { table, column } of await readingOf(ask)(COLUMNS[engine])) {
    tables.set(table, [...(tables.get(table) ?? []), column]);
  }
  return tables;
}

/** Lets one transaction take its time; the limits of a server are for calls that others wait behind. */
export async function unhurried(engine: Engine['name'], ask: Ask): Promise<void> {
  if (engine === 'sqlite') return;
  for (const limit of ['statement_timeout', 'idle_in_transaction_session_timeout']) await ask(`SET LOCAL ${limit} = 0`);
}
