import type { Config } from '#platform/config/config.ts';
import type { Area, OpenArea } from '#kernel/area.ts';
import type { Clock } from '#kernel/clock.ts';
import type { GuardedClientOptions } from '#platform/outbound/guarded-client.ts';
import type { ServerSecret } from '#platform/keys/server-secret.ts';
import type { RuleDesk } from '#platform/usage-rules/rule-desk.ts';
import type { Store } from '#platform/storage/store.ts';
import type { StoredEvents } from '#platform/storage/stored-events.ts';
import type { Logger } from './logger.ts';
import type { StandIns } from './stand-ins.ts';

/** What every area stands on. */
export interface Platform {
  readonly config: Config;
  readonly store: Store;
  /** The changes that took revisions, as they are kept. */
  readonly events: StoredEvents;
  /** Tells of every commit of this process that took revisions, after it is durable. */
  readonly onRevision: (listener: () => void) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sandbox: boolean;
  /** The public address; empty before a sandbox listens. */
  readonly baseUrl: () => string;
  /** What may not be asked, published or called so. */
  readonly rules: RuleDesk;
  /** Makes keyed hashes, for each purpose its own. */
  readonly serverSecret: Pick<ServerSecret, 'hasher'>;
  /** What plays the services of others; undefined in production. */
  readonly standIns: StandIns | undefined;
  /** Names this start of the process among all, in the store. */
  readonly processId: string;
  /** Has a job run now where this process leads it; resolves when the run that is under way ends. */
  readonly runNow: (job: string) => Promise<void>;
  /** How many times longer than usual others may take. */
  readonly patience: number;
  /** Another way to public addresses, for tests, which have none. */
  readonly testing?: GuardedClientOptions['testing'];
}

/** An area of this service. */
export type PlatformArea<Opened extends OpenArea, Needs = unknown> = Area<Platform, Opened, Needs>;
