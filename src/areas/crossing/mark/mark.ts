import { DAY_MS } from '#kernel/clock.ts';
import type { MarkKind } from '#protocol/attestation/leaf-entry.ts';
import type { Weighed } from './mark-weight.ts';

/** What an agent left on a key for those who come later. */
export interface Mark extends Weighed {
  /** Number of its entry in the public log. */
  readonly seq: number;
  readonly rev: number;
  readonly key: string;
  readonly kind: MarkKind;
  readonly agent: string;
  readonly note: string | null;
  readonly addressTag: string;
}

export const MARKS_PER_DAY = 3;
/** A lease that ended longer ago says nothing about a mark any more. */
export const LEASE_COUNTS_MS = DAY_MS;

export function isSameDay(aMs: number, bMs: number): boolean {
  return Math.floor(aMs / DAY_MS) === Math.floor(bMs / DAY_MS);
}

export function untilMidnightMs(nowMs: number): number {
  return DAY_MS - (nowMs % DAY_MS);
}

/** By what the marks of one address on one key are found. */
export function markerTag(addressTag: string, key: string): string {
  return `${addressTag} ${key}`;
}
