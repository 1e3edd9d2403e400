import { bindReads } from '#areas/crossing/bind-reads.ts';
import { EventFeed } from '#areas/crossing/event-feed.ts';
import { ExpiryWatch } from '#areas/crossing/expiry-watch.ts';
import { KeyReader } from '#areas/crossing/key-reads.ts';
import { Lookers } from '#areas/crossing/lookers.ts';
import { type BriefOf, Looks, type VenueFactsOf } from '#areas/crossing/looks.ts';
import { Probes } from '#areas/crossing/probes.ts';
import type { Crossing } from '#areas/crossing/service.ts';
import { Watches } from '#areas/crossing/watches.ts';
import type { BoundOperation } from '#kernel/operation.ts';
import { GuardedClient, type GuardedClientOptions } from '#outbound/guarded-client.ts';
import { StoredEvents } from '#storage/stored-events.ts';
import type { Foundation } from './foundation.ts';
import { refuseFields } from './problems.ts';
import { VERSION } from './version.ts';

export interface CrossingReadsOptions {
  readonly foundation: Pick<Foundation, 'store' | 'clock'>;
  readonly crossing: Pick<Crossing, 'expire'>;
  readonly venueHosts: ReadonlySet<string>;
  readonly probing?: GuardedClientOptions['testing'];
  readonly venueFacts?: VenueFactsOf;
  readonly briefOf?: BriefOf;
}

/** The half of crossing that only reads: look and watch. */
export interface CrossingReads extends AsyncDisposable {
  readonly bound: readonly BoundOperation[];
  /** Forgets old looks, in portions. */
  sweep(): Promise<number>;
  /** Ends every wait for events. */
  stop(): void;
}

export function openCrossingReads(options: CrossingReadsOptions): CrossingReads {
  const { foundation, crossing, venueHosts, probing, venueFacts, briefOf } = options;
  const { store, clock } = foundation;
  const events = new StoredEvents(store);
  const feed = new EventFeed(events);
  store.onRevision(() => feed.wake());
  const monotonicMs = () => clock.monotonicMs();
  const userAgent = `avouch/${VERSION}`;
  const guarded = new GuardedClient({ userAgent, monotonicMs, ...(probing !== undefined && { testing: probing }) });
  const lookers = new Lookers(store, clock);
  const looks = new Looks({
    store,
    clock,
    headAndKey: (key) => events.headAndKey(key),
    rows: new KeyReader(store, clock),
    lookers,
    venueHosts,
    probes: new Probes((url) => guarded.get(url), clock),
    ...(venueFacts !== undefined && { venueFacts }),
    ...(briefOf !== undefined && { briefOf }),
  });
  const expiry = new ExpiryWatch({ store, clock, feed, expire: (keys) => crossing.expire(keys) });
  const watches = new Watches({ clock, events, feed, expiry, refuseField: (fault) => refuseFields([fault]) });
  return {
    bound: bindReads(looks, watches),
    sweep: () => lookers.sweep(),
    stop: () => watches.stop(),
    [Symbol.asyncDispose]: () => lookers[Symbol.asyncDispose](),
  };
}
