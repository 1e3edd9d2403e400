import type { VerifiedIdentity } from '#kernel/identity.ts';
import { DAY_MS } from '#kernel/clock.ts';
import type { MarkKind } from '#protocol/attestation/leaf-entry.ts';

/** Endpoints come back within days; who paid and who did not is remembered for long. */
const HALF_LIFE_DAYS: Readonly<Record<MarkKind, number>> = {
  dead: 1,
  declined: 3,
  failed: 7,
  blocked: 7,
  note: 7,
  done: 30,
  paid: 90,
  unpaid: 90,
};
/** A mark below this weight is neither shown nor kept. */
export const FADED_WEIGHT = 0.02;

/** What the weight of a mark depends on; `leased`: its maker showed that it held a lease on the key. */
export interface Weighed {
  readonly kind: MarkKind;
  readonly evidence: string | null;
  readonly leased: boolean;
  /** Who signed it; null where nobody did, or not verifiably. */
  readonly identity: VerifiedIdentity | null;
  readonly atMs: number;
}

export function halfLifeMs(kind: MarkKind): number {
  return HALF_LIFE_DAYS[kind] * DAY_MS;
}

/** Who signed a mark says less than what it did. */
export const SIGNED_FACTOR = 1.25;
export const MAX_WEIGHT = 1;
/** How much more a fresh mark weighs than a plain one, by each reason. */
const FACTORS = { evidence: 2, lease: 2, identity: SIGNED_FACTOR } as const;
export const WEIGHT_REASONS = ['evidence', 'lease', 'identity'] as const satisfies (keyof typeof FACTORS)[];
type Reasons = Pick<Weighed, 'evidence' | 'leased' | 'identity'>;

/** Why a fresh mark weighs more than a plain one. */
export function weightReasons({ evidence, leased, identity }: Reasons): (typeof WEIGHT_REASONS)[number][] {
  const holds = { evidence: evidence !== null, lease: leased, identity: identity !== null };
  return WEIGHT_REASONS.filter((reason) => holds[reason]);
}

/** The weight of a mark when it was made: 0.25, more by each reason, at most 1. */
export function freshWeight(mark: Reasons): number {
  return weightReasons(mark).reduce((weight, reason) => Math.min(MAX_WEIGHT, weight * FACTORS[reason]), 0.25);
}

/** The weight of a mark now. It halves with each half-life of its kind and never grows. */
export function markWeight(mark: Weighed, nowMs: number): number {
  const ageMs = Math.max(0, nowMs - mark.atMs);
  return freshWeight(mark) * 2 ** (-ageMs / halfLifeMs(mark.kind));
}

/** The first moment at which a mark weighs too little to be shown. */
export function fadesAtMs(mark: Weighed): number {
  return mark.atMs + Math.ceil(halfLifeMs(mark.kind) * Math.log2(freshWeight(mark) / FADED_WEIGHT));
}
