import { HOUR_MS } from '#kernel/clock.ts';
import type { CardOutcome, CheckoutSession, Dispute, DisputeNews, TopUp } from './topup-state.ts';

const SECOND_MS = 1_000;
const FIRST_POLLS_MS = [5 * SECOND_MS, 10 * SECOND_MS, 20 * SECOND_MS];

/** When an open top-up is asked for next; null when nothing more can become of it by itself. */
export function nextPollAt(openedAtMs: number, expiresAtMs: number, nowMs: number): number | null {
  const first = FIRST_POLLS_MS.map((afterMs) => openedAtMs + afterMs).find((atMs) => atMs > nowMs);
  if (first !== undefined) return first;
  if (nowMs < openedAtMs + HOUR_MS) return nowMs + 20 * SECOND_MS;
  // The last one comes just after the end, to see it.
  return nowMs <= expiresAtMs ? Math.min(nowMs + 60 * SECOND_MS, expiresAtMs + SECOND_MS) : null;
}

export interface TopUpJudgement {
  readonly topUp: TopUp;
  /** The wallet is to be credited in the same transaction. */
  readonly isCredit: boolean;
  readonly outcome: CardOutcome;
}

/** A top-up to which the processor has given a session. */
function opened(topUp: TopUp, session: CheckoutSession, nowMs: number): TopUp {
  const openedAtMs = topUp.openedAtMs ?? nowMs;
  const isDue = topUp.openedAtMs === null || (topUp.nextPollAtMs ?? 0) <= nowMs;
  return {
    ...topUp,
    status: topUp.status === 'created' ? 'open' : topUp.status,
    sessionId: session.id,
    paymentIntent: session.paymentIntent ?? topUp.paymentIntent,
    checkoutUrl: session.url ?? topUp.checkoutUrl,
    isLive: session.isLive,
    openedAtMs,
    expiresAtMs: session.expiresAtMs,
    nextPollAtMs: isDue ? nextPollAt(openedAtMs, session.expiresAtMs, nowMs) : topUp.nextPollAtMs,
  };
}

/** What else is known when a session is looked at. */
export interface SessionFacts {
  /** The processor says that the payment did not come through. */
  readonly hasFailed?: boolean | undefined;
  /** Nobody can use the wallet any more. */
  readonly isAgentErased?: boolean;
}

/**
 * What a session makes of its top-up, whoever told of it and in whatever order. Wallet and amount are those of the
 * top-up; the session only says whether they were paid.
 */
export function decideSession(
  given: TopUp,
  session: CheckoutSession,
  nowMs: number,
  { hasFailed = false, isAgentErased = false }: SessionFacts = {},
): TopUpJudgement {
  const isForeign = given.sessionId !== null && given.sessionId !== session.id;
  if (given.status === 'credited') return unchanged(given, isForeign ? 'unknown_session' : 'already_credited');
  if (given.status === 'review') return unchanged(given, 'review');
  const isPaid = session.paymentStatus === 'paid';
  const isFree = session.paymentStatus === 'no_payment_required';
  if (isForeign) return isPaid ? inReview(given, 'paid_in_another_session') : unchanged(given, 'unknown_session');
  const topUp = opened(given, session, nowMs);
  if (isPaid || isFree) {
    if (session.currency !== 'eur') return inReview(topUp, 'currency_mismatch');
    if (session.amountCents !== topUp.priceCents || isFree) return inReview(topUp, 'amount_mismatch');
    if (isAgentErased) return inReview(topUp, 'agent_erased');
    const credited = { ...topUp, status: 'credited', creditedAtMs: nowMs, nextPollAtMs: null } as const;
    return { topUp: credited, isCredit: true, outcome: 'credited' };
  }
  if (session.status === 'expired') return ended(topUp, 'expired', 'expired');
  if (hasFailed) return ended(topUp, 'failed', 'not_paid');
  const isOver = topUp.status === 'expired' || topUp.status === 'failed';
  return unchanged(isOver ? { ...topUp, nextPollAtMs: null } : topUp, 'not_paid');
}

function unchanged(topUp: TopUp, outcome: CardOutcome): TopUpJudgement {
  return { topUp, isCredit: false, outcome };
}

function ended(topUp: TopUp, status: 'expired' | 'failed', outcome: CardOutcome): TopUpJudgement {
  return { topUp: { ...topUp, status, nextPollAtMs: null }, isCredit: false, outcome };
}

function inReview(topUp: TopUp, review: string): TopUpJudgement {
  return { topUp: { ...topUp, status: 'review', nextPollAtMs: null, review }, isCredit: false, outcome: 'review' };
}

/** What is to be done in the ledger, and what is known of the dispute afterwards. */
export interface DisputePlan {
  readonly dispute: Dispute;
  readonly isHeld: boolean;
  readonly isReleased: boolean;
  readonly isWithdrawn: boolean;
  readonly isReinstated: boolean;
  /** Only then the wallet is frozen or let go: in between the operator may have decided otherwise. */
  readonly isBeginOrEnd: boolean;
}

/** Facts of a dispute in any order: a later one implies those before it, and none counts twice. */
export function decideDispute(
  before: Dispute | undefined,
  { fresh, txId, fact }: { readonly fresh: Dispute; readonly txId: string; readonly fact: DisputeNews['fact'] },
): DisputePlan {
  const known = before ?? fresh;
  const isReinstated = known.isReinstated || fact === 'reinstated';
  const withdrawnTx = known.withdrawnTx ?? (isReinstated || fact === 'withdrawn' ? txId : null);
  const closed = known.closed ?? (fact === 'won' || fact === 'lost' ? fact : null);
  const isQuiet = withdrawnTx !== null || closed !== null;
  return {
    dispute: { ...known, withdrawnTx, isReinstated, closed, version: known.version + 1 },
    isHeld: before === undefined && !isQuiet,
    isReleased: before !== undefined && before.withdrawnTx === null && before.closed === null && isQuiet,
    isWithdrawn: withdrawnTx !== null && known.withdrawnTx === null,
    isReinstated: isReinstated && !known.isReinstated,
    isBeginOrEnd: before === undefined || closed !== before.closed,
  };
}

/** A wallet is frozen while one of its disputes is open, and after a lost one until the operator lets it go. */
export function isFrozenBy(disputes: readonly Dispute[]): boolean {
  return disputes.some(({ closed }) => closed === null || closed === 'lost');
}
