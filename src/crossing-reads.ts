import type { Venues } from '#areas/bounties/venues.ts';
import { bindReads } from '#areas/crossing/bind-reads.ts';
import { BoardView } from '#areas/crossing/board.ts';
import { EventFeed } from '#areas/crossing/event-feed.ts';
import { ExpiryWatch } from '#areas/crossing/expiry-watch.ts';
import { KeyReader } from '#areas/crossing/key-reads.ts';
import { Lookers } from '#areas/crossing/lookers.ts';
import type { Briefs, BriefOfKey } from '#areas/briefs/service.ts';
import { Looks, type VenueFactsOf } from '#areas/crossing/looks.ts';
import type { CanonicalKey } from '#protocol/work-key.ts';
import type { LightAnswer, LookInput } from '#areas/crossing/look-operations.ts';
import { Probes } from '#areas/crossing/probes.ts';
import type { Crossing } from '#areas/crossing/service.ts';
import { Watches } from '#areas/crossing/watches.ts';
import { isoTime } from '#kernel/clock.ts';
import type { BoundOperation } from '#kernel/bound-operation.ts';
import { GuardedClient, type GuardedClientOptions } from '#outbound/guarded-client.ts';
import type { RuleDesk } from '#rules/rule-desk.ts';
import { StoredEvents } from '#storage/stored-events.ts';
import type { Foundation } from './foundation.ts';
import { VERSION } from '#platform/version.ts';

export interface CrossingReadsOptions {
  readonly foundation: Pick<Foundation, 'store' | 'clock'>;
  readonly crossing: Pick<Crossing, 'expire'>;
  readonly venueHosts: ReadonlySet<string>;
  readonly probing?: GuardedClientOptions['testing'];
  readonly venues: Pick<Venues, 'venueFacts'>;
  readonly briefs: Pick<Briefs, 'briefOf'>;
  readonly rules: RuleDesk;
}

/** The half of crossing that only reads: look and watch. */
export interface CrossingReads extends AsyncDisposable {
  readonly bound: readonly BoundOperation[];
  /** The light of a key as a look would show it, without being one. */
  lightOf(key: string, slots: number): Promise<Light>;
  /** Forgets old looks, in portions. */
  sweep(): Promise<number>;
  /** Ends every wait for events. */
  stop(): void;
}

type Light = Pick<LightAnswer, 'signal' | 'reasons'>;

export function openCrossingReads(options: CrossingReadsOptions): CrossingReads {
  const { foundation, crossing, venueHosts, probing, venues, briefs } = options;
  const { store, clock } = foundation;
  const events = new StoredEvents(store);
  const feed = new EventFeed(events);
  store.onRevision(() => feed.wake());
  const monotonicMs = () => clock.monotonicMs();
  const userAgent = `avouch/${VERSION}`;
  const guarded = new GuardedClient({ userAgent, monotonicMs, ...(probing !== undefined && { testing: probing }) });
  const lookers = new Lookers(store, clock);
  const headAndKey = (key: string) => events.headAndKey(key);
  const rows = new KeyReader(store, clock);
  const briefOf = async (key: string) => shownBrief(await briefs.briefOf(key));
  const looks = new Looks({
    store,
    clock,
    headAndKey,
    rows,
    lookers,
    venueHosts,
    probes: new Probes((url) => guarded.get(url), clock),
    venueFacts: factsOf(
      (key) => venues.venueFacts(key),
      briefs,
      () => clock.now(),
    ),
    briefOf,
  });
  const expiry = new ExpiryWatch({ store, clock, feed, expire: (keys) => crossing.expire(keys) });
  const watches = new Watches({ clock, events, feed, expiry });
  return {
    bound: bindReads(looks, watches, new BoardView({ store, clock, headAndKey, rows, briefOf, feed }), options.rules),
    async lightOf(key, slots) {
      const input: LookInput = { key: { given: key, key: key as CanonicalKey }, slots, attempt: 0, probe: 'no' };
      const { signal, reasons } = await looks.look(input, { isUnasked: true, addressTag: '' });
      return { signal, reasons };
    },
    sweep: () => lookers.sweep(),
    stop: () => watches.stop(),
    [Symbol.asyncDispose]: () => lookers[Symbol.asyncDispose](),
  };
}

/** What the venue of a key says; a key that only a brief names has the brief for its venue. An outage is nothing known. */
function factsOf(venueFacts: Venues['venueFacts'], briefs: Pick<Briefs, 'briefOf'>, nowMs: () => number): VenueFactsOf {
  return async (key) => {
    const answer = await venueFacts(key);
    if (answer.kind !== 'no_venue') return answer.kind === 'known' ? answer.facts : null;
    const brief = await briefs.briefOf(key);
    return brief === null ? null : briefAsVenue(brief, isoTime(nowMs()));
  };
}

function briefAsVenue({ state, rewardUsd }: BriefOfKey, factsAsOf: string): LightAnswer['venue'] {
  return {
    source: 'external',
    kind: 'brief',
    state,
    reward: rewardUsd === null ? null : { amount: rewardUsd, currency: 'USD', usd: rewardUsd, from: 'brief' },
    funding: rewardUsd === null ? 'none' : 'stated',
    open_prs: null,
    claiming_people: null,
    assignees: 0,
    already_rewarded: false,
    repo_rewarded_count: null,
    marketplace: null,
    facts_as_of: factsAsOf,
    facts_complete: true,
  };
}

function shownBrief(brief: BriefOfKey | null): LightAnswer['brief'] {
  if (brief === null) return null;
  const { brief: id, link, clarity, slots, state } = brief;
  return { brief: id, link, clarity, slots, state };
}
