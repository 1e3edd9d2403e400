import { type Clock, DAY_MS } from '#kernel/clock.ts';
import { expire } from '#platform/storage/expiry.ts';
import { keyOfLink } from '#protocol/work-key.ts';
import type { Store } from '#platform/storage/store.ts';
import { afterPage, begun, type Crawl, NOT_BEGUN, REFRESH_MS } from './crawl.ts';
import type { ItemRow } from './facts.ts';
import { GITHUB, itemUnit, OPIRE, type PutCommand } from './item-unit.ts';
import { issueTimeline, oneIssue, rewardedCount, SEARCHES, searchPage } from './outside/github.ts';
import { offeredTasks } from './outside/opire.ts';
import type { VenueClient, VenueReply, VenueRequest } from './outside/venue-client.ts';
import * as sql from './sql.ts';
import { venueKey } from './venue-key.ts';

export interface CrawlerOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly client: VenueClient;
  /** Pages of one search that are read at most. */
  readonly pages: number;
  readonly callMs: number;
}

/** Waits up to this are sat out; beyond it the rest keeps its older facts until the next pass. */
const PATIENCE_MS = 300_000;

/** Done for now: nothing to ask before then. */
type Pause = { readonly untilMs: number } | undefined;

/** The hourly read, a call at a time; all that it knows stands in the store after each of them. */
export class Crawler {
  readonly #options: CrawlerOptions;
  readonly #stop = new AbortController();
  readonly #notBeforeMs = { list: 0, offers: 0 };

  constructor(options: CrawlerOptions) {
    this.#options = options;
  }

  /** Goes on until nothing may be asked for a while; the leader among the processes calls it every second. */
  async run(): Promise<void> {
    for (const [part, step] of [
      ['list', () => this.#step()],
      ['offers', () => this.#offers()],
    ] as const) {
      if (this.#options.clock.now() < this.#notBeforeMs[part]) continue;
      let pause: Pause;
      while (pause === undefined && !this.#stop.signal.aborted) pause = await step();
      this.#notBeforeMs[part] = pause?.untilMs ?? 0;
    }
  }

  /** Ends the call that is under way; what was learned before it is kept. */
  stop(): void {
    this.#stop.abort();
  }

  async #step(): Promise<Pause> {
    const { store, clock } = this.#options;
    const [known] = await store.read(sql.ONE_CRAWL, [GITHUB]);
    const crawl = known?.state ?? NOT_BEGUN;
    const nowMs = clock.now();
    switch (crawl.phase) {
      case 'idle':
        if (crawl.pass > 0 && nowMs < crawl.startedMs + REFRESH_MS) return { untilMs: crawl.startedMs + REFRESH_MS };
        return this.#put({ crawl: begun(crawl, nowMs) });
      case 'list':
        return this.#list(crawl);
      case 'crowd':
        return this.#crowd(crawl);
      case 'repositories':
        return this.#repository(crawl);
    }
  }

  async #list(crawl: Crawl): Promise<Pause> {
    const asked = await this.#ask(searchPage(SEARCHES[crawl.search] ?? SEARCHES[0], crawl.page));
    if (asked.kind === 'refused') return { untilMs: asked.untilMs };
    if (asked.kind !== 'answered') return this.#put({ crawl: { ...crawl, isFailing: true } });
    const { value: page, atMs } = asked;
    // What failed for hours does not make the list old that is read now.
    const isFirst = crawl.search === 0 && crawl.page === 1;
    const since = isFirst ? { ...crawl, startedMs: atMs } : crawl;
    const items = page.issues.map(({ key, repository, facts }) => ({
      key,
      repository,
      isListed: true,
      seenPass: crawl.pass,
      item: { facts, atMs },
    }));
    return this.#put({
      items,
      crawl: afterPage(since, page, { searches: SEARCHES.length, pages: this.#options.pages }),
    });
  }

  /** One issue that has not been asked about in this pass: who is at work on it, or why it left the list. */
  async #crowd(crawl: Crawl): Promise<Pause> {
    const [next] = await this.#options.store.read(sql.NEXT_ITEM, [crawl.startedMs, crawl.pass]);
    if (next === undefined) return this.#put({ crawl: { ...crawl, phase: 'repositories' } });
    const pause = next.seenPass < crawl.pass ? await this.#left(next) : await this.#timeline(next);
    return pause === 'enough' ? this.#put({ crawl: { ...crawl, phase: 'repositories' } }) : pause;
  }

  async #left({ key, repository }: ItemRow): Promise<Pause | 'enough'> {
    const asked = await this.#ask(oneIssue(repository, numberOf(key)));
    if (asked.kind === 'refused') return this.#patience(asked);
    const tried = { key, repository, triedAtMs: this.#options.clock.now() };
    if (asked.kind === 'failed') return this.#put({ items: [tried] });
    const facts = asked.kind === 'answered' ? asked.value : null;
    // The search may have passed over it: what is still an open bounty stays.
    const isListed = facts?.state === 'open' && facts.isBounty;
    return this.#put({ items: [{ ...tried, isListed, item: { facts, atMs: asked.atMs } }] });
  }

  async #timeline({ key, repository, item }: ItemRow): Promise<Pause | 'enough'> {
    const asked = await this.#ask(issueTimeline(repository, numberOf(key)));
    if (asked.kind === 'refused') return this.#patience(asked);
    const tried = { key, repository, triedAtMs: this.#options.clock.now() };
    if (asked.kind !== 'answered') return this.#put({ items: [tried] });
    const crowd = { facts: asked.value, atMs: asked.atMs, forMs: item?.updatedMs ?? 0 };
    return this.#put({ items: [{ ...tried, crowd }] });
  }

  async #repository(crawl: Crawl): Promise<Pause> {
    const { store, clock } = this.#options;
    const [next] = await store.read(sql.NEXT_REPOSITORY, [clock.now() - DAY_MS, crawl.startedMs]);
    if (next === undefined) return this.#end(crawl);
    const { repository } = next;
    const asked = await this.#ask(rewardedCount(repository));
    if (asked.kind === 'refused') {
      const pause = this.#patience(asked);
      return pause === 'enough' ? this.#end(crawl) : pause;
    }
    const [known] = await store.read(sql.ONE_REPOSITORY, [repository]);
    const { rewarded = null, atMs = 0 } = asked.kind === 'failed' ? (known ?? {}) : { atMs: asked.atMs };
    const count = asked.kind === 'answered' ? asked.value : rewarded;
    return this.#put({ repository: { repository, rewarded: count, atMs, triedAtMs: clock.now() } });
  }

  async #end(crawl: Crawl): Promise<Pause> {
    while ((await expire(this.#options, ...sql.VENUE_EXPIRIES)) > 0);
    return this.#put({ crawl: { ...crawl, phase: 'idle' } });
  }

  async #offers(): Promise<Pause> {
    const { store, clock } = this.#options;
    const [crawl] = await store.read(sql.ONE_CRAWL, [OPIRE]);
    const dueMs = crawl === undefined ? 0 : (crawl.state.asOfMs ?? 0) + REFRESH_MS;
    if (clock.now() < dueMs) return { untilMs: dueMs };
    const asked = await this.#ask(offeredTasks());
    if (asked.kind === 'refused') return { untilMs: asked.untilMs };
    if (asked.kind !== 'answered') return undefined;
    const { atMs } = asked;
    const offers = asked.value.flatMap(({ url, usdMicro, people }) => {
      const key = keyOfLink(url); // attacker-controlled
      return key === null ? [] : [{ key, usdMicro, people, atMs }];
    });
    await store.run(itemUnit, { type: 'offers', offers, atMs });
    return undefined;
  }

  async #ask<T>(request: VenueRequest<T>): Promise<VenueReply<T>> {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(this.#options.callMs)]);
    const asked = await this.#options.client.ask(request, 'crawl', signal);
    const isCutOff = asked.kind === 'failed' && this.#stop.signal.aborted;
    return isCutOff ? { kind: 'refused', why: 'off', untilMs: this.#options.clock.now() } : asked;
  }

  #patience({ why, untilMs }: Extract<VenueReply<unknown>, { kind: 'refused' }>): Pause | 'enough' {
    const isShort = why === 'spaced' || untilMs - this.#options.clock.now() <= PATIENCE_MS;
    return isShort ? { untilMs } : 'enough';
  }

  async #put(put: Omit<PutCommand, 'type'>): Promise<undefined> {
    await this.#options.store.run(itemUnit, { type: 'put', ...put });
  }
}

function numberOf(key: string): number {
  return venueKey(key)?.number ?? 0;
}
