import { signedBy } from '#kernel/identity.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { parseMicro } from '#kernel/money.ts';
import type { Call } from '#kernel/operation.ts';
import { softRuleOf } from '#platform/usage-rules/soft-rules.ts';
import type { Store } from '#platform/storage/store.ts';
import { shownKey } from '../fields.ts';
import { canonicalKey } from '#protocol/work-key.ts';
import { type KeyReader, turnsMsOfKey } from './key-reads.ts';
import { freeAtMs, isLive, type Lease } from '../lease/lease.ts';
import { lightOf } from './light.ts';
import type { RecentViewers } from './recent-viewers.ts';
import type { LightAnswer, LookInput } from './look-operations.ts';
import { type WeighedMark, weighedMarks } from '../mark/mark-score.ts';
import type { KeyProbes } from './probes.ts';
import { retryInSeconds } from '../lease/wait-hint.ts';

/** What is known of a key where its work is offered, and the brief that names it; null where nothing is. */
export type AroundKey = (key: string) => Promise<Pick<LightAnswer, 'venue' | 'brief'>>;

export interface LooksOptions {
  readonly store: Pick<Store, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly headAndKey: (
    key: string,
  ) => Promise<{ readonly rev: number; readonly atMs: number; readonly keyRev: number }>;
  readonly rows: KeyReader;
  readonly lookers: RecentViewers;
  readonly probes: KeyProbes;
  readonly aroundKey: AroundKey;
  readonly venueHosts: ReadonlySet<string>;
}

const MAX_SHOWN = 20;

/** Answers looks from the rows as they are; takes no lease and makes no event. */
export class LookService {
  readonly #options: LooksOptions;

  constructor(options: LooksOptions) {
    this.#options = options;
  }

  async look(input: LookInput, call: Pick<Call, 'isPrefetch' | 'addressTag'>): Promise<LightAnswer> {
    const { store, clock, rows, lookers, probes, aroundKey, venueHosts } = this.#options;
    const { key } = input.key;
    // The revision first: what is read after it is at least as new, so that watching from it misses nothing.
    const { rev, atMs, keyRev } = await this.#options.headAndKey(key);
    const nowMs = Math.max(clock.now(), atMs);
    const isAsked = call.isPrefetch !== true;
    const [{ leases, marks }, names, { venue, brief }, probe] = await Promise.all([
      rows.rowsOf(key, keyRev, nowMs),
      lookers.of(key, nowMs),
      aroundKey(key),
      input.probe === 'yes' ? probes.probe(key, isAsked) : null,
    ]);
    // Only a key that was held, and is free, can be somebody's by turns.
    const hasLine = keyRev > 0 && leases.every((lease) => freeAtMs(lease) <= nowMs);
    const caller = { agent: input.agent ?? '', proof: call.addressTag };
    const turnsMs = hasLine ? await turnsMsOfKey(store, { key, leases, caller, nowMs }) : 0;
    if (input.agent !== undefined && isAsked) lookers.remember(key, input.agent, nowMs);
    const canonical = canonicalKey(key, venueHosts);
    const slots = input.slots ?? 1;
    const weighed = weighedMarks(marks, nowMs);
    const { waitMs, ...light } = lightOf({
      nowMs,
      agent: input.agent,
      slots,
      isPublicVenue: canonical.ok && canonical.publicVenue,
      leases,
      turnsMs,
      lookers: names,
      marks: weighed,
      venue,
      probe,
      rewardMicro: micro(input.reward_usd),
      effortMicro: micro(input.effort_usd),
      successPpm: micro(input.p_success),
    });
    return {
      ...shownKey(input.key),
      signal: light.signal,
      reasons: light.reasons,
      others: light.others,
      slots,
      holders: shownHolders(leases, nowMs),
      marks: shownMarks(weighed, nowMs),
      venue: venue?.kind === 'brief' ? { ...venue, claiming_people: light.others.holding } : venue,
      brief,
      probe,
      expected_value: light.expected_value,
      retry_in_s: waitMs === 0 ? 0 : retryIn(input, waitMs),
      rev,
      at: isoTime(nowMs),
    };
  }
}

/** Decimals with six places, of money and of probabilities alike. */
function micro(text: string | undefined): number | undefined {
  return text === undefined ? undefined : (parseMicro(text) ?? undefined);
}

function retryIn({ key, agent = '', attempt }: LookInput, waitMs: number): number {
  const seconds = retryInSeconds({ key: key.key, agent, attempt, waitSeconds: Math.ceil(waitMs / 1_000) });
  return Math.ceil(seconds * 1_000) / 1_000;
}

export function shownHolders(leases: readonly Lease[], nowMs: number): LightAnswer['holders'] {
  const live = leases.filter((lease) => isLive(lease, nowMs));
  return live.slice(0, MAX_SHOWN).map(({ agent, mode, sinceMs, expiresAtMs, intent, identity }) => ({
    source: 'agent',
    agent,
    mode,
    since: isoTime(sinceMs),
    expires_in_s: (expiresAtMs - nowMs) / 1_000,
    intent,
    ...signedBy(identity),
  }));
}

export function shownMarks(marks: readonly WeighedMark[], nowMs: number): LightAnswer['marks'] {
  return marks.slice(0, MAX_SHOWN).map(({ mark, weight }) => ({
    source: 'agent',
    kind: mark.kind,
    agent: mark.agent,
    note: mark.note,
    evidence: mark.evidence,
    weight: Math.round(weight * 1_000) / 1_000,
    age_s: Math.max(0, Math.floor((nowMs - mark.atMs) / 1_000)),
    log: mark.seq,
    ...softRuleOf(mark.note),
    ...signedBy(mark.identity),
  }));
}
