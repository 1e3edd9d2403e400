import { isoTime } from '#kernel/clock.ts';
import type { Reward } from './reward.ts';

/** What an issue says of itself. Names of people are short hashes: they are only ever counted. */
export interface ItemFacts {
  readonly state: 'open' | 'closed';
  /** Foreign text, cleaned. */
  readonly title: string;
  readonly reward: Reward | null;
  readonly isRewarded: boolean;
  readonly isBounty: boolean;
  readonly assignees: readonly string[];
  readonly updatedMs: number;
}

/** Who is at work on an issue. */
export interface CrowdFacts {
  readonly openPullRequests: number;
  readonly people: readonly string[];
  /** False where more happened than was read: the counts are then lower bounds. */
  readonly isComplete: boolean;
}

export interface ItemRow {
  readonly key: string;
  /** owner/name of a GitHub repository; empty for other venues. */
  readonly repository: string;
  readonly isListed: boolean;
  /** The pass in which the search showed it last. */
  readonly seenPass: number;
  /** When the crawler last asked about it, with or without success. */
  readonly triedAtMs: number;
  /** Null: the venue says that there is no such issue, or that it moved. */
  readonly item: ItemFacts | null;
  readonly itemAtMs: number;
  readonly crowd: CrowdFacts | null;
  readonly crowdAtMs: number;
  /** The change of the issue up to which the crowd was read. */
  readonly crowdForMs: number;
}

/** What a marketplace offers for a key. */
export interface BountyOffer {
  readonly key: string;
  readonly usdMicro: number;
  readonly people: number;
  readonly atMs: number;
}

export interface RewardView {
  readonly amount: number;
  readonly currency: string;
  readonly usd: number | null;
  readonly from: 'label' | 'marketplace';
}

export function rewardView({ amount, currency }: Reward): RewardView {
  return { amount, currency, usd: currency === 'USD' ? amount : null, from: 'label' };
}

export interface CrowdCounts {
  readonly open_prs: number;
  readonly claiming_people: number;
  readonly assignees: number;
  readonly facts_complete: boolean;
}

export function countsOf({ assignees }: ItemFacts, crowd: CrowdFacts | null): CrowdCounts {
  return {
    open_prs: crowd?.openPullRequests ?? 0,
    claiming_people: new Set([...assignees, ...(crowd?.people ?? [])]).size,
    assignees: assignees.length,
    facts_complete: crowd?.isComplete ?? false,
  };
}

/** How many issues of a repository were rewarded; null: it cannot be counted. */
export interface RewardedCount {
  readonly repository: string;
  readonly rewarded: number | null;
  readonly atMs: number;
  readonly triedAtMs: number;
}

/** It is counted daily, apart from the other facts. */
export function rewardedView(count: RewardedCount | undefined) {
  const { rewarded = null, atMs = 0 } = count ?? {};
  return { repo_rewarded_count: rewarded, repo_rewarded_as_of: rewarded === null ? null : isoTime(atMs) };
}

/** The facts of a row are as old as the oldest part of them. */
export function factsAtMs({ itemAtMs, crowd, crowdAtMs }: Pick<ItemRow, 'itemAtMs' | 'crowd' | 'crowdAtMs'>): number {
  return crowd === null ? itemAtMs : Math.min(itemAtMs, crowdAtMs);
}
