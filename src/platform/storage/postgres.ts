import pg from 'pg';
import type { Clock } from '#kernel/clock.ts';
import { type Durability, DurabilityError, risksOf, SERVER_FACTS_SQL, serverFacts } from './durability.ts';
import { type Decide, type Engine, HEAD_SQL, listText, type Opened, paddedLists, type Ask } from './engine.ts';
import { multiRow } from './multi-row.ts';
import {
  asked,
  CONNECT_TIMEOUT_MS,
  connectToPrimary,
  destroy,
  getTypeParser,
  type PostgresPlace,
  readerSettings,
  SILENCE_MS,
  STATEMENT_MS,
  verifyPrimary,
} from './postgres-connection.ts';
import { hostUrls, withOptions } from './postgres-hosts.ts';
import type { Cell, Read, Row, Write } from './store.ts';
import { StorageError } from './store.ts';

const CLOCK_SQL = 'SELECT CAST(extract(epoch from clock_timestamp()) * 1000 AS BIGINT) AS now';
const WRITER_SQL =
  'INSERT INTO writer (process, batch_no) VALUES ($1, $2) ON CONFLICT (process) DO UPDATE SET batch_no = excluded.batch_no';
/** Changes nothing, but its commit waits for the standby, and with it for the commit that is asked about. */
const WRITER_TOUCH = 'UPDATE writer SET batch_no = batch_no WHERE process = $1';
const WRITER_KEEP =
  'INSERT INTO writer (process, batch_no) VALUES ($1, 0) ON CONFLICT (process) DO UPDATE SET batch_no = writer.batch_no';
const WRITER_READ = 'SELECT batch_no FROM writer WHERE process = $1';

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
/** What opening a batch, its COMMIT and the search for a lost outcome have at the least, however late it is. */
const MIN_MS = { open: 1_000, commit: 1_500, resolve: 1_000 };
const STANDBYS = "SELECT current_setting('synchronous_standby_names') AS standbys";
/** The function of the server that gives up waiting for a standby: the COMMIT then says that it was done. */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN';

export interface PostgresOptions extends PostgresPlace {
  /** Names this process in the `writer` table; unique per start. */
  readonly process: string;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly readers?: number;
}

/** PostgreSQL through two pipelines per batch. The head row lock orders all processes. */
export class PostgresEngine implements Engine {
  readonly name = 'postgres';
  readonly #options: PostgresOptions;
  readonly #patience: number;
  /** Of one database; the first one is where writes went last. */
  #urls: readonly string[];
  #readers: pg.Pool;
  readonly #statementNames = new Map<string, string>();
  #writer: pg.Client | undefined;
  #batchNo = 0;
  #durability: Durability = { synchronous: 'off', risks: [] };
  /** Somebody has ended the wait for the standby: what was committed may stand on one disk only. */
  #isUnconfirmed = false;

  private constructor(options: PostgresOptions) {
    this.#options = options;
    this.#patience = options.patience ?? 1;
    this.#urls = hostUrls(options.url);
    this.#readers = this.#readersAt(this.#urls[0] as string);
  }

  static async open(options: PostgresOptions): Promise<PostgresEngine> {
    const engine = new PostgresEngine(options);
    try {
      await engine.#connected();
      return engine;
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  durability(): Durability {
    return this.#durability;
  }

  /** Standbys come and go, and settings change, while the connection that writes stays. */
  async checkDurability(): Promise<void> {
    const { settings, standbys } = serverFacts(await this.read(SERVER_FACTS_SQL, []));
    const { synchronous } = this.#durability;
    // A connection that reads does not ask for it.
    const asWritten = { ...settings, synchronous_commit: synchronous };
    this.#durability = { synchronous, risks: risksOf({ settings: asWritten, standbys }) };
  }

  async batch(reads: readonly Read[], decide: Decide, untilMs: number): Promise<void> {
    const { writer, opened } = await this.#opened(reads, untilMs);
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
      this.#isUnconfirmed = false;
      await this.#within(this.#leftMs(untilMs, MIN_MS.commit), writer, this.#commitBatch(writer, writes));
      if (this.#isUnconfirmed) throw new StorageError('unknown', 'no standby has confirmed the commit');
    } catch (error) {
      this.#drop(writer);
      if (!(error instanceof StorageError)) throw error;
      if (!(await this.#wasCommitted(error, untilMs))) throw this.#again('the commit was lost', untilMs, error);
    }
  }

  async read(sql: string, params: readonly Cell[]): Promise<readonly Row[]> {
    return (await asked(this.#readers.query<Row>({ name: this.#nameOf(sql), text: sql, values: [...params] }))).rows;
  }

  async readConfirmed(sql: string, params: readonly Cell[]): Promise<readonly Row[]> {
    const [setting] = await this.read(STANDBYS, []);
    return setting?.['standbys'] === '' ? this.read(sql, params) : this.#readBeforeCommit(sql, params);
  }

  /** A commit that a standby has confirmed comes after all that was read before it. */
  async #readBeforeCommit(sql: string, params: readonly Cell[]): Promise<readonly Row[]> {
    const reader = await asked(this.#readers.connect());
    let isUnconfirmed = false;
    const onNotice = ({ routine }: { routine?: string | undefined }) => {
      if (routine === WAIT_FOR_STANDBY) isUnconfirmed = true;
    };
    reader.on('notice', onNotice);
    let isSound = false;
    try {
      await asked(reader.query('BEGIN; SET LOCAL synchronous_commit = on'));
      const { rows } = await asked(reader.query<Row>(sql, [...params]));
      await asked(reader.query(WRITER_KEEP, [this.#options.process]));
      await asked(reader.query('COMMIT'));
      if (isUnconfirmed) throw new StorageError('unavailable', 'no standby has confirmed what was read');
      isSound = true;
      return rows;
    } finally {
      reader.off('notice', onNotice);
      reader.release(!isSound);
    }
  }

  async exclusively<T>(work: (query: Ask) => Promise<T>): Promise<T> {
    const writer = await this.#connected();
    const query: Ask = async (sql, params = []) => (await asked(writer.query<Row>(sql, [...params]))).rows;
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
  async #opened(reads: readonly Read[], untilMs: number): Promise<{ writer: pg.Client; opened: Opened }> {
    try {
      const writer = await this.#connected(this.#leftMs(untilMs, MIN_MS.open));
      const leftMs = this.#leftMs(untilMs, MIN_MS.open);
      return { writer, opened: await this.#within(leftMs, writer, this.#openBatch(writer, reads)) };
    } catch (error) {
      if (this.#writer !== undefined) this.#drop(this.#writer);
      if (!(error instanceof StorageError)) throw error;
      throw this.#again(error.message, untilMs, error);
    }
  }

  /** Nothing was written: worth another try while there is time for one. */
  #again(message: string, untilMs: number, cause: unknown): StorageError {
    const hasTime = this.#options.clock.monotonicMs() < untilMs;
    return new StorageError(hasTime ? 'conflict' : 'unavailable', message, { cause });
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
    if ((await commit).command !== 'COMMIT') throw new StorageError('conflict', 'the transaction was rolled back');
  }

  /** How long one may still wait for others. */
  #leftMs(untilMs: number, leastMs: number): number {
    return Math.max(untilMs - this.#options.clock.monotonicMs(), this.#patience * leastMs);
  }

  /** A server or network that falls silent without closing would hold every writer: dropping it ends the wait. */
  async #within<T>(ms: number, writer: pg.Client, work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.#drop(writer), ms);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Takes the head lock on a new connection, so that a commit still under way is waited for, and reads its trace. */
  async #wasCommitted(fault: StorageError, untilMs: number): Promise<boolean> {
    const { clock } = this.#options;
    const endMs = clock.monotonicMs() + this.#leftMs(untilMs, MIN_MS.resolve);
    const leftMs = () => Math.max(1, endMs - clock.monotonicMs());
    do {
      try {
        const writer = await this.#connected(leftMs());
        this.#isUnconfirmed = false;
        const look = Promise.all([
          writer.query('BEGIN'),
          this.#ask(writer, `${HEAD_SQL} FOR UPDATE`, []),
          this.#ask(writer, WRITER_READ, [this.#options.process]),
          this.#ask(writer, WRITER_TOUCH, [this.#options.process]),
          writer.query('COMMIT'),
        ]);
        const [, , trace] = await this.#within(leftMs(), writer, look);
        if (!this.#isUnconfirmed) return trace[0]?.['batch_no'] === this.#batchNo;
      } catch {
        // The next look is taken on another connection.
      }
      if (this.#writer !== undefined) this.#drop(this.#writer);
      await new Promise((resolve) => setTimeout(resolve, 100));
    } while (clock.monotonicMs() < endMs);
    throw new StorageError('unknown', 'the database was lost while it committed', { cause: fault });
  }

  async #load(writer: pg.Client, read: Read): Promise<readonly Row[]> {
    const { sql, params = [] } = read;
    if (read.list === undefined) return this.#ask(writer, sql, params);
    const chunks = paddedLists(read.list).map((chunk) =>
      this.#ask(writer, listText(sql, chunk.length), [...params, ...chunk]),
    );
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

  async #connected(withinMs = Number.POSITIVE_INFINITY): Promise<pg.Client> {
    if (this.#writer !== undefined) return this.#writer;
    const connectMs = Math.min(this.#patience * CONNECT_TIMEOUT_MS, withinMs);
    const { client, url } = await connectToPrimary(this.#urls, {
      pipeline: true,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      options: writerSettings(this.#patience),
    });
    client.on('error', () => this.#drop(client));
    client.on('notice', ({ routine }) => {
      if (routine === WAIT_FOR_STANDBY) this.#isUnconfirmed = true;
    });
    try {
      await this.#within(connectMs, client, this.#requireDurable(client));
    } catch (error) {
      destroy(client);
      throw error;
    }
    if (url !== this.#urls[0]) this.#moveTo(url);
    this.#writer = client;
    return client;
  }

  /** A failover may lead to a server with other settings, and a pooler may drop what this process asked for. */
  async #requireDurable(writer: pg.Client): Promise<void> {
    const facts = serverFacts((await asked(writer.query<Row>(SERVER_FACTS_SQL))).rows);
    const risks = risksOf(facts);
    const refused = risks.find(({ isRefused }) => isRefused);
    if (refused !== undefined) {
      const cause = new DurabilityError(refused);
      throw new StorageError('unavailable', cause.message, { cause });
    }
    this.#durability = { synchronous: facts.settings['synchronous_commit'] ?? '', risks };
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
      ...withOptions(url, readerSettings(this.#patience)),
      max: this.#options.readers ?? 8,
      connectionTimeoutMillis: this.#patience * CONNECT_TIMEOUT_MS,
      types: { getTypeParser },
      query_timeout: this.#patience * SILENCE_MS,
      verify: verifyPrimary,
    });
    // An idle reader that loses its connection is replaced by the pool; without a listener it would end the process.
    readers.on('error', () => {});
    // A connection can tell twice that it is lost, the second time when neither a query nor the pool listens any more.
    readers.on('connect', (client) => client.on('error', () => {}));
    return readers;
  }

  #drop(writer: pg.Client): void {
    if (this.#writer === writer) this.#writer = undefined;
    destroy(writer);
  }
}
