import { type Clock, DAY_MS, HOUR_MS, isoTime } from '#kernel/clock.ts';
import type { Store } from '#platform/storage/store.ts';
import {
  type BountyOffer,
  countsOf,
  type CrowdCounts,
  type CrowdFacts,
  factsAtMs,
  type ItemFacts,
  type ItemRow,
  type RewardView,
  rewardView,
} from './facts.ts';
import { type ItemPut, itemUnit } from './item-unit.ts';
import { issueTimeline, oneIssue, rewardedCount } from './outside/github.ts';
import { gitlabIssue, mergeRequests, notes } from './outside/gitlab.ts';
import type { VenueClient, VenueReply, VenueRequest } from './outside/venue-client.ts';
import * as sql from './sql.ts';
import { type VenueKey, venueKey } from './venue-key.ts';

/** The facts of one key as answers show them. No foreign text is among them. */
interface VenueFacts extends CrowdCounts {
  readonly source: 'external';
  readonly kind: 'github_issue' | 'gitlab_issue' | 'marketplace_task';
  readonly state: 'open' | 'closed';
  readonly reward: RewardView | null;
  /** `stated`: somebody says so; nothing proves that the money is there. */
  readonly funding: 'stated' | 'rewarded' | 'none';
  readonly already_rewarded: boolean;
  readonly repo_rewarded_count: number | null;
  readonly marketplace: {
    readonly name: 'opire';
    readonly usd: number;
    readonly claiming_people: number;
    readonly facts_as_of: string;
  } | null;
  readonly facts_as_of: string;
}

export type VenueAnswer =
  | { readonly kind: 'known'; readonly facts: VenueFacts; readonly ageSeconds: number; readonly cached: boolean }
  /** No venue that can be asked has such a key. */
  | { readonly kind: 'no_venue' }
  /** There may be facts, but none are at hand; `NOT_FOUND` is the venue's own word that it shows no such issue. */
  | { readonly kind: 'unavailable'; readonly code: string; readonly retryAfterSeconds: number };

export interface VenuesOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly client: VenueClient;
  /** For all calls of one question together: a caller waits for it. */
  readonly deadlineMs: number;
}

const FRESH_MS = HOUR_MS;
const COUNT_FRESH_MS = DAY_MS;
const USUAL_RETRY_S = 60;

/** Live facts of issues and marketplace tasks, for whoever is about to take up the work. */
export class Venues {
  readonly #options: VenuesOptions;
  readonly #flights = new Map<string, Promise<VenueAnswer>>();

  constructor(options: VenuesOptions) {
    this.#options = options;
  }

  /** What is known of a canonical key. Facts older than an hour are asked for anew where the budget allows. */
  venueFacts(key: string): Promise<VenueAnswer> {
    const flight = this.#flights.get(key) ?? this.#facts(key).finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }

  async #facts(key: string): Promise<VenueAnswer> {
    const { store, clock } = this.#options;
    const startedMs = clock.now();
    const [offer] = await store.read(sql.ONE_OFFER, [key]);
    const place = venueKey(key);
    if (place === null) return offer === undefined ? { kind: 'no_venue' } : marketplaceTask(offer, clock.now());
    const known = await this.#row(key);
    const isFresh = known !== undefined && clock.now() - factsAtMs(known) < FRESH_MS;
    const failure = isFresh ? undefined : await this.#refresh(key, place, known);
    const row = isFresh ? known : await this.#row(key);
    if (row === undefined || row.item === null) return this.#unknown(row, failure);
    const nowMs = clock.now();
    const { item } = row;
    const count = place.venue === 'github' ? await this.#rewardedCount(place.repository) : null;
    return {
      kind: 'known',
      cached: factsAtMs(row) < startedMs,
      ageSeconds: ageSeconds(factsAtMs(row), nowMs),
      facts: {
        source: 'external',
        kind: place.venue === 'github' ? 'github_issue' : 'gitlab_issue',
        state: item.state,
        reward: item.reward && rewardView(item.reward),
        funding: item.isRewarded ? 'rewarded' : item.reward === null ? 'none' : 'stated',
        ...countsOf(item, row.crowd),
        already_rewarded: item.isRewarded,
        repo_rewarded_count: count,
        marketplace: offer === undefined ? null : marketplaceView(offer),
        facts_as_of: isoTime(factsAtMs(row)),
      },
    };
  }

  /** Asks the venue and keeps what it says; the failure of the issue itself is returned. */
  async #refresh(key: string, place: VenueKey, known: ItemRow | undefined): Promise<VenueReply<unknown> | undefined> {
    const signal = AbortSignal.timeout(this.#options.deadlineMs);
    const ask = <T>(request: VenueRequest<T>) => this.#options.client.ask(request, 'look', signal);
    const { repository, number } = place;
    const isGithub = place.venue === 'github';
    const issue = await ask(isGithub ? oneIssue(repository, number) : gitlabIssue(repository, number));
    if (issue.kind === 'refused' || issue.kind === 'failed') return issue;
    const facts = issue.kind === 'answered' ? issue.value : null;
    const crowd =
      facts === null
        ? undefined
        : isGithub
          ? await ask(issueTimeline(repository, number))
          : await gitlabCrowd(ask, place);
    await this.#keep(key, isGithub ? repository : '', { facts, atMs: issue.atMs, crowd, known });
    return undefined;
  }

  async #keep(
    key: string,
    repository: string,
    read: {
      readonly facts: ItemFacts | null;
      readonly atMs: number;
      readonly crowd: VenueReply<CrowdFacts> | undefined;
      readonly known: ItemRow | undefined;
    },
  ): Promise<void> {
    const { facts, atMs, crowd, known } = read;
    const isStillBounty = facts?.state === 'open' && facts.isBounty;
    const put: ItemPut = {
      key,
      repository,
      item: { facts, atMs },
      ...(known?.isListed && { isListed: isStillBounty }),
      ...(crowd?.kind === 'answered' && {
        crowd: { facts: crowd.value, atMs: crowd.atMs, forMs: facts?.updatedMs ?? 0 },
      }),
    };
    await this.#options.store.run(itemUnit, { type: 'put', items: [put] });
  }

  /** The count of the repository, live only when nobody has to wait for it. */
  async #rewardedCount(repository: string): Promise<number | null> {
    const { store, clock, client, deadlineMs } = this.#options;
    const [known] = await store.read(sql.ONE_REPOSITORY, [repository]);
    const nowMs = clock.now();
    if (known !== undefined && nowMs - known.atMs < COUNT_FRESH_MS) return known.rewarded;
    const asked = await client.ask(rewardedCount(repository), 'look', AbortSignal.timeout(deadlineMs));
    if (asked.kind === 'refused' || asked.kind === 'failed') return known?.rewarded ?? null;
    const rewarded = asked.kind === 'answered' ? asked.value : null;
    const row = { repository, rewarded, atMs: asked.atMs, triedAtMs: known?.triedAtMs ?? 0 };
    await store.run(itemUnit, { type: 'put', repository: row });
    return rewarded;
  }

  #unknown(row: ItemRow | undefined, failure: VenueReply<unknown> | undefined): VenueAnswer {
    const nowMs = this.#options.clock.now();
    const afterSeconds = (untilMs: number) => Math.max(1, Math.ceil((untilMs - nowMs) / 1_000));
    if (row !== undefined) {
      return { kind: 'unavailable', code: 'NOT_FOUND', retryAfterSeconds: afterSeconds(row.itemAtMs + FRESH_MS) };
    }
    if (failure?.kind === 'refused') {
      return {
        kind: 'unavailable',
        code: REFUSAL_CODES[failure.why],
        retryAfterSeconds: afterSeconds(failure.untilMs),
      };
    }
    const code = failure?.kind === 'failed' ? failure.code : 'NETWORK';
    return { kind: 'unavailable', code, retryAfterSeconds: USUAL_RETRY_S };
  }

  async #row(key: string): Promise<ItemRow | undefined> {
    return (await this.#options.store.read(sql.ONE_ITEM, [key]))[0];
  }
}

const REFUSAL_CODES = { held: 'HELD', spent: 'BUDGET_SPENT', spaced: 'BUDGET_SPENT', off: 'NOT_CONFIGURED' } as const;

async function gitlabCrowd(
  ask: <T>(request: VenueRequest<T>) => Promise<VenueReply<T>>,
  { repository, number }: VenueKey,
): Promise<VenueReply<CrowdFacts>> {
  const parts = [await ask(mergeRequests(repository, number)), await ask(notes(repository, number))];
  const read = parts.flatMap((part) => (part.kind === 'answered' ? [part] : []));
  const [first] = read;
  if (first === undefined) return { kind: 'failed', code: 'NO_CROWD' };
  const value = {
    openPullRequests: read.reduce((sum, part) => sum + part.value.open, 0),
    people: [...new Set(read.flatMap((part) => part.value.people))],
    isComplete: read.length === parts.length && read.every((part) => part.value.isComplete),
  };
  return { kind: 'answered', value, atMs: first.atMs };
}

function marketplaceView({ usdMicro, people, atMs }: BountyOffer): NonNullable<VenueFacts['marketplace']> {
  return { name: 'opire', usd: usdMicro / 1e6, claiming_people: people, facts_as_of: isoTime(atMs) };
}

/** Listed means open; the list says nothing of pull requests. */
function marketplaceTask(offer: BountyOffer, nowMs: number): VenueAnswer {
  const { usdMicro, people, atMs } = offer;
  const usd = usdMicro / 1e6;
  return {
    kind: 'known',
    cached: true,
    ageSeconds: ageSeconds(atMs, nowMs),
    facts: {
      source: 'external',
      kind: 'marketplace_task',
      state: 'open',
      reward: { amount: usd, currency: 'USD', usd, from: 'marketplace' },
      funding: 'stated',
      open_prs: 0,
      claiming_people: people,
      assignees: 0,
      facts_complete: true,
      already_rewarded: false,
      repo_rewarded_count: null,
      marketplace: marketplaceView(offer),
      facts_as_of: isoTime(atMs),
    },
  };
}

function ageSeconds(atMs: number, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - atMs) / 1_000));
}
