import { DAY_MS } from '#kernel/clock.ts';
import { as, derived, flag, integer, json, mapped, nullable, query, table, text } from '#platform/storage/table.ts';
import type { SourceId, VenueState } from './budget.ts';
import type { Crawl } from './crawl.ts';
import type { CrowdFacts, ItemFacts, ItemRow } from './facts.ts';

export const VENUE_SOURCE = table(
  'venue_source',
  {
    source: text<SourceId>(),
    hour_start: as('hourStartMs', integer()),
    crawl_calls: as('crawl', integer()),
    look_calls: as('look', integer()),
    last_call: as('lastCallMs', integer()),
    held_until: as('heldUntilMs', integer()),
    failures: integer(),
  },
  { key: ['source'] },
);
export const VENUE_ANSWER = table(
  'venue_answer',
  { url: text(), etag: text(), value: text(), at: as('atMs', integer()) },
  { key: ['url'] },
);
export const ITEM = table(
  'venue_item',
  {
    key: text(),
    repository: text(),
    listed: as('isListed', flag()),
    seen_pass: as('seenPass', integer()),
    tried_at: as('triedAtMs', integer()),
    updated: derived<ItemRow>(({ item }) => item?.updatedMs ?? 0),
    usd: derived<ItemRow>(({ item }) => usdMicro(item)),
    item: nullable(json<ItemFacts>()),
    item_at: as('itemAtMs', integer()),
    crowd: nullable(json<CrowdFacts>()),
    crowd_at: as('crowdAtMs', integer()),
    crowd_for: as('crowdForMs', integer()),
  },
  { key: ['key'] },
);
export const REPOSITORY = table(
  'venue_repository',
  {
    repository: text(),
    rewarded: nullable(integer()),
    at: as('atMs', integer()),
    tried_at: as('triedAtMs', integer()),
  },
  { key: ['repository'] },
);
export const VENUE_OFFER = table(
  'venue_offer',
  { key: text(), usd: as('usdMicro', integer()), people: integer(), at: as('atMs', integer()) },
  { key: ['key'] },
);
export const CRAWL = table(
  'venue_crawl',
  { name: text(), state: json<Crawl>(), version: integer() },
  { key: ['name'] },
);

/** How long what left the search, and answers that nobody asked for again, are kept. */
const KEPT_MS = 30 * DAY_MS;

function usdMicro(item: ItemFacts | null): number {
  return item?.reward?.currency === 'USD' ? Math.round(item.reward.amount * 1e6) : -1;
}

/** A source with what was asked of it. */
export type VenueSource = VenueState & { readonly source: SourceId };

export const VENUE_SOURCES = mapped(
  VENUE_SOURCE.select('WHERE source IN (...)'),
  ({ crawl, look, ...rest }): VenueSource => ({ ...rest, calls: { crawl, look } }),
);

export const ANSWER_OF_URL = query('SELECT etag, value FROM venue_answer WHERE url = $1', {
  etag: text(),
  value: text(),
});

/** For reads outside a batch, which have a fixed number of places. */
export const KEYS_PER_READ = 64;
const KEY_PLACES = Array.from({ length: KEYS_PER_READ }, (_, index) => `$${index + 1}`).join(', ');

export const ITEMS = ITEM.select('WHERE key IN (...)');
export const ITEMS_OF_KEYS = ITEM.select(`WHERE key IN (${KEY_PLACES})`);
export const ONE_ITEM = ITEM.select('WHERE key = $1');
export const LISTED = ITEM.select('WHERE listed = 1');
export const VENUE_EXPIRIES = [
  ITEM.expiring({ by: ['item_at'], unless: 'listed', keptMs: KEPT_MS }),
  VENUE_ANSWER.expiring({ by: ['at'], keptMs: KEPT_MS }),
];
/** What left the search goes first, then what changed, newest and best paid first, then the oldest facts. */
export const NEXT_ITEM = ITEM.select(`WHERE listed = 1 AND tried_at < $1
  ORDER BY CASE WHEN seen_pass < $2 THEN 0 WHEN crowd_for <> updated THEN 1 ELSE 2 END,
  CASE WHEN crowd_for <> updated THEN 0 ELSE crowd_at END, updated DESC, usd DESC, key LIMIT 1`);

export const REPOSITORIES = REPOSITORY.select('WHERE repository IN (...)');
export const COUNTS_OF_REPOSITORIES = REPOSITORY.select(`WHERE repository IN (${KEY_PLACES})`);
export const ONE_REPOSITORY = REPOSITORY.select('WHERE repository = $1');
export const LISTED_REPOSITORIES = REPOSITORY.select(
  'WHERE repository IN (SELECT repository FROM venue_item WHERE listed = 1)',
);
export const NEXT_REPOSITORY = query(
  `SELECT i.repository AS repository FROM venue_item i
  LEFT JOIN venue_repository r ON r.repository = i.repository
  WHERE i.listed = 1 AND (r.at IS NULL OR (r.at < $1 AND r.tried_at < $2))
  ORDER BY i.usd DESC, i.repository LIMIT 1`,
  { repository: text() },
);

export const OFFERS = VENUE_OFFER.select('');
export const OFFERS_OF_KEYS = VENUE_OFFER.select(`WHERE key IN (${KEY_PLACES})`);
export const ONE_OFFER = VENUE_OFFER.select('WHERE key = $1');

export const CRAWLS = CRAWL.select('');
export const ONE_CRAWL = CRAWL.select('WHERE name = $1');
