import { DAY_MS } from '#kernel/clock.ts';
import { AMH_ACTIONS, AMH_OUTCOMES } from '#protocol/attestation/schemas/amh.handshake.v1.ts';

export const ACTIONS = AMH_ACTIONS;
export type Action = (typeof ACTIONS)[number];

/** Actions that make no sense without something to pay. */
export const NEVER_FREE: ReadonlySet<Action> = new Set(['order.place', 'payment.authorize']);

export const HANDSHAKE_OUTCOMES = AMH_OUTCOMES;
export type HandshakeOutcome = (typeof HANDSHAKE_OUTCOMES)[number];

export const STATES = [...HANDSHAKE_OUTCOMES, 'verified', 'denied', 'expired', 'voided'] as const;
export type HandshakeState = (typeof STATES)[number];

const ALL: readonly HandshakeOutcome[] = ['placed', 'confirmed', 'delivered', 'failed', 'cancelled', 'refused'];

/** Which outcome may follow which state: forward skips are allowed, going back is not. */
export const STEPS: Readonly<Record<HandshakeState, readonly HandshakeOutcome[]>> = {
  verified: ALL,
  expired: ALL,
  placed: ALL.slice(1),
  confirmed: ALL.slice(2),
  denied: ['refused'],
  delivered: [],
  failed: [],
  cancelled: [],
  refused: [],
  voided: [],
};

/** Outcomes that say the thing was done: they commit the amount. The others give it back. */
export const COMMITTING: ReadonlySet<HandshakeState> = new Set(['placed', 'confirmed', 'delivered']);

/** What a principal can void: holds, commits, and holds that ran out, which a late seal would still commit. */
export const VOIDABLE: ReadonlySet<HandshakeState> = new Set([
  'verified',
  'placed',
  'confirmed',
  'delivered',
  'expired',
]);

/** From the weakest: a key that the caller named proves a key, one that the operator trusts also proves whose it is. */
export const ASSURANCES = ['unsigned', 'principal_signed', 'issuer_trusted'] as const;
export type Assurance = (typeof ASSURANCES)[number];

export const PERIOD_UNITS = ['day', 'week', 'month'] as const;
export type PeriodUnit = (typeof PERIOD_UNITS)[number];

/** The UTC start of the period that a moment is in; weeks begin on Monday. */
export function periodStart(unit: PeriodUnit, atMs: number): number {
  const day = Math.floor(atMs / DAY_MS);
  if (unit === 'day') return day * DAY_MS;
  // 1970-01-01 was a Thursday.
  if (unit === 'week') return (day - ((day + 3) % 7)) * DAY_MS;
  const date = new Date(atMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}
