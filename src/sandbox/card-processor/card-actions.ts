import type { CardSession } from './card-state.ts';
import type { WebhookMode } from './deliveries.ts';

/** What the one who plays the card holder can do, and what the processor makes of it. */
export interface CardAction {
  readonly label: string;
  readonly isPossible: (session: CardSession) => boolean;
  readonly run: (session: CardSession, desk: CardDesk) => void;
  /** How the webhooks of this action go, where it is not the usual way. */
  readonly webhooks?: WebhookMode;
}

/** The side of the processor on which things happen. */
export interface CardDesk {
  readonly nowMs: number;
  tell(type: string, session: CardSession): void;
  tellDispute(type: string, session: CardSession): void;
  complete(session: CardSession): void;
  refund(session: CardSession, amountCents: number): void;
  openDispute(session: CardSession): void;
}

const SLOW_MS = 5_000;

const isOpen = ({ status }: CardSession) => status === 'open';
/** Paid, and not yet given back or fought over. */
const isKept = ({ paymentStatus, dispute, refundedCents, amountCents }: CardSession) =>
  paymentStatus === 'paid' && dispute === null && refundedCents < amountCents;
const isDisputed = ({ dispute }: CardSession) => dispute?.status === 'needs_response';

function pay(session: CardSession, desk: CardDesk): void {
  session.paymentStatus = 'paid';
  desk.complete(session);
}

function closeDispute(session: CardSession, desk: CardDesk, status: 'won' | 'lost'): void {
  if (session.dispute !== null) session.dispute.status = status;
  if (status === 'won') desk.tellDispute('charge.dispute.funds_reinstated', session);
  desk.tellDispute('charge.dispute.closed', session);
}

export const CARD_ACTIONS = {
  pay: { label: 'Pay', isPossible: isOpen, run: pay },
  pay_slow: {
    label: 'Delayed payment',
    isPossible: isOpen,
    run(session, desk) {
      session.paysAtMs = desk.nowMs + SLOW_MS;
      desk.complete(session);
    },
  },
  slow_fails: {
    label: 'Delayed payment fails',
    isPossible: isOpen,
    run(session, desk) {
      desk.complete(session);
      desk.tell('checkout.session.async_payment_failed', session);
    },
  },
  pay_lose_webhook: { label: 'Payment without webhook', isPossible: isOpen, run: pay, webhooks: 'lose' },
  pay_webhook_twice: { label: 'Payment with duplicate webhook', isPossible: isOpen, run: pay, webhooks: 'repeat' },
  cancel: { label: 'Cancel', isPossible: isOpen, run: () => {} },
  expire: {
    label: 'Expire',
    isPossible: isOpen,
    run(session, desk) {
      session.status = 'expired';
      desk.tell('checkout.session.expired', session);
    },
  },
  refund: {
    label: 'Refund',
    isPossible: isKept,
    run: (session, desk) => desk.refund(session, session.amountCents - session.refundedCents),
  },
  dispute: {
    label: 'Dispute',
    isPossible: isKept,
    run: (session, desk) => desk.openDispute(session),
  },
  dispute_won: {
    label: 'Win dispute',
    isPossible: isDisputed,
    run: (session, desk) => closeDispute(session, desk, 'won'),
  },
  dispute_lost: {
    label: 'Lose dispute',
    isPossible: isDisputed,
    run: (session, desk) => closeDispute(session, desk, 'lost'),
  },
} as const satisfies Readonly<Record<string, CardAction>>;

export type CardActionName = keyof typeof CARD_ACTIONS;
