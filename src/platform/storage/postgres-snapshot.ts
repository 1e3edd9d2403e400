import type pg from 'pg';
import type { Ask } from './engine.ts';
import { asked, CONNECT_TIMEOUT_MS, connectToPrimary, type PostgresPlace } from './postgres-connection.ts';
import { hostUrls } from './postgres-hosts.ts';
import { ROWS_AT_ONCE, type Snapshot } from './snapshot.ts';
import type { Cell, Row } from './store.ts';

/** One repeatable read of a connection of its own, through cursors. */
export class PostgresSnapshot implements Snapshot {
  readonly engine = 'postgres';
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async open({ url, patience = 1 }: PostgresPlace): Promise<PostgresSnapshot> {
    // What is lost shows itself at the next read.
    const { client } = await connectToPrimary(hostUrls(url), {
      connectionTimeoutMillis: patience * CONNECT_TIMEOUT_MS,
    });
    await asked(client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'));
    // The first read fixes the moment.
    await asked(client.query('SELECT 1'));
    return new PostgresSnapshot(client);
  }

  readonly query: Ask = async (sql, params = []) => (await asked(this.#client.query<Row>(sql, [...params]))).rows;

  async *rows(table: string, columns: readonly string[]): AsyncGenerator<Cell[][]> {
    await this.query(`DECLARE portion NO SCROLL CURSOR FOR SELECT ${columns.join(', ')} FROM ${table}`);
    for (;;) {
      const fetch = { text: `FETCH ${ROWS_AT_ONCE} FROM portion`, rowMode: 'array' } as const;
      const { rows } = await asked(this.#client.query<Cell[]>(fetch));
      if (rows.length === 0) break;
      yield rows;
    }
    await this.query('CLOSE portion');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }
}
