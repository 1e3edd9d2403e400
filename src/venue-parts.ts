import { BountyList } from '#areas/bounties/bounty-list.ts';
import type { Plan, SourceId } from '#areas/bounties/budget.ts';
import { Crawler } from '#areas/bounties/crawler.ts';
import { type Source, VenueClient } from '#areas/bounties/outside/venue-client.ts';
import { Venues } from '#areas/bounties/venues.ts';
import type { Config } from '#config/config.ts';
import { Secret } from '#config/secret.ts';
import type { VenueConfig } from '#config/venues.ts';
import type { Clock } from '#kernel/clock.ts';
import { ConfiguredHost } from '#outbound/configured-host.ts';
import type { Store } from '#storage/store.ts';
import type { Job } from './kernel/job.ts';
import type { Logger } from './logger.ts';
import { VERSION } from './version.ts';

export interface VenueParts {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of the sandbox; undefined in production. */
  readonly standInUrl: string | undefined;
  /** Has the job run now where this process leads it. */
  readonly kick?: (job: string) => Promise<void>;
  readonly deadlines?: Deadlines;
  /** How many times longer than usual others may take. */
  readonly patience?: number;
}

interface Deadlines {
  /** Of one call of the hourly read. */
  readonly crawlMs: number;
  /** Of all calls for a caller who waits. */
  readonly lookMs: number;
}

const DEADLINES: Deadlines = { crawlMs: 15_000, lookMs: 2_500 };
const FIRST_READ_MS = 10_000;
const JOB = 'bounties';

export interface OpenVenues extends AsyncDisposable {
  readonly bounties: BountyList;
  readonly venues: Venues;
  readonly job: Job;
}

type Plans = Readonly<Record<'github_core' | 'github_search', Plan>> & { readonly pages: number };

/** Calls in an hour. The code host gives 60 and 10 searches a minute to the nameless, more to those with a token. */
const PLANS: Readonly<Record<'nameless' | 'token' | 'stand-in', Plans>> = {
  nameless: {
    github_core: { perHour: { crawl: 50, look: 10 }, everyMs: 0 },
    github_search: { perHour: { crawl: 60, look: 10 }, everyMs: 6_500 },
    pages: 5,
  },
  token: {
    github_core: { perHour: { crawl: 2_000, look: 2_000 }, everyMs: 0 },
    github_search: { perHour: { crawl: 300, look: 100 }, everyMs: 2_100 },
    pages: 10,
  },
  'stand-in': {
    github_core: { perHour: { crawl: 2_000, look: 2_000 }, everyMs: 0 },
    github_search: { perHour: { crawl: 300, look: 100 }, everyMs: 0 },
    pages: 10,
  },
};
const GITLAB_PLAN: Plan = { perHour: { crawl: 0, look: 100 }, everyMs: 0 };
const OPIRE_PLAN: Plan = { perHour: { crawl: 10, look: 0 }, everyMs: 0 };
/** A page of a hundred issues comes with the text of all of them. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** The bounty list with its hourly read, and the facts of venues; in the sandbox of stand-ins. */
export function openVenues(parts: VenueParts): OpenVenues {
  const { config, store, clock, logger, standInUrl, kick, patience = 1 } = parts;
  const { deadlines = { crawlMs: patience * DEADLINES.crawlMs, lookMs: patience * DEADLINES.lookMs } } = parts;
  const firstReadMs = patience * FIRST_READ_MS;
  const hosts = new DisposableStack();
  const settings = standInUrl === undefined ? config.venues : standInSettings(standInUrl);
  const plans = PLANS[standInUrl !== undefined ? 'stand-in' : settings.github?.token ? 'token' : 'nameless'];
  const client = new VenueClient({
    store,
    clock,
    sources: sourcesOf(settings, plans, hosts),
    warn: (source, code) => logger.warn('a venue gave no answer', { source, code }),
  });
  const crawler = new Crawler({ store, clock, client, pages: plans.pages, callMs: deadlines.crawlMs });
  return {
    bounties: new BountyList({
      store,
      clock,
      sandbox: standInUrl !== undefined,
      // A stand-in answers at once: whoever starts a sandbox sees what it has.
      ...(standInUrl !== undefined && kick && { firstRead: () => Promise.race([kick(JOB), delay(firstReadMs)]) }),
    }),
    venues: new Venues({ store, clock, client, deadlineMs: deadlines.lookMs }),
    job: { name: JOB, everyMs: 1_000, ownTimer: true, run: () => crawler.run(), stop: () => crawler.stop() },
    [Symbol.asyncDispose]: async () => hosts.dispose(),
  };
}

function delay(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms).unref();
  return promise;
}

function sourcesOf(settings: VenueConfig, plans: Plans, hosts: DisposableStack): Partial<Record<SourceId, Source>> {
  const { github, gitlab, opire } = settings;
  const host = (baseUrl: string) =>
    hosts.use(new ConfiguredHost({ baseUrl, userAgent: `avouch/${VERSION}`, maxBytes: MAX_PAGE_BYTES }));
  const sources: Partial<Record<SourceId, Source>> = {};
  if (github !== null) {
    const headers = () => ({
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      ...(github.token !== null && { authorization: `Bearer ${github.token.reveal()}` }),
    });
    const source = { host: host(github.baseUrl), headers, isUnchangedFree: github.token !== null };
    sources.github_core = { ...source, plan: plans.github_core };
    sources.github_search = { ...source, plan: plans.github_search };
  }
  if (gitlab !== null) {
    const headers = () => ({ ...(gitlab.token !== null && { 'private-token': gitlab.token.reveal() }) });
    sources.gitlab = { host: host(gitlab.baseUrl), headers, isUnchangedFree: false, plan: GITLAB_PLAN };
  }
  if (opire !== null) {
    sources.opire = { host: host(opire.baseUrl), headers: () => ({}), isUnchangedFree: false, plan: OPIRE_PLAN };
  }
  return sources;
}

function standInSettings(url: string): VenueConfig {
  const token = new Secret('sandbox');
  return {
    github: { baseUrl: `${url}/github`, token },
    gitlab: { baseUrl: `${url}/gitlab`, token },
    opire: { baseUrl: `${url}/opire` },
  };
}
