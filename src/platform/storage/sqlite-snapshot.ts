import { DatabaseSync } from 'node:sqlite';
import type { Ask } from './engine.ts';
import { ROWS_AT_ONCE, type Snapshot } from './snapshot.ts';
import { toError } from './sqlite.ts';
import type { Cell, Row } from './store.ts';

/** A read transaction on a read-only connection: in WAL mode it sees one commit and stops no writer. */
export class SqliteSnapshot implements Snapshot {
  readonly engine = 'sqlite';
  readonly #database: DatabaseSync;

  constructor(file: string) {
    try {
      this.#database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
      this.#database.exec('BEGIN');
      // The first read fixes the moment.
      this.#database.prepare('SELECT COUNT(*) FROM sqlite_master').get();
    } catch (error) {
      throw toError(error);
    }
  }

  readonly query: Ask = async (sql, params = []) =>
    this.#database.prepare(sql.replaceAll('$', '?')).all(...params) as Row[];

  async *rows(table: string, columns: readonly string[]): AsyncGenerator<Cell[][]> {
    const statement = this.#database.prepare(`SELECT ${columns.join(', ')} FROM ${table}`);
    statement.setReturnArrays(true);
    let portion: Cell[][] = [];
    for (const row of statement.iterate()) {
      portion.push(row as unknown as Cell[]);
      if (portion.length < ROWS_AT_ONCE) continue;
      yield portion;
      portion = [];
    }
    if (portion.length > 0) yield portion;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#database.isOpen) this.#database.close();
  }
}
