import type { Config } from '#platform/config/config.ts';
import type { Clock } from '#kernel/clock.ts';
import { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import type { Store } from '#platform/storage/store.ts';
import { VERSION } from '#platform/version.ts';
import { Ingestion } from '../sources/ingestion.ts';
import { HOSTS, type HostName } from '../sources/source.ts';
import { FeedClient, type Pace, USUAL_PACE } from './feed-client.ts';

export interface IngestionDeps {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  /** Of the sandbox; undefined in production. */
  readonly simulatorUrl: string | undefined;
  /** How many times longer than usual others may take. */
  readonly patience?: number;
}

/** A simulator answers at once or not at all. */
const SIMULATOR_PACE: Pace = {
  ...USUAL_PACE,
  attempts: 2,
  backoffMs: { base: 2, cap: 10 },
  everyMs: 0,
  pageMs: 5_000,
  fileMs: 5_000,
};

/** What reads sources, in the service and on the command line alike. */
export function openIngestion({
  config,
  store,
  clock,
  simulatorUrl,
  patience = 1,
}: IngestionDeps): Ingestion & Disposable {
  const stack = new DisposableStack();
  const { contact } = config.operator;
  const host = (name: HostName) => {
    const baseUrl = simulatorUrl === undefined ? config.openData.baseUrls[name] : `${simulatorUrl}/${name}`;
    return stack.use(new ConfiguredHost({ baseUrl, userAgent: `avouch/${VERSION} (${contact})` }));
  };
  const hosts = Object.fromEntries(HOSTS.map((name) => [name, host(name)])) as Record<HostName, ConfiguredHost>;
  const { pageMs, fileMs, ...pace } = simulatorUrl === undefined ? USUAL_PACE : SIMULATOR_PACE;
  const client = new FeedClient({ hosts, pace: { ...pace, pageMs: patience * pageMs, fileMs: patience * fileMs } });
  const link = (name: HostName, url: string) =>
    simulatorUrl === undefined ? url : `${simulatorUrl}/${name}${new URL(url).pathname}`;
  const ingestion = new Ingestion({ store, clock, client, link });
  return Object.assign(ingestion, { [Symbol.dispose]: () => stack.dispose() });
}
