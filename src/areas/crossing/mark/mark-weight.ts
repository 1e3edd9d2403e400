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
  readonly atMs: number;
}

export function halfLifeMs(kind: MarkKind): number {
  return HALF_LIFE_DAYS[kind] * DAY_MS;
}

/** Why a fresh mark weighs more than a plain one. */
export function weightReasons({ evidence, leased }: Pick<Weighed, 'evidence' | 'leased'>): ('evidence' | 'lease')[] {
  return [...(evidence === null ? [] : (['evidence'] as const)), ...(leased ? (['lease'] as const) : [])];
}

/** The weight of a mark when it was made: 0.25, doubled by each reason. */
export function freshWeight(mark: Pick<Weighed, 'evidence' | 'leased'>): number {
  return 0.25 * 2 ** weightReasons(mark).length;
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
