import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Cell, Row, Unit, Write } from '#platform/storage/store.ts';
import { type Crawl, NOT_BEGUN } from './crawl.ts';
import type { CrowdFacts, ItemFacts, ItemRow, Offer } from './facts.ts';
import * as sql from './sql.ts';

/** What was learned of an issue; what is not named stays as it is. */
export interface ItemPut {
  readonly key: string;
  readonly repository: string;
  readonly isListed?: boolean;
  readonly seenPass?: number;
  readonly triedAtMs?: number;
  readonly item?: { readonly facts: ItemFacts | null; readonly atMs: number };
  readonly crowd?: { readonly facts: CrowdFacts; readonly atMs: number; readonly forMs: number };
}

export interface RepositoryRow {
  readonly repository: string;
  readonly rewarded: number | null;
  readonly atMs: number;
  readonly triedAtMs: number;
}

interface CrawlRow {
  readonly name: string;
  readonly state: Crawl;
  /** Grows with every change of what the list shows. */
  readonly version: number;
}

export type ItemCommand =
  | {
      readonly type: 'put';
      readonly items?: readonly ItemPut[];
      readonly repository?: RepositoryRow;
      readonly crawl?: Crawl;
    }
  /** The whole list of the marketplace. */
  | { readonly type: 'offers'; readonly offers: readonly Offer[]; readonly atMs: number }
  | { readonly type: 'sweep'; readonly beforeMs: number };

interface ItemState {
  readonly items: VersionedMap<string, ItemRow>;
  readonly repositories: VersionedMap<string, RepositoryRow>;
  readonly offers: VersionedMap<string, Offer>;
  readonly crawls: VersionedMap<string, CrawlRow>;
  readonly offerKeys: readonly string[];
  readonly oldItems: readonly string[];
  readonly oldAnswers: readonly string[];
  readonly goneAnswers: readonly string[];
}

export const GITHUB = 'github';
export const OPIRE = 'opire';

/** The rows of venues; the result of a sweep is how many went. */
export const itemUnit: Unit<[ItemCommand, number], ItemState> = { name: 'venue-item', reads, load, decide, writes };

function reads(commands: readonly ItemCommand[]) {
  const keys = new Set<string>();
  const repositories = new Set<string>();
  let hasOffers = false;
  let beforeMs = -1;
  for (const command of commands) {
    if (command.type === 'offers') hasOffers = true;
    else if (command.type === 'sweep') beforeMs = Math.max(beforeMs, command.beforeMs);
    else {
      for (const { key } of command.items ?? []) keys.add(key);
      if (command.repository !== undefined) repositories.add(command.repository.repository);
    }
  }
  const due = beforeMs < 0 ? { list: [] } : { params: [beforeMs] };
  return [
    { sql: sql.ITEMS, list: [...keys] },
    { sql: sql.REPOSITORIES, list: [...repositories] },
    hasOffers ? { sql: sql.OFFERS } : { sql: sql.OFFERS, list: [] },
    { sql: sql.CRAWLS },
    { sql: sql.OLD_ITEMS, ...due },
    { sql: sql.OLD_ANSWERS, ...due },
  ];
}

function load(rows: readonly (readonly Row[])[]): ItemState {
  const [items = [], repositories = [], offers = [], crawls = [], oldItems = [], oldAnswers = []] = rows;
  return {
    items: byKey([...items, ...oldItems].map(itemRow), ({ key }) => key),
    repositories: byKey(repositories.map(repositoryRow), ({ repository }) => repository),
    offers: byKey(offers.map(offerRow), ({ key }) => key),
    crawls: byKey(crawls.map(crawlRow), ({ name }) => name),
    offerKeys: offers.map((row) => row['key'] as string),
    oldItems: oldItems.map((row) => row['key'] as string),
    oldAnswers: oldAnswers.map((row) => row['url'] as string),
    goneAnswers: [],
  };
}

function decide(state: ItemState, _nowMs: number, _next: unknown, command: ItemCommand) {
  if (command.type === 'offers') {
    const fresh = new Map(command.offers.map((offer) => [offer.key, offer]));
    const left = state.offerKeys.filter((key) => !fresh.has(key));
    const kept = left.reduce((rows, key) => rows.without(key), state.offers);
    const offers = [...fresh].reduce((rows, [key, offer]) => rows.with(key, offer), kept);
    const crawl = { name: OPIRE, state: { ...NOT_BEGUN, asOfMs: command.atMs }, version: 0 };
    return { state: { ...state, offers, crawls: state.crawls.with(OPIRE, crawl) }, result: 0 };
  }
  if (command.type === 'sweep') {
    const isOld = (key: string) => (state.items.get(key)?.itemAtMs ?? Number.POSITIVE_INFINITY) <= command.beforeMs;
    const gone = state.oldItems.filter(isOld);
    const items = gone.reduce((rows, key) => rows.without(key), state.items);
    const result = gone.length + state.oldAnswers.length;
    return { state: { ...state, items, goneAnswers: state.oldAnswers }, result };
  }
  const { items: puts = [], repository, crawl } = command;
  const before = state.crawls.get(GITHUB) ?? { name: GITHUB, state: NOT_BEGUN, version: 0 };
  const items = puts.reduce((rows, put) => rows.with(put.key, merged(rows.get(put.key), put)), state.items);
  const repositories =
    repository === undefined ? state.repositories : state.repositories.with(repository.repository, repository);
  const crawls = state.crawls.with(GITHUB, {
    name: GITHUB,
    state: crawl ?? before.state,
    version: before.version + 1,
  });
  return { state: { ...state, items, repositories, crawls }, result: 0 };
}

/** Each part is replaced only by what was read later: a look and the crawler may ask about the same issue. */
function merged(row: ItemRow | undefined, put: ItemPut): ItemRow {
  const { item, crowd } = put;
  const isNewer = item !== undefined && item.atMs >= (row?.itemAtMs ?? 0);
  const isNewerCrowd = crowd !== undefined && crowd.atMs >= (row?.crowdAtMs ?? 0);
  return {
    key: put.key,
    repository: put.repository,
    isListed: put.isListed ?? row?.isListed ?? false,
    seenPass: put.seenPass ?? row?.seenPass ?? 0,
    triedAtMs: put.triedAtMs ?? row?.triedAtMs ?? 0,
    item: isNewer ? item.facts : (row?.item ?? null),
    itemAtMs: isNewer ? item.atMs : (row?.itemAtMs ?? 0),
    crowd: isNewerCrowd ? crowd.facts : (row?.crowd ?? null),
    crowdAtMs: isNewerCrowd ? crowd.atMs : (row?.crowdAtMs ?? 0),
    crowdForMs: isNewerCrowd ? crowd.forMs : (row?.crowdForMs ?? 0),
  };
}

function writes(before: ItemState, after: ItemState): readonly Write[] {
  const items = changed(before.items, after.items);
  const offers = changed(before.offers, after.offers);
  return [
    { sql: sql.DELETE_ITEM, rows: items.gone },
    { sql: sql.PUT_ITEM, rows: items.kept.map(itemCells) },
    {
      sql: sql.PUT_REPOSITORY,
      rows: changed(before.repositories, after.repositories).kept.map((row) => [
        ...[row.repository, row.rewarded, row.atMs, row.triedAtMs],
      ]),
    },
    { sql: sql.DELETE_OFFER, rows: offers.gone },
    { sql: sql.PUT_OFFER, rows: offers.kept.map(({ key, usdMicro, people, atMs }) => [key, usdMicro, people, atMs]) },
    {
      sql: sql.PUT_CRAWL,
      rows: changed(before.crawls, after.crawls).kept.map(({ name, state, version }) => [
        ...[name, JSON.stringify(state), version],
      ]),
    },
    { sql: sql.DELETE_ANSWER, rows: after.goneAnswers.map((url) => [url]) },
  ];
}

function changed<V extends object>(before: VersionedMap<string, V>, after: VersionedMap<string, V>) {
  const gone: Cell[][] = [];
  const kept: V[] = [];
  for (const [key, valueBefore] of after.changesSince(before)) {
    const value = after.get(key);
    if (value !== undefined) kept.push(value);
    else if (valueBefore !== undefined) gone.push([key]);
  }
  return { gone, kept };
}

function byKey<V extends object>(rows: readonly V[], keyOf: (row: V) => string): VersionedMap<string, V> {
  return VersionedMap.of(rows.map((row) => [keyOf(row), row] as const));
}

function itemCells(row: ItemRow): Cell[] {
  const { item, crowd } = row;
  return [
    ...[row.key, row.repository, Number(row.isListed), row.seenPass, row.triedAtMs],
    ...[item?.updatedMs ?? 0, item?.reward?.currency === 'USD' ? Math.round(item.reward.amount * 1e6) : -1],
    ...[item === null ? null : JSON.stringify(item), row.itemAtMs],
    ...[crowd === null ? null : JSON.stringify(crowd), row.crowdAtMs, row.crowdForMs],
  ];
}

export function itemRow(row: Row): ItemRow {
  return {
    key: row['key'] as string,
    repository: row['repository'] as string,
    isListed: row['listed'] === 1,
    seenPass: row['seen_pass'] as number,
    triedAtMs: row['tried_at'] as number,
    item: row['item'] === null ? null : (JSON.parse(row['item'] as string) as ItemFacts),
    itemAtMs: row['item_at'] as number,
    crowd: row['crowd'] === null ? null : (JSON.parse(row['crowd'] as string) as CrowdFacts),
    crowdAtMs: row['crowd_at'] as number,
    crowdForMs: row['crowd_for'] as number,
  };
}

export function repositoryRow(row: Row): RepositoryRow {
  return {
    repository: row['repository'] as string,
    rewarded: row['rewarded'] as number | null,
    atMs: row['at'] as number,
    triedAtMs: row['tried_at'] as number,
  };
}

export function offerRow(row: Row): Offer {
  return {
    key: row['key'] as string,
    usdMicro: row['usd'] as number,
    people: row['people'] as number,
    atMs: row['at'] as number,
  };
}

export function crawlRow(row: Row): CrawlRow {
  return {
    name: row['name'] as string,
    state: JSON.parse(row['state'] as string) as Crawl,
    version: row['version'] as number,
  };
}
