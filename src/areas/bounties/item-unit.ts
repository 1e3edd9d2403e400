import { VersionedMap } from '#kernel/versioned-map.ts';
import { decideByType, type Decision, type Found, type Unit, type Write } from '#platform/storage/store.ts';
import { given, listed } from '#platform/storage/table.ts';
import { type Crawl, NOT_BEGUN } from './crawl.ts';
import type { BountyOffer, CrowdFacts, ItemFacts, ItemRow } from './facts.ts';
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

interface RepositoryRow {
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

export interface PutCommand {
  readonly type: 'put';
  readonly items?: readonly ItemPut[];
  readonly repository?: RepositoryRow;
  readonly crawl?: Crawl;
}

/** The whole list of the marketplace. */
interface OffersCommand {
  readonly type: 'offers';
  readonly offers: readonly BountyOffer[];
  readonly atMs: number;
}

type ItemDeed = [PutCommand | OffersCommand, null];

interface ItemState {
  readonly items: VersionedMap<string, ItemRow>;
  readonly repositories: VersionedMap<string, RepositoryRow>;
  readonly offers: VersionedMap<string, BountyOffer>;
  readonly crawls: VersionedMap<string, CrawlRow>;
  readonly offerKeys: readonly string[];
}

export const GITHUB = 'github';
export const OPIRE = 'opire';

const decide = decideByType<ItemDeed, ItemState>({ put: keep, offers });

/** The rows of venues. */
export const itemUnit: Unit<ItemDeed, ItemState, typeof reads> = { name: 'venue-item', reads, load, decide, writes };

function reads(commands: readonly ItemDeed[0][]) {
  const keys = new Set<string>();
  const repositories = new Set<string>();
  let hasOffers = false;
  for (const command of commands) {
    if (command.type === 'offers') hasOffers = true;
    else {
      for (const { key } of command.items ?? []) keys.add(key);
      if (command.repository !== undefined) repositories.add(command.repository.repository);
    }
  }
  return {
    items: listed(sql.ITEMS, keys),
    repositories: listed(sql.REPOSITORIES, repositories),
    offers: given(sql.OFFERS, hasOffers ? [] : null),
    crawls: sql.CRAWLS,
  };
}

function load(found: Found<typeof reads>): ItemState {
  return {
    items: VersionedMap.by(found.items, ({ key }) => key),
    repositories: VersionedMap.by(found.repositories, ({ repository }) => repository),
    offers: VersionedMap.by(found.offers, ({ key }) => key),
    crawls: VersionedMap.by(found.crawls, ({ name }) => name),
    offerKeys: found.offers.map(({ key }) => key),
  };
}

function keep(
  state: ItemState,
  _nowMs: number,
  _next: unknown,
  { items: puts = [], repository, crawl }: PutCommand,
): Decision<ItemState, null> {
  const before = state.crawls.get(GITHUB) ?? { name: GITHUB, state: NOT_BEGUN, version: 0 };
  const items = puts.reduce((rows, one) => rows.with(one.key, merged(rows.get(one.key), one)), state.items);
  const repositories =
    repository === undefined ? state.repositories : state.repositories.with(repository.repository, repository);
  const crawls = state.crawls.with(GITHUB, {
    name: GITHUB,
    state: crawl ?? before.state,
    version: before.version + 1,
  });
  return { state: { ...state, items, repositories, crawls }, result: null };
}

function offers(
  state: ItemState,
  _nowMs: number,
  _next: unknown,
  { offers: listedNow, atMs }: OffersCommand,
): Decision<ItemState, null> {
  const fresh = new Map(listedNow.map((offer) => [offer.key, offer]));
  const left = state.offerKeys.filter((key) => !fresh.has(key));
  const kept = left.reduce((rows, key) => rows.without(key), state.offers);
  const after = [...fresh].reduce((rows, [key, offer]) => rows.with(key, offer), kept);
  const crawl = { name: OPIRE, state: { ...NOT_BEGUN, asOfMs: atMs }, version: 0 };
  return { state: { ...state, offers: after, crawls: state.crawls.with(OPIRE, crawl) }, result: null };
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
  return [
    sql.ITEM.upsert(after.items.changedSince(before.items)),
    sql.REPOSITORY.upsert(after.repositories.changedSince(before.repositories)),
    ...sql.VENUE_OFFER.diff(before.offers, after.offers),
    sql.CRAWL.upsert(after.crawls.changedSince(before.crawls)),
  ];
}
