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
  type RewardedCount,
  rewardedView,
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
interface VenueFacts extends Omit<CrowdCounts, 'open_prs'> {
  readonly source: 'external';
  /** Null where nobody says. */
  readonly open_prs: number | null;
  readonly kind: 'github_issue' | 'gitlab_issue' | 'marketplace_task';
  readonly state: 'open' | 'closed';
  readonly reward: RewardView | null;
  /** `stated`: somebody says so; nothing proves that the money is there. */
  readonly funding: 'stated' | 'rewarded' | 'none';
  readonly already_rewarded: boolean;
  readonly repo_rewarded_count: number | null;
  readonly repo_rewarded_as_of: string | null;
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
  /**
   * There may be facts, but none are at hand. `NOT_FOUND` is the venue's own word that it shows no such issue, `NOT_ASKED`
   * that only the store was read.
   */
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

  /** What the store knows of canonical keys, however old; nobody is asked, so that it costs no calls. */
  async storedFacts(keys: readonly string[]): Promise<ReadonlyMap<string, VenueAnswer>> {
    const { store, clock } = this.#options;
    const places = new Map(keys.map((key) => [key, venueKey(key)]));
    const [offers, rows, counts] = await Promise.all([
      readMany(keys, (some) => store.read(sql.OFFERS_OF_KEYS, some)),
      readMany(keys, (some) => store.read(sql.ITEMS_OF_KEYS, some)),
      readMany(
        [...places.values()].flatMap((place) => (place?.venue === 'github' ? [place.repository] : [])),
        (some) => store.read(sql.COUNTS_OF_REPOSITORIES, some),
      ),
    ]);
    const offerOf = new Map(offers.map((offer) => [offer.key, offer]));
    const rowOf = new Map(rows.map((row) => [row.key, row]));
    const countOf = new Map(counts.map((count) => [count.repository, count]));
    const answerOf = (key: string, place: VenueKey | null): VenueAnswer => {
      const offer = offerOf.get(key);
      if (place === null) return offer === undefined ? { kind: 'no_venue' } : marketplaceTask(offer, clock.now());
      const row = rowOf.get(key);
      if (row === undefined) return { kind: 'unavailable', code: 'NOT_ASKED', retryAfterSeconds: 0 };
      const { item } = row;
      if (item === null) return this.#unknown(row, undefined);
      const count = place.venue === 'github' ? countOf.get(place.repository) : undefined;
      const facts = issueFacts({ place, row, item, count, offer });
      return { kind: 'known', cached: true, ageSeconds: seconds(clock.now() - factsAtMs(row)), facts };
    };
    return new Map([...places].map(([key, place]) => [key, answerOf(key, place)]));
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
    const { item } = row;
    const ageMs = clock.now() - factsAtMs(row);
    const count = place.venue === 'github' ? await this.#rewardedCount(place.repository) : undefined;
    return {
      kind: 'known',
      cached: factsAtMs(row) < startedMs,
      ageSeconds: seconds(ageMs),
      facts: issueFacts({ place, row, item, count, offer }),
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
  async #rewardedCount(repository: string): Promise<RewardedCount | undefined> {
    const { store, clock, client, deadlineMs } = this.#options;
    const [known] = await store.read(sql.ONE_REPOSITORY, [repository]);
    if (known !== undefined && clock.now() - known.atMs < COUNT_FRESH_MS) return known;
    const asked = await client.ask(rewardedCount(repository), 'look', AbortSignal.timeout(deadlineMs));
    if (asked.kind === 'refused' || asked.kind === 'failed') return known;
    const rewarded = asked.kind === 'answered' ? asked.value : null;
    const row = { repository, rewarded, atMs: asked.atMs, triedAtMs: known?.triedAtMs ?? 0 };
    await store.run(itemUnit, { type: 'put', repository: row });
    return row;
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

/** Reads a portion of the keys at a time; a short one repeats its last key, which changes no result. */
async function readMany<T>(
  keys: readonly string[],
  read: (some: readonly string[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (let from = 0; from < keys.length; from += sql.KEYS_PER_READ) {
    const some = keys.slice(from, from + sql.KEYS_PER_READ);
    const padding = new Array<string>(sql.KEYS_PER_READ - some.length).fill(some.at(-1) as string);
    found.push(...(await read([...some, ...padding])));
  }
  return found;
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

interface KnownIssue {
  readonly place: VenueKey;
  readonly row: ItemRow;
  readonly item: ItemFacts;
  readonly count: RewardedCount | undefined;
  readonly offer: BountyOffer | undefined;
}

function issueFacts({ place, row, item, count, offer }: KnownIssue): VenueFacts {
  return {
    source: 'external',
    kind: place.venue === 'github' ? 'github_issue' : 'gitlab_issue',
    state: item.state,
    reward: item.reward && rewardView(item.reward),
    funding: item.isRewarded ? 'rewarded' : item.reward === null ? 'none' : 'stated',
    ...countsOf(item, row.crowd),
    already_rewarded: item.isRewarded,
    ...rewardedView(count),
    marketplace: offer === undefined ? null : marketplaceView(offer),
    facts_as_of: isoTime(factsAtMs(row)),
  };
}

function marketplaceView({ usdMicro, people, atMs }: BountyOffer): NonNullable<VenueFacts['marketplace']> {
  return { name: 'opire', usd: usdMicro / 1e6, claiming_people: people, facts_as_of: isoTime(atMs) };
}

/** Listed means open; the list says nothing of pull requests and assignees. */
function marketplaceTask(offer: BountyOffer, nowMs: number): VenueAnswer {
  const { usdMicro, people, atMs } = offer;
  const usd = usdMicro / 1e6;
  return {
    kind: 'known',
    cached: true,
    ageSeconds: seconds(nowMs - atMs),
    facts: {
      source: 'external',
      kind: 'marketplace_task',
      state: 'open',
      reward: { amount: usd, currency: 'USD', usd, from: 'marketplace' },
      funding: 'stated',
      open_prs: null,
      claiming_people: people,
      assignees: 0,
      facts_complete: false,
      already_rewarded: false,
      ...rewardedView(undefined),
      marketplace: marketplaceView(offer),
      facts_as_of: isoTime(atMs),
    },
  };
}

function seconds(ageMs: number): number {
  return Math.max(0, Math.floor(ageMs / 1_000));
}
