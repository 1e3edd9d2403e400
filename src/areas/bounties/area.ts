import { Secret } from '#platform/config/secret.ts';
import type { VenueConfig } from '#platform/config/venues.ts';
import { on, type OpenArea } from '#kernel/area.ts';
import type { Job } from '#kernel/job.ts';
import { freeRoute } from '#kernel/task-route.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import type { Simulators } from '#platform/simulators.ts';
import { BountyList } from './bounty-list.ts';
import { REFRESH_MS } from './crawl.ts';
import { Crawler } from './crawler.ts';
import { bounties } from './operations.ts';
import { PLANS, venuesOf } from './outside/sources.ts';
import { VenueClient } from './outside/venue-client.ts';
import { Venues } from './venues.ts';

export interface OpenBounties extends OpenArea, AsyncDisposable {
  readonly list: BountyList;
  /** The facts of work that its venue knows. */
  readonly venues: Venues;
  readonly jobs: readonly [Job];
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

export const bountiesArea = {
  name: 'bounties',
  services: 'all',
  open: (platform) => openBounties(platform),
  operations: [on(bounties, (area, input) => area.list.list(input))],
  published: { limits: [{ area: 'bounties', limit: 'read_every_s', value: REFRESH_MS / 1_000 }] },
} satisfies PlatformArea<OpenBounties>;

type Ground = Pick<Platform, 'config' | 'store' | 'clock' | 'logger' | 'patience'> & {
  readonly jobs: Pick<Platform['jobs'], 'runNow'>;
  readonly simulators: Pick<Simulators, 'url'> | undefined;
};

/** The bounty list with its hourly read, and the facts of venues; in the sandbox of simulators. */
export function openBounties(platform: Ground, deadlines = patient(platform.patience)): OpenBounties {
  const { config, store, clock, logger, simulators, patience, jobs } = platform;
  const hosts = new DisposableStack();
  const settings = simulators === undefined ? config.venues : simulatorSettings(simulators.url);
  const plans = PLANS[simulators !== undefined ? 'stand-in' : settings.github?.token ? 'token' : 'nameless'];
  const client = new VenueClient({
    store,
    clock,
    sources: venuesOf(settings, plans, hosts),
    warn: (source, code) => logger.warn('issue tracker unavailable', { source, code }),
  });
  const crawler = new Crawler({ store, clock, client, pages: plans.pages, callMs: deadlines.crawlMs });
  const firstRead = () => Promise.race([jobs.runNow(JOB), delay(patience * FIRST_READ_MS)]);
  const list = new BountyList({
    store,
    clock,
    sandbox: simulators !== undefined,
    // A simulator answers at once: whoever starts a sandbox sees what it has.
    ...(simulators !== undefined && { firstRead }),
  });
  return {
    list,
    taskRoutes: {
      bounty_search: freeRoute(bounties.input, { min_reward_usd: 'min_usd' }, (input) => list.list(input)),
    },
    venues: new Venues({ store, clock, client, deadlineMs: deadlines.lookMs }),
    jobs: [{ name: JOB, everyMs: 1_000, ownTimer: true, run: () => crawler.run(), stop: () => crawler.stop() }],
    [Symbol.asyncDispose]: async () => hosts.dispose(),
  };
}

function patient(patience: number): Deadlines {
  return { crawlMs: patience * DEADLINES.crawlMs, lookMs: patience * DEADLINES.lookMs };
}

function delay(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms).unref();
  return promise;
}

function simulatorSettings(url: string): VenueConfig {
  const token = new Secret('sandbox');
  return {
    github: { baseUrl: `${url}/github`, token },
    gitlab: { baseUrl: `${url}/gitlab`, token },
    opire: { baseUrl: `${url}/opire` },
  };
}
