import type { BriefsPort } from '#areas/briefs/port.ts';
import type { VenuePort } from '#areas/bounties/port.ts';
import { on, type OpenArea } from '#kernel/area.ts';
import { DAY_MS } from '#kernel/clock.ts';
import { type Job, sweepJob } from '#kernel/job.ts';
import { foundEntry, type ReferenceForm } from '#kernel/reference-form.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import { expiryJob } from '#platform/storage/expiry.ts';
import type { Query } from '#platform/storage/store.ts';
import type { CanonicalKey } from '#protocol/work-key.ts';
import { board, boardKey } from './board/board-operations.ts';
import { BoardView } from './board/board.ts';
import { EventFeed } from './watch/event-feed.ts';
import { ExpiryWatch } from './lease/expiry-watch.ts';
import { fence } from './lease/fence-operation.ts';
import { Fences } from './lease/fences.ts';
import { KeyReader } from './look/key-reads.ts';
import { leaseEntry, liveLeases, ownLease } from './lease/lease-reads.ts';
import { MAX_SHARED_LEASES, ONCE_MS } from './lease/lease.ts';
import { lookExpiry, RecentViewers, REMEMBERED_MS } from './look/recent-viewers.ts';
import { type LightAnswer, look, type LookInput, watch } from './look/look-operations.ts';
import { aroundKey } from './look/around-key.ts';
import { KeyFacts } from './look/key-facts.ts';
import { LookService } from './look/look-service.ts';
import { mark } from './mark/mark-operation.ts';
import { MARKS_PER_DAY } from './mark/mark.ts';
import { claim, release } from './operations.ts';
import { probeClient } from './outside/probe-client.ts';
import { KeyProbes } from './look/probes.ts';
import { Crossing } from './service.ts';
import type { BriefSlots } from './state.ts';
import { forgetMarks } from './unit.ts';
import { EventSubscriptions } from './watch/event-subscriptions.ts';

export interface CrossingNeeds {
  readonly venues: VenuePort;
  readonly briefs: BriefsPort;
  /** Where a claim finds the slots of the brief that it names. */
  readonly briefSlots: Query<BriefSlots>;
}

export interface OpenCrossing extends OpenArea, AsyncDisposable {
  readonly crossing: Crossing;
  readonly looks: LookService;
  readonly watches: EventSubscriptions;
  readonly board: BoardView;
  readonly fences: Fences;
  readonly rules: Platform['rules'];
  readonly jobs: readonly Job[];
  /** The light of a key as a look would show it, without being one. */
  lightOf(key: string, slots: number): Promise<Pick<LightAnswer, 'signal' | 'reasons'>>;
  /** How many leases are held now. */
  liveLeases(): Promise<number>;
  /** The id of the live lease that the token proves; null where the agent holds none. */
  ownLease(key: string, agent: string, token: string): Promise<string | null>;
}

export const crossingArea = {
  name: 'crossing',
  open: openCrossing,
  operations: [
    on(look, async ({ looks, rules }, input, call) => {
      // A look that nobody asked for remembers no name.
      const isNamed = input.agent !== undefined && call.isPrefetch !== true;
      return (isNamed ? await rules.ofName('agent', input.agent as string) : null) ?? looks.look(input, call);
    }),
    on(watch, ({ watches }, input, call) => watches.watch(input, call)),
    on(board, (area, input, call) => area.board.show(input, call)),
    // A page that anybody may open is no look of an agent.
    on(boardKey, ({ looks }, { key }, call) =>
      looks.look({ key, attempt: 0, probe: 'no' }, { ...call, isPrefetch: true }),
    ),
    on(claim, ({ crossing }, input, call) => crossing.claim(input, call)),
    on(release, ({ crossing }, input, call) => crossing.release(input, call)),
    on(mark, ({ crossing }, input, call) => crossing.mark(input, call), { after: 'brief_lint' }),
    on(fence, ({ fences }, input) => fences.check(input), { after: 'mark' }),
  ],
  published: {
    limits: [
      { area: 'look', limit: 'memory_s', value: REMEMBERED_MS / 1_000 },
      { area: 'claim', limit: 'once_days', value: ONCE_MS / DAY_MS },
      { area: 'claim', limit: 'shared_leases_per_key', value: MAX_SHARED_LEASES },
      { area: 'mark', limit: 'per_key_and_address_and_day', value: MARKS_PER_DAY },
    ],
  },
  forget: (entries) => forgetMarks(entries.map(({ seq }) => seq)),
} satisfies PlatformArea<OpenCrossing, CrossingNeeds>;

function openCrossing(platform: Platform, needs: CrossingNeeds): OpenCrossing {
  const { store, clock, sandbox, config, events, receipts, rules } = platform;
  const { venues, briefs, briefSlots } = needs;
  const venueHosts = new Set(config.venueHosts);
  const crossing = new Crossing({ store, clock, sandbox, venueHosts, rules, briefSlots, receipts });
  const feed = new EventFeed(events);
  platform.onRevision(() => feed.wake());
  const guarded = probeClient(clock, platform);
  const lookers = new RecentViewers(store, clock);
  const headAndKey = (key: string) => events.headAndKey(key);
  const facts = new KeyFacts({ store, rows: new KeyReader(store, clock), lookers, venueHosts });
  const around = (factsOf: VenuePort['venueFacts']) => aroundKey({ factsOf, briefs, nowMs: () => clock.now() });
  const looks = new LookService({
    clock,
    headAndKey,
    facts,
    lookers,
    probes: new KeyProbes((url) => guarded.get(url), clock),
    aroundKey: around((key) => venues.venueFacts(key)),
  });
  const expiry = new ExpiryWatch({ store, clock, feed, expire: (keys) => crossing.expire(keys) });
  const watches = new EventSubscriptions({ clock, events, feed, expiry });
  return {
    crossing,
    looks,
    watches,
    board: new BoardView({
      store,
      clock,
      headAndKey,
      facts,
      feed,
      async aroundStored(keys) {
        const stored = await venues.storedFacts(keys);
        return around(async (key) => stored.get(key) ?? { kind: 'no_venue' });
      },
    }),
    fences: new Fences(store, clock),
    rules,
    jobs: [sweepJob('crossing-sweep', () => crossing.sweep()), expiryJob('look-sweep', { store, clock }, lookExpiry)],
    async lightOf(key, slots) {
      const input: LookInput = { key: { given: key, key: key as CanonicalKey }, slots, attempt: 0, probe: 'no' };
      const { signal, reasons } = await looks.look(input, { isPrefetch: true, addressTag: '' });
      return { signal, reasons };
    },
    liveLeases: () => liveLeases(store, clock.now()),
    ownLease: (key, agent, token) => ownLease(store, { key, agent, token, nowMs: clock.now() }),
    references: [leaseForm(platform)],
    // Every wait for events ends.
    onStop: () => watches.stop(),
    [Symbol.asyncDispose]: () => lookers[Symbol.asyncDispose](),
  };
}

function leaseForm({ store, log: { log } }: Platform): ReferenceForm {
  return {
    pattern: /^L[A-Za-z0-9_-]{12}$/,
    kind: 'lease',
    async find(ref) {
      const seq = await leaseEntry(store, ref);
      return seq === undefined ? undefined : foundEntry(seq === null ? null : await log.idAt(seq));
    },
  };
}
