import { setTimeout as delay } from 'node:timers/promises';
import { DataSets } from '#areas/data/datasets.ts';
import { IngestJob } from '#areas/data/ingest-job.ts';
import { Ingestion } from '#areas/data/ingestion.ts';
import { FeedClient, type Pace, USUAL_PACE } from '#areas/data/outside/feed-client.ts';
import { HOSTS, type HostName } from '#areas/data/source.ts';
import { SOURCES } from '#areas/data/source-table.ts';
import type { Config } from '#config/config.ts';
import type { Clock } from '#kernel/clock.ts';
import { ConfiguredHost } from '#outbound/configured-host.ts';
import type { Store } from '#storage/store.ts';
import type { Job } from './background.ts';
import type { Logger } from './logger.ts';
import { VERSION } from './version.ts';

export interface DataParts {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  /** Of the sandbox; undefined in production. */
  readonly standInUrl: string | undefined;
}

const JOB = 'open-data';
const JOB_EVERY_MS = 30_000;
const FIRST_READ_MS = 10_000;
/** A stand-in answers at once or not at all. */
const STAND_IN_PACE: Pace = {
  ...USUAL_PACE,
  ...{ attempts: 2, backoffMs: { base: 2, cap: 10 }, everyMs: 0, pageMs: 5_000, fileMs: 5_000 },
};

/** What reads sources, in the service and on the command line alike. */
export function openIngestion({ config, store, clock, standInUrl }: DataParts): Ingestion & Disposable {
  const stack = new DisposableStack();
  const { contact } = config.operator;
  const host = (name: HostName) => {
    const baseUrl = standInUrl === undefined ? config.openData.baseUrls[name] : `${standInUrl}/${name}`;
    return stack.use(new ConfiguredHost({ baseUrl, userAgent: `avouch/${VERSION} (${contact})` }));
  };
  const hosts = Object.fromEntries(HOSTS.map((name) => [name, host(name)])) as Record<HostName, ConfiguredHost>;
  const client = new FeedClient({ hosts, pace: standInUrl === undefined ? USUAL_PACE : STAND_IN_PACE });
  const link = (name: HostName, url: string) =>
    standInUrl === undefined ? url : `${standInUrl}/${name}${new URL(url).pathname}`;
  const ingestion = new Ingestion({ store, clock, client, link });
  return Object.assign(ingestion, { [Symbol.dispose]: () => stack.dispose() });
}

export interface OpenData extends Disposable {
  readonly dataSets: DataSets;
  readonly job: Job;
}

/** The data sets with the job that reads them; in the sandbox from stand-ins, at the latest when somebody asks. */
export function openData(
  parts: DataParts & { readonly logger: Logger; readonly kick: (job: string) => Promise<void> },
): OpenData {
  const { config, store, clock, standInUrl, logger, kick } = parts;
  const ingestion = openIngestion(parts);
  const sources = SOURCES.filter(({ dataset }) => config.openData.ingest.includes(dataset));
  const warn = (source: string, code: string, detail: string) =>
    logger.warn('open data were not taken', { source, code, detail });
  const job = new IngestJob({ ingestion, clock, sources, warn });
  const firstRead = () => Promise.race([kick(JOB), delay(FIRST_READ_MS, undefined, { ref: false })]);
  const readsAtOnce = standInUrl !== undefined && sources.length === SOURCES.length;
  return {
    dataSets: new DataSets({ store, clock, sandbox: standInUrl !== undefined, ...(readsAtOnce && { firstRead }) }),
    job: { name: JOB, everyMs: JOB_EVERY_MS, ownTimer: true, run: () => job.run(), stop: () => job.stop() },
    [Symbol.dispose]: () => ingestion[Symbol.dispose](),
  };
}
