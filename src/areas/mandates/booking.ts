import { type Counters, passes } from './checks.ts';
import { COMMITTING, type HandshakeOutcome, type HandshakeState, STEPS } from './handshake.ts';
import type { Mandate, Verification, VoidRecord } from './state.ts';

/** The rows that one handshake books on. */
export interface Books {
  readonly mandate: Mandate;
  readonly period: Counters;
  readonly verification: Verification;
}

interface Booking {
  readonly reserved: number;
  readonly committed: number;
  readonly actions: number;
}

export const NOTHING_BOOKED: Counters = { reserved: 0, committed: 0, actions: 0 };

function booked<C extends Counters>(counters: C, by: Booking): C {
  return {
    ...counters,
    reserved: counters.reserved + by.reserved,
    committed: counters.committed + by.committed,
    actions: counters.actions + by.actions,
  };
}

function book({ mandate, period, verification }: Books, by: Booking, state: HandshakeState): Books {
  return {
    mandate: booked({ ...mandate, holds: mandate.holds + holdsBy(verification.state, state) }, by),
    period: booked(period, by),
    verification: {
      ...verification,
      state,
      reserved: verification.reserved + by.reserved,
      committed: verification.committed + by.committed,
    },
  };
}

function holdsBy(before: HandshakeState, after: HandshakeState): number {
  return Number(after === 'verified') - Number(before === 'verified');
}

/** Sets an allowed amount aside. */
export function reserve(books: Books): Books {
  return book(books, { reserved: books.verification.request.amount, committed: 0, actions: 1 }, 'verified');
}

export function isHoldOver({ state, expiresAtMs }: Verification, nowMs: number): boolean {
  return state === 'verified' && expiresAtMs !== null && expiresAtMs <= nowMs;
}

/** Gives back what nobody sealed in time; nothing is known about the outcome. */
export function bookExpiry(books: Books): Books {
  return book(books, { reserved: -books.verification.reserved, committed: 0, actions: -1 }, 'expired');
}

/** Takes back what a platform holds or has committed; what it could still seal late is over too. */
export function voidUse(books: Books, record: Omit<VoidRecord, 'returned_cents'>): Books {
  const { state, reserved, committed } = books.verification;
  const actions = state === 'expired' ? 0 : -1;
  const { mandate, period, verification } = book(
    books,
    { reserved: -reserved, committed: -committed, actions },
    'voided',
  );
  return {
    mandate: { ...mandate, voids: mandate.voids + 1 },
    period,
    verification: { ...verification, voided: { ...record, returned_cents: reserved + committed } },
  };
}

export type Sealing =
  | { readonly ok: false; readonly code: 'transition_invalid' | 'amount_exceeds_verified' | 'amount_not_exact' }
  | {
      readonly ok: true;
      readonly books: Books;
      readonly released: number;
      readonly refunded: number;
    };

/** What an outcome does to the money, given books in which every hold that is over has expired. */
export function bookOutcome(books: Books, outcome: HandshakeOutcome, finalAmount: number | null): Sealing {
  const { state, request, committed } = books.verification;
  if (!STEPS[state].includes(outcome)) return { ok: false, code: 'transition_invalid' };
  if (finalAmount !== null && finalAmount > request.amount) return { ok: false, code: 'amount_exceeds_verified' };
  if (state === 'denied') return { ok: true, books: book(books, NOTHING_BOOKED, outcome), released: 0, refunded: 0 };
  if (!COMMITTING.has(outcome)) return giveBack(books, outcome);
  if (state === 'expired') return commitLate(books, outcome, finalAmount ?? request.amount);
  if (state === 'verified') return commit(books, outcome, finalAmount ?? request.amount);
  return recommit(books, outcome, finalAmount ?? committed);
}

function commit(books: Books, outcome: HandshakeOutcome, amount: number): Sealing {
  const { reserved } = books.verification;
  const by = { reserved: -reserved, committed: amount, actions: 0 };
  return { ok: true, books: book(books, by, outcome), released: reserved - amount, refunded: 0 };
}

/** Another final amount than the one before. What was released may be reserved by others now, and is then gone. */
function recommit(books: Books, outcome: HandshakeOutcome, amount: number): Sealing {
  const more = amount - books.verification.committed;
  if (more > 0 && overCap(books, more, 0)) return { ok: false, code: 'amount_exceeds_verified' };
  const by = { reserved: 0, committed: more, actions: 0 };
  return { ok: true, books: book(books, by, outcome), released: Math.max(0, -more), refunded: 0 };
}

/**
 * The money has moved: refusing the record would only hide it. It is booked whatever the caps say, and marked, up to the
 * sum that is still counted exactly.
 */
function commitLate(books: Books, outcome: HandshakeOutcome, amount: number): Sealing {
  const { reserved, committed } = books.mandate;
  if (!Number.isSafeInteger(reserved + committed + amount)) return { ok: false, code: 'amount_not_exact' };
  const isOver = overCap(books, amount, 1);
  const after = book(books, { reserved: 0, committed: amount, actions: 1 }, outcome);
  return { ok: true, books: marked(after, isOver), released: 0, refunded: 0 };
}

function giveBack(books: Books, outcome: HandshakeOutcome): Sealing {
  const { state, reserved, committed } = books.verification;
  const wasLate = state === 'expired';
  const by = { reserved: -reserved, committed: -committed, actions: wasLate ? 0 : -1 };
  const after = book(books, by, outcome);
  return { ok: true, books: wasLate ? marked(after, false) : after, released: reserved, refunded: committed };
}

function marked(books: Books, isOver: boolean): Books {
  const { mandate, verification } = books;
  return {
    ...books,
    mandate: {
      ...mandate,
      isOverCap: mandate.isOverCap || isOver,
      isSealedAfterRevocation: mandate.isSealedAfterRevocation || mandate.revocation !== null,
    },
    verification: { ...verification, isLate: true, isOverCap: isOver },
  };
}

function overCap({ mandate, period }: Books, amount: number, actions: 0 | 1): boolean {
  const { terms } = mandate;
  // One more action is what `passes` asks about; a booked one is already counted.
  const already = (counters: Counters) => ({ ...counters, actions: counters.actions - 1 + actions });
  const isOverLife = passes(already(mandate), terms, amount, 'cumulative_cap_exceeded') !== null;
  const limits = terms.period;
  return isOverLife || (limits !== null && passes(already(period), limits, amount, 'period_cap_exceeded') !== null);
}
