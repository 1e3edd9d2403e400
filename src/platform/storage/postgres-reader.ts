import type pg from 'pg';
import type { Reader } from './engine.ts';
import {
  asked,
  CONNECT_TIMEOUT_MS,
  connectToPrimary,
  type PostgresPlace,
  readerSettings,
  SILENCE_MS,
} from './postgres-connection.ts';
import { hostUrls } from './postgres-hosts.ts';
import { type Cell, readingOf, type Row, StorageError } from './store.ts';

/** One connection of its own that can only read; made at the first read and made again after it was lost. */
export class PostgresReader implements Reader {
  readonly read = readingOf((sql, params = []) => this.#rows(sql, params));
  readonly #place: PostgresPlace;
  #client: Promise<pg.Client> | undefined;

  constructor(place: PostgresPlace) {
    this.#place = place;
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.then((one) => one.end()).catch(() => {});
  }

  async #rows(sql: string, params: readonly Cell[]): Promise<readonly Row[]> {
    this.#client ??= this.#connected();
    try {
      return (await asked((await this.#client).query<Row>(sql, [...params]))).rows;
    } catch (error) {
      if (error instanceof StorageError) await this.close();
      throw error;
    }
  }

  async #connected(): Promise<pg.Client> {
    const { url, patience = 1 } = this.#place;
    const { client } = await connectToPrimary(hostUrls(url), {
      connectionTimeoutMillis: patience * CONNECT_TIMEOUT_MS,
      query_timeout: patience * SILENCE_MS,
      options: `${readerSettings(patience)} -c default_transaction_read_only=on`,
    });
    client.on('error', () => void this.close());
    return client;
  }
}
