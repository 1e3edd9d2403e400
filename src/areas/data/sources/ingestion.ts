import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '#kernel/clock.ts';
import { newCommandId, runningSha256 } from '#kernel/ids.ts';
import { onlyOne } from '#platform/storage/head.ts';
import type { Query, Store } from '#platform/storage/store.ts';
import { type DatasetRow, datasetRow, rowDigest, snapshotDigest } from './dataset-row.ts';
import { datasetUnit, type RowKey, type SourceState, unread } from './dataset-unit.ts';
import type { FeedClient } from '../outside/feed-client.ts';
import { Unpacking } from '../outside/unpacking.ts';
import {
  type DataSource,
  type DraftRow,
  type HostName,
  type Portion,
  type ReadContext,
  SourceError,
  type StoredRow,
  Unchanged,
} from './source.ts';
import * as sql from '../sql.ts';

export interface IngestionOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly client: Pick<FeedClient, 'ask'>;
  /** Where people find a thing: at the source, or in the sandbox at its simulator. */
  readonly link: (host: HostName, url: string) => string;
}

interface IngestProgress {
  readonly bytes: number;
  readonly rows: number;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: IngestProgress) => void;
  /** Read instead of the source, by the same parser. */
  readonly file?: AsyncIterable<Uint8Array>;
}

export type RunOutcome =
  | { readonly kind: 'taken'; readonly rows: number; readonly snapshot: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly code: string; readonly detail: string };

/** Rows that are written in one commit while nobody sees them. */
const SLICE = 256;
/** A snapshot that lost more than this share is not believed. */
const MIN_SHARE = 0.5;
const FIRST_RETRY_MS = 5 * MINUTE_MS;
const MAX_RETRY_MS = 6 * HOUR_MS;

/** One read of one source. Only what is whole and plausible takes the place of the snapshot in use. */
export class Ingestion {
  readonly #options: IngestionOptions;

  constructor(options: IngestionOptions) {
    this.#options = options;
  }

  async states(): Promise<Map<string, SourceState>> {
    return new Map((await this.#options.store.read(sql.ALL_SOURCES)).map((state) => [state.source, state]));
  }

  /** Never throws for what a source does; what became of the try is stored with the source. */
  async run(source: DataSource, options: RunOptions): Promise<RunOutcome> {
    const { store, clock } = this.#options;
    const state = (await this.states()).get(source.id) ?? unread(source.id);
    await this.#drop(state.staging);
    const run = new Run(source, state, this.#options, options);
    const note = (next: Partial<SourceState>) =>
      store.run(datasetUnit, { type: 'note', source: source.id, next: { ...next, staging: '' } });
    try {
      const rows = await (source.mode === 'full' ? run.full() : run.incremental());
      if (run.replaced !== '') await this.#drop(run.replaced);
      return { kind: 'taken', rows, snapshot: run.snapshot };
    } catch (error) {
      await this.#drop(run.staging);
      if (error instanceof Unchanged) {
        await note({ checkedAtMs: clock.now(), failures: 0, failure: null, notBeforeMs: 0 });
        return { kind: 'unchanged' };
      }
      if (!(error instanceof SourceError)) throw error;
      const { code, message: detail, waitMs } = error;
      // A stop says nothing about the source.
      if (code === 'STOPPED') await note({});
      else {
        const failures = state.failures + 1;
        const pauseMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(state.failures, 10), source.everyMs);
        const notBeforeMs = clock.now() + Math.max(pauseMs, Math.min(waitMs, MAX_RETRY_MS));
        await note({ failures, failedAtMs: clock.now(), failure: `${code}: ${detail}`, notBeforeMs });
      }
      return { kind: 'refused', code, detail };
    }
  }

  /** Rows that nobody refers to, a slice at a time: a commit of all of them would hold up others. */
  async #drop(part: string): Promise<void> {
    const { store } = this.#options;
    for (;;) {
      const rows = part === '' ? [] : await store.read(sql.IDS_OF_PART, [part]);
      if (rows.length === 0) return;
      await store.run(datasetUnit, { type: 'drop', rows: rows.map(({ id }) => [part, id] as const) });
    }
  }
}

/** The state of one read. */
class Run {
  readonly #source: DataSource;
  readonly #state: SourceState;
  readonly #parts: IngestionOptions;
  readonly #options: RunOptions;
  #raw = runningSha256();
  /** The snapshot in use, and its digest, as this run last knew them. */
  #expected: string;
  #sha256: string;
  readonly #digests = new Map<string, string>();
  #bytes = 0;
  #rows = 0;
  #validators: string | null = null;
  staging = '';
  snapshot = '';
  /** Rows that the new snapshot made superfluous. */
  replaced = '';

  constructor(source: DataSource, state: SourceState, parts: IngestionOptions, options: RunOptions) {
    this.#source = source;
    this.#state = state;
    this.#expected = state.snapshot;
    this.#sha256 = state.sha256;
    this.#parts = parts;
    this.#options = options;
  }

  async full(): Promise<number> {
    const { store, clock } = this.#parts;
    const { id, licence } = this.#source;
    this.snapshot = newCommandId();
    const part = `${id}@${this.snapshot}`;
    this.staging = part;
    const retrievedAtMs = clock.now();
    await store.run(datasetUnit, { type: 'note', source: id, next: { staging: part } });
    let cursor: string | null = null;
    for await (const portion of this.#portions(0)) {
      cursor = portion.cursor ?? cursor;
      const stamp = { part, snapshot: this.snapshot, retrievedAtMs, licence };
      const rows = this.#fresh(portion.rows).map(([row, sha256]) => datasetRow(row, sha256, stamp));
      for (let from = 0; from < rows.length; from += SLICE) {
        await store.run(datasetUnit, { type: 'stage', rows: rows.slice(from, from + SLICE) });
      }
    }
    this.#checkSize(this.#digests.size, this.#state.rows);
    const sha256 = snapshotDigest(this.#digests);
    if (sha256 === this.#state.sha256) throw new Unchanged();
    const { part: before, previousPart } = this.#state;
    await this.#take({ part, previousPart: before, staging: '', sha256, cursor, retrievedAtMs }, [], []);
    this.replaced = previousPart;
    return this.#digests.size;
  }

  async incremental(): Promise<number> {
    const { store, clock } = this.#parts;
    const { id, licence, keepMs = Number.POSITIVE_INFINITY } = this.#source;
    const part = `${id}@0`;
    const isFirst = this.#state.part === '';
    const sinceMs = await this.#sinceMs(part);
    if (!isFirst) for await (const known of this.#slices(sql.DIGESTS, part)) this.#digests.set(known.id, known.sha256);
    for await (const portion of this.#portions(sinceMs)) {
      const { window, cursor = null } = portion;
      if (window !== undefined && this.#options.file === undefined) await this.#checkWindow(part, portion.rows, window);
      const retrievedAtMs = clock.now();
      this.snapshot = newCommandId();
      const stamp = { part, snapshot: this.snapshot, retrievedAtMs, licence };
      const drafts = [...new Map(portion.rows.map((row) => [row.id, row])).values()];
      const rows = drafts.map((row) => {
        const sha256 = rowDigest(row.id, row.sourceUrl, row.item);
        this.#digests.set(row.id, sha256);
        return datasetRow(row, sha256, stamp);
      });
      const old = await store.read(sql.OLD_IDS, [part, clock.now() - keepMs]);
      for (const one of old) this.#digests.delete(one.id);
      const sha256 = snapshotDigest(this.#digests);
      // A window that holds what is known already is no news.
      if (this.#digests.size === 0 || (sha256 === this.#sha256 && cursor === this.#state.cursor)) continue;
      this.#sha256 = sha256;
      const next = { part, sha256, cursor, retrievedAtMs };
      await this.#take(
        next,
        rows,
        old.map((one) => [part, one.id]),
      );
    }
    if (this.#digests.size === 0) throw new SourceError('EMPTY', 'the source returned nothing');
    if (this.#expected === this.#state.snapshot) throw new Unchanged();
    return this.#digests.size;
  }

  /** All that the source says, or the file in its place; counted and bounded. */
  async *#portions(sinceMs: number): AsyncIterable<Portion> {
    const { file, onProgress } = this.#options;
    const { maxRows } = this.#source;
    const portions = file === undefined ? this.#source.read(this.#context(sinceMs)) : this.#fromFile(file);
    for await (const portion of portions) {
      this.#rows += portion.rows.length;
      if (this.#rows > maxRows && this.#source.mode === 'full')
        throw new SourceError('TOO_LARGE', `more than ${maxRows} rows`);
      yield portion;
      onProgress?.({ bytes: this.#bytes, rows: this.#rows });
    }
  }

  async *#fromFile(file: AsyncIterable<Uint8Array>): AsyncIterable<Portion> {
    const { clock, link } = this.#parts;
    const unpacking = new Unpacking(this.#source.readFile({ nowMs: clock.now(), link }), this.#source.maxBytes);
    for await (const piece of file) {
      this.#count(piece);
      await unpacking.write(piece);
    }
    yield { rows: await unpacking.end() };
  }

  #context(sinceMs: number): ReadContext {
    const { store, clock, client, link } = this.#parts;
    const { maxBytes } = this.#source;
    const { part, validators, cursor } = this.#state;
    return {
      nowMs: clock.now(),
      sinceMs,
      cursor,
      link,
      ask: async (request, reader) => {
        const answer = await client.ask(request, reader, {
          signal: this.#options.signal,
          maxBytes,
          validators,
          onBytes: (piece) => this.#count(piece),
        });
        if (request.isConditional) this.#validators = answer.validators;
        return answer.value;
      },
      known: async (ids) => {
        const found = await Promise.all(ids.map((id) => store.read(sql.STORED_ONE, [part, id])));
        return new Map(found.flat().map((row) => [row.id, row]));
      },
      stored: (source) => this.#stored(source),
    };
  }

  async *#stored(source: string): AsyncIterable<StoredRow> {
    const states = await this.#parts.store.read(sql.ALL_SOURCES);
    yield* this.#slices(sql.STORED, states.find((state) => state.source === source)?.part ?? '');
  }

  async *#slices<T extends { readonly id: string }>(asked: Query<T>, part: string): AsyncIterable<T> {
    for (let after = ''; ; ) {
      const rows = await this.#parts.store.read(asked, [part, after]);
      const last = rows.at(-1);
      if (last === undefined) return;
      yield* rows;
      after = last.id;
      // Others get a turn: a year of rows is many slices.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #count(piece: Uint8Array): void {
    this.#raw.update(piece);
    this.#bytes += piece.length;
    this.#options.onProgress?.({ bytes: this.#bytes, rows: this.#rows });
  }

  /** Rows with an id that was not seen before, and their digests. */
  #fresh(rows: readonly DraftRow[]): [DraftRow, string][] {
    return rows.flatMap((row): [DraftRow, string][] => {
      if (this.#digests.has(row.id)) return [];
      const sha256 = rowDigest(row.id, row.sourceUrl, row.item);
      this.#digests.set(row.id, sha256);
      return [[row, sha256]];
    });
  }

  async #sinceMs(part: string): Promise<number> {
    const { firstReadMs = 0, overlapMs = 0 } = this.#source;
    const { atMs: newestMs } = onlyOne(await this.#parts.store.read(sql.NEWEST_OF_PART, [part]));
    const sinceMs = newestMs === null ? this.#parts.clock.now() - firstReadMs : newestMs - overlapMs;
    return Math.floor(sinceMs / DAY_MS) * DAY_MS;
  }

  async #checkWindow(
    part: string,
    rows: readonly DraftRow[],
    { fromMs, toMs }: { fromMs: number; toMs: number },
  ): Promise<void> {
    const { held } = onlyOne(await this.#parts.store.read(sql.HELD, [part, fromMs, toMs]));
    if (held > 0) this.#checkSize(rows.filter(({ sortAtMs }) => sortAtMs >= fromMs && sortAtMs <= toMs).length, held);
  }

  /** Silence and a sudden loss look alike: a wrong question, a broken export. Neither is news. */
  #checkSize(rows: number, before: number): void {
    if (rows === 0)
      throw new SourceError('EMPTY', `the source returned nothing, but ${before} rows were stored before`);
    if (rows < before * MIN_SHARE)
      throw new SourceError('SHRUNKEN', `the source returned ${rows} rows, but ${before} were stored before`);
  }

  async #take(next: Partial<SourceState>, rows: readonly DatasetRow[], gone: readonly RowKey[]): Promise<void> {
    const { store, clock } = this.#parts;
    const digests = { snapshot: this.snapshot, rows: this.#digests.size, rawSha256: this.#raw.hex() };
    const fine = { checkedAtMs: clock.now(), failures: 0, failure: null, notBeforeMs: 0, validators: this.#validators };
    const isTaken = await store.run(datasetUnit, {
      type: 'take',
      source: this.#source.id,
      expected: this.#expected,
      next: { ...next, ...digests, ...fine },
      rows,
      gone,
    });
    if (!isTaken) throw new SourceError('SUPERSEDED', 'another read of this source finished first');
    this.#expected = this.snapshot;
    this.#raw = runningSha256();
    this.staging = '';
  }
}
