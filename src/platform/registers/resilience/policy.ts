import { HOUR_MS } from '#kernel/clock.ts';
import type { BucketFigures } from './token-bucket.ts';

export interface Policy {
  /** For all attempts together, the wait in line included. */
  readonly deadlineMs: number;
  readonly attemptMs: number;
  readonly retries: number;
  /** Wait before attempt n: random part of base times 2^n, at most the cap. */
  readonly backoffMs: { readonly base: number; readonly cap: number };
  readonly maxRunning: number;
  readonly bucket?: BucketFigures;
  /** A question that takes longer than most is sent a second time. */
  readonly isHedged?: boolean;
  /** How long an answer is given again. */
  readonly freshMs: number;
}

export type ClientId = 'vies' | 'kvk' | 'cir' | 'rdw' | 'companies_house' | 'dvsa_mot';

const usual = { backoffMs: { base: 150, cap: 600 }, maxRunning: 8, freshMs: HOUR_MS } as const;

/** Figures of each register; limits are what the register allows a caller over all processes. */
export const POLICIES: Readonly<Record<ClientId, Policy>> = {
  vies: {
    ...usual,
    deadlineMs: 8_000,
    attemptMs: 3_500,
    retries: 2,
    backoffMs: { base: 300, cap: 1_500 },
    maxRunning: 4,
    freshMs: 600_000,
  },
  kvk: { ...usual, deadlineMs: 4_000, attemptMs: 1_500, retries: 2 },
  cir: { ...usual, deadlineMs: 10_000, attemptMs: 5_000, retries: 1, bucket: { perSecond: 10, burst: 10 } },
  rdw: { ...usual, deadlineMs: 3_000, attemptMs: 1_200, retries: 2, isHedged: true },
  companies_house: {
    ...usual,
    deadlineMs: 4_000,
    attemptMs: 2_000,
    retries: 1,
    // 600 in any five minutes; who goes beyond is banned. 20 are left for processes that start or join meanwhile.
    bucket: { perSecond: 560 / 300, burst: 20 },
  },
  dvsa_mot: {
    ...usual,
    deadlineMs: 5_000,
    attemptMs: 2_500,
    retries: 1,
    bucket: { perSecond: 15, burst: 10 },
    freshMs: 6 * HOUR_MS,
  },
};

/** The wait before the attempt that follows number `attempt`; `random` is from 0 up to 1. */
export function retryWaitMs(
  { backoffMs: { base, cap } }: Pick<Policy, 'backoffMs'>,
  {
    attempt,
    random,
    retryAfterMs,
  }: { readonly attempt: number; readonly random: number; readonly retryAfterMs: number },
): number {
  return Math.max(retryAfterMs, random * Math.min(cap, base * 2 ** attempt));
}
