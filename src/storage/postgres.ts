import pg from 'pg';
import type { Clock } from '#kernel/clock.ts';
import { type Engine, HEAD_SQL, listText, type Opened, paddedLists, type Query, type Reader } from './engine.ts';
import { multiRow } from './multi-row.ts';
import { hostUrls } from './postgres-hosts.ts';
import type { Cell, Read, Row, Write } from './store.ts';
import { StorageFault } from './store.ts';

const CLOCK_SQL = 'SELECT CAST(extract(epoch from clock_timestamp()) * 1000 AS BIGINT) AS now';
const WRITER_SQL =
  'INSERT INTO writer (process, batch_no) VALUES ($1, $2) ON CONFLICT (process) DO UPDATE SET batch_no = excluded.batch_no';
/** Changes nothing, but its commit waits for the standby, and with it for the commit that is asked about. */
const WRITER_TOUCH = 'UPDATE writer SET batch_no = batch_no WHERE process = $1';
const STANDBY_SQL = 'SELECT CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END AS standby';
const WRITER_READ = 'SELECT batch_no FROM writer WHERE process = $1';

const STATEMENT_MS = 10_000;

/**
 * enable_seqscan=off: a plan made while a table was empty would keep its sequential scan for ever.
 * jit=off: a scan that cannot be avoided then looks so dear that it would be compiled anew, 80 ms for a few rows.
 * The time limits free the head lock when a process that holds it hangs.
 */
const writerSettings = (patience: number) =>
  [
    'enable_seqscan=off',
    'jit=off',
    'synchronous_commit=on',
    'default_transaction_isolation=read\\ committed',
    `lock_timeout=${patience * 4_000}`,
    `statement_timeout=${patience * STATEMENT_MS}`,
    `idle_in_transaction_session_timeout=${patience * 5_000}`,
  ]
    .map((setting) => `-c ${setting}`)
    .join(' ');
const readerSettings = (patience: number) => `-c jit=off -c statement_timeout=${patience * STATEMENT_MS}`;
export const CONNECT_TIMEOUT_MS = 3_000;
/** Longer than the server's own limits, which answer first while it is alive. */
const SILENCE_MS = 12_000;
/** How long an unknown COMMIT is pursued before its callers are told that the outcome is unknown. */
const RESOLVE_TIMEOUT_MS = 8_000;

const CONFLICTS = new Set(['40001', '40P01', '55P03']);

/** Lost, refused (user, password, name or state of the database: a new connection of a pool meets them) or overloaded. */
const UNREACHABLE = /^(08|28|3D|53|55000|57|58|25P0[23]|25006)/;

/** Connection trouble and everything that the driver raised itself. */
function asFault(error: unknown): unknown {
  // Only the server's errors carry a SQLSTATE: the driver's carry names of the system, and EPIPE has the same form.
  const state = error instanceof pg.DatabaseError ? error.code : undefined;
  if (state !== undefined && CONFLICTS.has(state))
    return new StorageFault('conflict', 'another writer', { cause: error });
  if (state !== undefined && !UNREACHABLE.test(state)) return error;
  return new StorageFault('unavailable', 'the database does not answer', { cause: error });
}

/** What the driver or the server answers; only their errors become faults, never those of our own code. */
export async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw asFault(error);
  }
}

export interface PostgresPlace {
  readonly url: string;
  /** How many times longer than usual the server may take. */
  readonly patience?: number;
}

export interface PostgresOptions extends PostgresPlace {
  /** Names this process in the `writer` table; unique per start. */
  readonly process: string;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly readers?: number;
}

/** PostgreSQL through two pipelines per batch. The head row lock orders all processes. */
export class PostgresEngine implements Engine {
  readonly name = 'postgres';
  readonly synchronous = 'on';
  readonly #options: PostgresOptions;
  readonly #patience: number;
  /** Of one database; the first one is where writes went last. */
  #urls: readonly string[];
  #readers: pg.Pool;
  readonly #statementNames = new Map<string, string>();
  #writer: pg.Client | undefined;
  #batchNo = 0;

  private constructor(options: PostgresOptions) {
    this.#options = options;
    this.#patience = options.patience ?? 1;
    this.#urls = hostUrls(options.url);
    this.#readers = this.#readersAt(this.#urls[0] as string);
  }

  static async open(options: PostgresOptions): Promise<PostgresEngine> {
    const engine = new PostgresEngine(options);
    try {
      const writer = await engine.#connected();
      const fsync = await writer.query<{ fsync: string }>('SHOW fsync');
      if (fsync.rows[0]?.fsync !== 'on') {
        throw new Error('the database runs with fsync=off and would lose writes: set fsync = on');
      }
      return engine;
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  async batch(reads: readonly Read[], decide: (opened: Opened) => readonly Write[]): Promise<void> {
    const { writer, opened } = await this.#opened(reads);
    let writes: readonly Write[];
    try {
      writes = decide(opened);
    } catch (error) {
      // Dropping the connection is the rollback that always works.
      this.#drop(writer);
      throw error;
    }
    this.#batchNo += 1;
    try {
      await this.#within(writer, this.#commitBatch(writer, writes));
    } catch (error) {
      this.#drop(writer);
      if (!(error instanceof StorageFault)) throw error;
      if (!(await this.#wasCommitted(error)))
        throw new StorageFault('conflict', 'the commit was lost', { cause: error });
    }
  }

  async read(sql: string, params: readonly Cell[]): Promise<readonly Row[]> {
    return (await asked(this.#readers.query<Row>({ name: this.#nameOf(sql), text: sql, values: [...params] }))).rows;
  }

  async exclusively<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const writer = await this.#connected();
    const query: Query = async (sql, params = []) => (await asked(writer.query<Row>(sql, [...params]))).rows;
    try {
      await query('BEGIN');
      const result = await work(query);
      await query('COMMIT');
      return result;
    } catch (error) {
      this.#drop(writer);
      throw error;
    }
  }

  async scrub(): Promise<void> {
    // What deleted rows leave behind is the server's own to clear (vacuum, recycling of its log).
  }

  async close(): Promise<void> {
    const writer = this.#writer;
    this.#writer = undefined;
    await Promise.allSettled([writer?.end(), this.#readers.end()]);
  }

  /** Until here nothing was sent that could commit, so a lost connection is worth another try. */
  async #opened(reads: readonly Read[]): Promise<{ writer: pg.Client; opened: Opened }> {
    try {
      const writer = await this.#connected();
      return { writer, opened: await this.#within(writer, this.#openBatch(writer, reads)) };
    } catch (error) {
      if (this.#writer !== undefined) this.#drop(this.#writer);
      if (!(error instanceof StorageFault)) throw error;
      throw new StorageFault('conflict', error.message, { cause: error });
    }
  }

  async #openBatch(writer: pg.Client, reads: readonly Read[]): Promise<Opened> {
    // The clock is a statement of its own behind the lock: inside the locking statement it would be read before the wait.
    const [, head, clock, ...loaded] = await Promise.all([
      asked(writer.query('BEGIN')),
      this.#ask(writer, `${HEAD_SQL} FOR UPDATE`, []),
      this.#ask(writer, CLOCK_SQL, []),
      ...reads.map((read) => this.#load(writer, read)),
    ]);
    return {
      rev: head[0]?.['rev'] as number,
      atMs: head[0]?.['at'] as number,
      clockMs: clock[0]?.['now'] as number,
      rows: loaded,
    };
  }

  async #commitBatch(writer: pg.Client, writes: readonly Write[]): Promise<void> {
    const sent: Promise<unknown>[] = [];
    for (const write of writes) {
      for (const { text, values } of multiRow(write)) sent.push(this.#ask(writer, text, values));
    }
    sent.push(this.#ask(writer, WRITER_SQL, [this.#options.process, this.#batchNo]));
    const commit = asked(writer.query('COMMIT'));
    await Promise.all([...sent, commit]);
    // A transaction that failed half-way answers COMMIT with the tag ROLLBACK.
    if ((await commit).command !== 'COMMIT') throw new StorageFault('conflict', 'the transaction was rolled back');
  }

  /** A server or network that falls silent without closing would hold every writer: dropping it ends the wait. */
  async #within<T>(writer: pg.Client, work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.#drop(writer), this.#patience * SILENCE_MS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Takes the head lock on a new connection, so that a commit still under way is waited for, and reads its trace. */
  async #wasCommitted(fault: StorageFault): Promise<boolean> {
    const { clock } = this.#options;
    const deadlineMs = clock.monotonicMs() + this.#patience * RESOLVE_TIMEOUT_MS;
    while (clock.monotonicMs() < deadlineMs) {
      try {
        const writer = await this.#connected();
        const look = Promise.all([
          writer.query('BEGIN'),
          this.#ask(writer, `${HEAD_SQL} FOR UPDATE`, []),
          this.#ask(writer, WRITER_READ, [this.#options.process]),
          this.#ask(writer, WRITER_TOUCH, [this.#options.process]),
          writer.query('COMMIT'),
        ]);
        const [, , trace] = await this.#within(writer, look);
        return trace[0]?.['batch_no'] === this.#batchNo;
      } catch {
        if (this.#writer !== undefined) this.#drop(this.#writer);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    throw new StorageFault('unknown', 'the database was lost while it committed', { cause: fault });
  }

  async #load(writer: pg.Client, read: Read): Promise<readonly Row[]> {
    if (read.list === undefined) return this.#ask(writer, read.sql, read.params ?? []);
    const chunks = paddedLists(read.list).map((chunk) => this.#ask(writer, listText(read.sql, chunk.length), chunk));
    return (await Promise.all(chunks)).flat();
  }

  async #ask(writer: pg.Client, text: string, values: readonly Cell[]): Promise<readonly Row[]> {
    return (await asked(writer.query<Row>({ name: this.#nameOf(text), text, values: [...values] }))).rows;
  }

  #nameOf(text: string): string {
    let name = this.#statementNames.get(text);
    if (name === undefined) {
      name = `s${this.#statementNames.size}`;
      this.#statementNames.set(text, name);
    }
    return name;
  }

  async #connected(): Promise<pg.Client> {
    if (this.#writer !== undefined) return this.#writer;
    let found = '';
    const writer = await firstThatWrites(this.#urls, (url) => {
      found = url;
      const client = new pg.Client({
        connectionString: url,
        pipeline: true,
        connectionTimeoutMillis: this.#patience * CONNECT_TIMEOUT_MS,
        keepAlive: true,
        types: { getTypeParser },
        options: writerSettings(this.#patience),
      });
      client.on('error', () => this.#drop(client));
      return client;
    });
    if (found !== this.#urls[0]) this.#moveTo(found);
    this.#writer = writer;
    return writer;
  }

  /** Reads go where writes go: a standby may lag behind what was answered. */
  #moveTo(url: string): void {
    const left = this.#readers;
    this.#urls = [url, ...this.#urls.filter((other) => other !== url)];
    this.#readers = this.#readersAt(url);
    // Reads under way end with their connections, which lead to a server that is gone.
    left.end().catch(() => {});
  }

  #readersAt(url: string): pg.Pool {
    const readers = new pg.Pool({
      connectionString: url,
      max: this.#options.readers ?? 8,
      connectionTimeoutMillis: this.#patience * CONNECT_TIMEOUT_MS,
      types: { getTypeParser },
      query_timeout: this.#patience * SILENCE_MS,
      options: readerSettings(this.#patience),
    });
    // An idle reader that loses its connection is replaced by the pool; without a listener it would end the process.
    readers.on('error', () => {});
    return readers;
  }

  #drop(writer: pg.Client): void {
    if (this.#writer === writer) this.#writer = undefined;
    destroy(writer);
  }
}

/** One connection of its own that can only read; made at the first read and made again after it was lost. */
export class PostgresReader implements Reader {
  readonly #urls: readonly string[];
  readonly #patience: number;
  #client: Promise<pg.Client> | undefined;

  constructor({ url, patience = 1 }: PostgresPlace) {
    this.#urls = hostUrls(url);
    this.#patience = patience;
  }

  async read(sql: string, params: readonly Cell[] = []): Promise<readonly Row[]> {
    this.#client ??= this.#connected();
    try {
      return (await asked((await this.#client).query<Row>(sql, [...params]))).rows;
    } catch (error) {
      if (error instanceof StorageFault) await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.then((one) => one.end()).catch(() => {});
  }

  async #connected(): Promise<pg.Client> {
    return firstThatWrites(this.#urls, (url) => {
      const client = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: this.#patience * CONNECT_TIMEOUT_MS,
        types: { getTypeParser },
        query_timeout: this.#patience * SILENCE_MS,
        options: `${readerSettings(this.#patience)} -c default_transaction_read_only=on`,
      });
      client.on('error', () => void this.close());
      return client;
    });
  }
}

/** The first server that is no standby, which may lag behind what was answered. */
async function firstThatWrites(urls: readonly string[], clientOf: (url: string) => pg.Client): Promise<pg.Client> {
  let fault: unknown;
  for (const url of urls) {
    const client = clientOf(url);
    try {
      await client.connect();
      if (urls.length === 1) return client;
      const { rows } = await client.query<{ standby: number }>(STANDBY_SQL);
      if (rows[0]?.standby === 0) return client;
      throw new Error('a standby takes no writes');
    } catch (error) {
      fault = error;
      destroy(client);
    }
  }
  // Whatever the reason, a refused user or a starting server included: without a connection nothing was written.
  throw new StorageFault('unavailable', 'the database cannot be reached', { cause: fault });
}

function destroy(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

const INT8_OID = 20;

/** int8 arrives as text; every number we store is a safe integer. */
export function getTypeParser(oid: number, format?: string): unknown {
  if (oid === INT8_OID) return Number;
  return pg.types.getTypeParser(oid, format as 'text');
}
