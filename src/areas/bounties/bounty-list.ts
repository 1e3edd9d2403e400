import { type Clock, isoTime } from '#kernel/clock.ts';
import { parseMicro } from '#kernel/money.ts';
import type { Store } from '#platform/storage/store.ts';
import type { z } from 'zod';
import { type Crawl, NOT_BEGUN, REFRESH_MS } from './crawl.ts';
import { countsOf, factsAtMs, type ItemRow, type RewardedCount, rewardedView, rewardView } from './facts.ts';
import { GITHUB } from './item-unit.ts';
import type { BountyAnswer, BountyInput, BountyRow } from './operations.ts';
import * as sql from './sql.ts';
import { venueKey } from './venue-key.ts';

export interface BountyListOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly sandbox: boolean;
  /** Has the list read for the first time, where that takes but a moment. */
  readonly firstRead?: () => Promise<void>;
}

/** A read takes minutes where calls must be spaced: only what is later than that is stale. */
const STALE_MS = REFRESH_MS + 1_200_000;

/** The open bounties, from rows in the store; they are read again only when one changed. */
export class BountyList {
  readonly #options: BountyListOptions;
  #rows: { readonly version: number; readonly sorted: readonly BountyRow[] } = { version: -1, sorted: [] };

  constructor(options: BountyListOptions) {
    this.#options = options;
  }

  async list(input: BountyInput): Promise<z.output<typeof BountyAnswer>> {
    const { clock, sandbox, firstRead } = this.#options;
    const known = await this.#crawl();
    if (known.state.asOfMs === null) await firstRead?.();
    const { state, version } = known.state.asOfMs === null ? await this.#crawl() : known;
    if (version !== this.#rows.version) this.#rows = { version, sorted: await this.#read() };
    const left = this.#rows.sorted.filter((bounty) => isLeft(bounty, input));
    const shown = left.slice(0, input.limit);
    const { asOfMs, isIncomplete, isFailing } = state;
    const ageMs = asOfMs === null ? null : Math.max(0, clock.now() - asOfMs);
    return {
      as_of: asOfMs === null ? null : isoTime(asOfMs),
      age_s: ageMs === null ? null : Math.floor(ageMs / 1_000),
      refresh_every_s: REFRESH_MS / 1_000,
      stale: ageMs === null || ageMs > STALE_MS,
      venue: 'github',
      incomplete: isIncomplete || isFailing,
      total: left.length,
      count: shown.length,
      bounties: shown,
      ...(sandbox && { sandbox: true }),
    };
  }

  async #crawl(): Promise<{ readonly state: Crawl; readonly version: number }> {
    const [crawl] = await this.#options.store.read(sql.ONE_CRAWL, [GITHUB]);
    return crawl ?? { state: NOT_BEGUN, version: 0 };
  }

  async #read(): Promise<BountyRow[]> {
    const { store } = this.#options;
    const items = await store.read(sql.LISTED);
    const repositories = await store.read(sql.LISTED_REPOSITORIES);
    const counts = new Map(repositories.map((count) => [count.repository, count]));
    const rows = items.flatMap((row) => bountyRow(row, counts.get(row.repository)));
    return rows.toSorted(inOrder);
  }
}

function bountyRow(row: ItemRow, count: RewardedCount | undefined): BountyRow[] {
  const { key, repository, item, crowd } = row;
  const number = venueKey(key)?.number;
  if (item === null || number === undefined) return [];
  return [
    {
      source: 'external',
      key,
      repository,
      number,
      untrusted_title: item.title,
      reward: item.reward && { ...rewardView(item.reward), currency: item.reward.currency, from: 'label' },
      ...countsOf(item, crowd),
      already_rewarded: item.isRewarded,
      ...rewardedView(count),
      updated_at: isoTime(item.updatedMs),
      facts_as_of: isoTime(factsAtMs(row)),
    },
  ];
}

/** Every condition can only take rows away: a stricter filter gives a part of what a laxer one gives. */
export function isLeft(bounty: BountyRow, input: Omit<BountyInput, 'limit'>): boolean {
  const { max_on_it: maxOnIt, min_reward_usd: minUsd, repository_pays: pays, include_rewarded: rewarded } = input;
  const usdMicro = bounty.reward?.usd == null ? null : Math.round(bounty.reward.usd * 1e6);
  return (
    (rewarded === 'yes' || !bounty.already_rewarded) &&
    (pays === 'no' || (bounty.repo_rewarded_count ?? 0) > 0) &&
    // A lower bound does not show that few are on it.
    (maxOnIt === undefined || (bounty.facts_complete && bounty.claiming_people <= maxOnIt)) &&
    (minUsd === undefined || (usdMicro !== null && usdMicro >= (parseMicro(minUsd) ?? 0)))
  );
}

/** Best paid first, unknown last; then fewer people, then newer, then by key. */
export function inOrder(a: BountyRow, b: BountyRow): number {
  return (
    (b.reward?.usd ?? -1) - (a.reward?.usd ?? -1) ||
    a.claiming_people - b.claiming_people ||
    Date.parse(b.updated_at) - Date.parse(a.updated_at) ||
    (a.key < b.key ? -1 : Number(a.key > b.key))
  );
}
