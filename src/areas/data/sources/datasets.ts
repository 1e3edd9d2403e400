import { type Clock, DAY_MS, isoTime } from '#kernel/clock.ts';
import { onlyOne } from '#platform/storage/head.ts';
import type { Store } from '#platform/storage/store.ts';
import type { SourceState } from './dataset-unit.ts';
import { STATUTORY_NOTE } from './lead-times.ts';
import type { DataAnswer, DataInput } from '../operations.ts';
import { agesOf, snapshotNotes, snapshotView, type SourceAge } from './snapshot-view.ts';
import { authorityName, type DatasetName, DATASETS, folded, timeMs } from './source.ts';
import { SOURCES, sourcesOf } from './source-table.ts';
import * as sql from '../sql.ts';

export interface DataSetsOptions {
  readonly store: Pick<Store, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly sandbox: boolean;
  /** Has everything read for the first time, where that takes but a moment. */
  readonly firstRead?: () => Promise<void>;
}

/** What a query leaves, in the terms of the store. */
interface Filter {
  readonly fromMs: number;
  readonly toMs: number;
  readonly untilMs: number;
  readonly kind: string;
  readonly authority: string;
  /** Pieces that the facets must hold. */
  readonly facets: readonly [string, string];
  readonly words: readonly string[];
  readonly notes: readonly string[];
}

const MAX_WORDS = 4;
/** A year of publications is too long to be read for one word. */
const QUERIED_PERMITS_MS = 90 * DAY_MS;
/** Commits of a read that is under way may come between two reads of an answer. */
const MAX_TRIES = 5;
const SANDBOX = { sandbox: true } as const;

/** Answers from the snapshots in use; a source is never asked for it. */
export class DataSets {
  readonly #options: DataSetsOptions;
  #seen: Map<string, SourceState> = new Map();

  constructor(options: DataSetsOptions) {
    this.#options = options;
  }

  async query(dataset: DatasetName, input: DataInput): Promise<DataAnswer> {
    const { clock } = this.#options;
    const nowMs = clock.now();
    const filter = filterOf(dataset, input, nowMs);
    for (let attempt = 1; ; attempt += 1) {
      const ages = agesOf(sourcesOf(dataset), await this.states(), nowMs);
      const { rows, total } = await this.#rows(ages, filter, input);
      // The same snapshots before and after: what was read between them is of them.
      const after = agesOf(sourcesOf(dataset), await this.states(), nowMs);
      const isSame = after.every(({ state }, index) => state.snapshot === ages[index]?.state.snapshot);
      if (!isSame && attempt < MAX_TRIES) continue;
      const snapshot = snapshotView(ages);
      const law = dataset === 'leadtimes' ? [STATUTORY_NOTE, ...droppedNote(ages)] : [];
      return {
        items: rows.map((row) => itemOf(dataset, row, nowMs)),
        total,
        snapshot,
        notes: [...snapshotNotes(dataset, ages, nowMs), ...filter.notes, ...law],
        as_of: isoTime(nowMs),
        ...(this.#options.sandbox && SANDBOX),
      };
    }
  }

  async summary() {
    const nowMs = this.#options.clock.now();
    const states = await this.states();
    const sets = DATASETS.map((dataset) => ({ dataset, ages: agesOf(sourcesOf(dataset), states, nowMs) }));
    const items = sets.map(({ dataset, ages }) => {
      const { rows, state } = snapshotView(ages);
      const readMs = Math.max(...ages.map((age) => age.state.retrievedAtMs));
      return { dataset, count: rows, latest: readMs === 0 ? null : isoTime(readMs), state };
    });
    return {
      items,
      total: items.length,
      snapshot: { ...snapshotView(sets.flatMap(({ ages }) => ages)), source: 'all' },
      notes: sets.flatMap(({ dataset, ages }) => snapshotNotes(dataset, ages, nowMs)),
      as_of: isoTime(nowMs),
      ...(this.#options.sandbox && SANDBOX),
    };
  }

  async sources() {
    const nowMs = this.#options.clock.now();
    const ages = agesOf(SOURCES, await this.states(), nowMs);
    const time = (ms: number) => (ms === 0 ? null : isoTime(ms));
    return {
      sources: ages.map(({ source, state, age }) => ({
        id: source.id,
        dataset: source.dataset,
        title: source.title,
        publisher: source.publisher,
        licence: source.licence,
        refresh_every_s: source.everyMs / 1_000,
        state: age,
        retrieved_at: time(state.retrievedAtMs),
        confirmed_at: time(state.checkedAtMs),
        rows: state.rows,
        snapshot_id: state.snapshot || null,
        sha256: state.sha256 || null,
        raw_sha256: state.rawSha256 || null,
        failure: state.failure,
      })),
      as_of: isoTime(nowMs),
      ...(this.#options.sandbox && SANDBOX),
    };
  }

  async states(): Promise<Map<string, SourceState>> {
    const { firstRead } = this.#options;
    await this.lookUp();
    if (firstRead !== undefined && this.#seen.size < SOURCES.length) {
      await firstRead();
      await this.lookUp();
    }
    return this.#seen;
  }

  /** Reads the states anew, and has nothing else read for it. */
  async lookUp(): Promise<void> {
    const states = await this.#options.store.read(sql.ALL_SOURCES);
    this.#seen = new Map(states.map((state) => [state.source, state]));
  }

  /** From memory, for those who must not wait. */
  lastSeen() {
    const nowMs = this.#options.clock.now();
    return DATASETS.map((id) => {
      const { state, retrieved_at, rows } = snapshotView(agesOf(sourcesOf(id), this.#seen, nowMs));
      return { id, state, retrieved_at, rows };
    });
  }

  async #rows(ages: readonly SourceAge[], filter: Filter, { limit, offset }: DataInput) {
    const parts = ages.map(({ state }) => state.part).filter((part) => part !== '');
    if (parts.length === 0) return { rows: [], total: 0 };
    const { fromMs, toMs, untilMs, kind, authority, facets, words } = filter;
    const padded = [...words, ...Array<string>(MAX_WORDS - words.length).fill('')];
    const params = [fromMs, toMs, untilMs, kind, authority, ...facets, ...padded, ...parts];
    const hasAuthority = authority !== '';
    const { total } = onlyOne(await this.#options.store.read(sql.countMatching(parts.length, hasAuthority), params));
    const rows = await this.#options.store.read(sql.rowsMatching(parts.length, hasAuthority), [
      ...params,
      limit,
      offset,
    ]);
    return { rows, total };
  }
}

function filterOf(dataset: DatasetName, input: DataInput, nowMs: number): Filter {
  const words = folded(input.query ?? '')
    .split(/[^\p{L}\p{N}-]+/u)
    .filter((word) => word !== '');
  const used = words.toSorted((a, b) => b.length - a.length).slice(0, MAX_WORDS);
  const days = {
    fromMs: input.from === undefined ? 0 : Date.parse(input.from),
    toMs: input.to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(input.to) + DAY_MS - 1,
  };
  const isLongSearch = dataset === 'permits' && used.length > 0 && input.from === undefined;
  const isEvents = dataset === 'events';
  const aheadMs = nowMs + (input.within_days ?? 90) * DAY_MS;
  return {
    fromMs: isLongSearch ? Math.floor((nowMs - QUERIED_PERMITS_MS) / DAY_MS) * DAY_MS : isEvents ? 0 : days.fromMs,
    toMs: isEvents ? Math.min(days.toMs, aheadMs) : days.toMs,
    // An event that is over is none; one that ends before the first day asked for neither.
    untilMs: isEvents ? Math.max(nowMs, days.fromMs) : input.open_only === 'yes' ? nowMs : -1,
    kind: folded(input.type ?? input.kind ?? input.country ?? input.table ?? ''),
    authority: authorityName(input.authority ?? input.municipality ?? ''),
    facets: facetPieces(input),
    words: used,
    notes: [
      ...(words.length > used.length ? [`Only the longest ${MAX_WORDS} words of the query were used.`] : []),
      ...(isLongSearch ? ['Without from, the query covers the newest 90 days.'] : []),
    ],
  };
}

/** A code by its beginning, a word anywhere, the rest as a whole; no tool has more than two of them. */
function facetPieces({ cpv, activity, measure, period, protection }: DataInput): [string, string] {
  const piece = (value: string | undefined, before: string, after: string) =>
    value === undefined ? [] : [`${before}${folded(value).replaceAll('|', ' ')}${after}`];
  const word = piece(activity ?? measure, '', '');
  const [first = '', second = ''] = [...piece(cpv, '|', ''), ...word, ...piece(period ?? protection, '|', '|')];
  return [first, second];
}

function droppedNote(ages: readonly SourceAge[]): string[] {
  const dropped = Number(ages[0]?.state.cursor ?? 0);
  return dropped === 0 ? [] : [`${dropped} pairs were left out because the decision is dated before the application.`];
}

type Found = ReturnType<ReturnType<typeof sql.rowsMatching>['of']>;

function itemOf(dataset: DatasetName, row: Found, nowMs: number): DataAnswer['items'][number] {
  const { item, part } = row;
  const closesMs = timeMs(item['closes']);
  const daysLeft = closesMs === undefined ? null : Math.max(0, Math.floor((closesMs - nowMs) / DAY_MS));
  return {
    ...item,
    ...(dataset === 'tenders' && { days_left: daysLeft }),
    id: row.id,
    source: part.slice(0, part.indexOf('@')),
    source_url: row.sourceUrl,
    licence: row.licence,
    retrieved_at: isoTime(row.retrievedAtMs),
    snapshot_id: row.snapshot,
    row_sha256: row.sha256,
  };
}
