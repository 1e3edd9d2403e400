import { cleanText } from '#kernel/foreign-text.ts';

/** A host of the outside world that sources are read from. */
export const HOSTS = ['koop', 'tenderned', 'ted', 'bwb', 'cbs', 'pdok', 'ndw'] as const;
export type HostName = (typeof HOSTS)[number];

export const DATASETS = ['permits', 'leadtimes', 'tenders', 'laws', 'economy', 'zones', 'natura', 'events'] as const;
export type DatasetName = (typeof DATASETS)[number];

/** What a source says of one thing, before it has a snapshot. */
export interface DraftRow {
  readonly id: string;
  readonly sourceUrl: string;
  /** When it was published, or begins; 0 where it has no time. */
  readonly sortAtMs: number;
  /** When it closes or ends; 0 where it does not. */
  readonly untilMs?: number;
  readonly kind?: string;
  readonly authority?: string;
  /** Codes and words by which a tool filters. */
  readonly facets?: readonly string[];
  /** Names the case that several rows belong to. */
  readonly reference?: string;
  /** What a text query is compared with, beside the facets. */
  readonly text: string;
  readonly lat?: number | undefined;
  readonly lon?: number | undefined;
  /** The fields of the tool's item, in wire names. */
  readonly item: Readonly<Record<string, unknown>>;
}

/** Why a source's answer was not taken. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly code: string;
  /** From when on asking again makes sense, where the source said so. */
  readonly waitMs: number;

  constructor(code: string, detail: string, waitMs = 0) {
    super(detail);
    this.code = code;
    this.waitMs = waitMs;
  }
}

/** Takes the bytes of one answer as they come; throws a SourceFault when they are not what was asked for. */
export interface PageReader<T> {
  write(piece: Uint8Array): void;
  end(): T;
}

export interface FeedRequest {
  readonly host: HostName;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent by POST. */
  readonly body?: string;
  readonly accept?: string;
  /** Asks only for what changed since the snapshot in use; a source that did not change ends the run. */
  readonly isConditional?: true;
}

export interface StoredRow {
  readonly id: string;
  readonly kind: string;
  readonly reference: string;
  readonly sortAtMs: number;
  readonly item: Readonly<Record<string, unknown>>;
}

export interface ReadContext {
  readonly nowMs: number;
  /** Of incremental sources: from when on rows are asked for. */
  readonly sinceMs: number;
  /** What the run before left for this one. */
  readonly cursor: string | null;
  /** A reader for every attempt: what an answer that broke off left behind is not read on. */
  readonly ask: <T>(request: FeedRequest, reader: () => PageReader<T>) => Promise<T>;
  /** The address of a thing at a host, for people. */
  readonly link: (host: HostName, path: string) => string;
  /** Rows that are in use, by their ids. */
  readonly known: (ids: readonly string[]) => Promise<ReadonlyMap<string, StoredRow>>;
  /** All rows in use of another source. */
  readonly stored: (source: string) => AsyncIterable<StoredRow>;
}

/** A part of a read: its rows, and what the next run is told. */
export interface Portion {
  readonly rows: readonly DraftRow[];
  /** Of incremental sources: the rows are all that there is of this time. */
  readonly window?: { readonly fromMs: number; readonly toMs: number };
  readonly cursor?: string;
}

/** One row of the table of sources. */
export interface DataSource {
  readonly id: string;
  readonly dataset: DatasetName;
  readonly title: string;
  readonly licence: string;
  readonly publisher: string;
  readonly everyMs: number;
  /** `full`: every run reads all. `incremental`: from a while before the newest row on. */
  readonly mode: 'full' | 'incremental';
  readonly overlapMs?: number;
  /** How far back the first read of an incremental source goes, and how long its rows are kept. */
  readonly firstReadMs?: number;
  readonly keepMs?: number;
  /** Of one answer, after unpacking. */
  readonly maxBytes: number;
  readonly maxRows: number;
  /** Rows that are searchable by words; the newest of them. */
  readonly indexed: number;
  read(context: ReadContext): AsyncIterable<Portion>;
  /** The same parser for a downloaded file. */
  readFile(context: Pick<ReadContext, 'nowMs' | 'link'>): PageReader<readonly DraftRow[]>;
}

/** Raised by `ask` when the source says that nothing changed. */
export class Unchanged extends Error {
  override readonly name = 'Unchanged';
}

const MAX_TEXT_LENGTH = 2_000;

/** Text of others as it may be stored; empty for what is no text. */
export function foreign(value: unknown): string {
  return typeof value === 'string' ? cleanText(value.slice(0, MAX_TEXT_LENGTH)) : '';
}

/** A day or a time as milliseconds; undefined for anything else. */
export function timeMs(value: unknown): number | undefined {
  const [, day, time = 'T00:00:00', zone] =
    /^(\d{4}-\d{2}-\d{2})(T[\d:.]+)?(Z|[+-]\d{2}:\d{2})?$/.exec(typeof value === 'string' ? value : '') ?? [];
  if (day === undefined) return undefined;
  // A time without its zone is the earliest that it can be in the Netherlands; a day is that of UTC.
  const ms = Date.parse(`${day}${time}${zone ?? (time === 'T00:00:00' ? 'Z' : '+02:00')}`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** The one form in which names and words are compared: lower case, no accents. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** The name of a municipality without the word for it. */
export function authorityName(text: string): string {
  return folded(text).replace(/^(?:gemeente|provincie|waterschap) /, '');
}
