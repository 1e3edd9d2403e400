import { as, flag, integer, nullable, query, table, text } from '#platform/storage/table.ts';
import type { Dispute, SeenEvent, TopUp } from './topup-state.ts';

export const TOPUP = table(
  'topup',
  {
    id: text(),
    agent_id: as('agentId', text()),
    tier: text<TopUp['tier']>(),
    price_cents: as('priceCents', integer()),
    status: text<TopUp['status']>(),
    session_id: as('sessionId', nullable(text())),
    payment_intent: as('paymentIntent', nullable(text())),
    checkout_url: as('checkoutUrl', nullable(text())),
    livemode: as('isLive', nullable(flag())),
    created_at: as('createdAtMs', integer()),
    opened_at: as('openedAtMs', nullable(integer())),
    expires_at: as('expiresAtMs', nullable(integer())),
    next_poll_at: as('nextPollAtMs', nullable(integer())),
    credited_at: as('creditedAtMs', nullable(integer())),
    tx_id: as('txId', nullable(text())),
    review: nullable(text()),
    version: integer(),
  },
  { key: ['id'] },
);
export const DISPUTE = table(
  'topup_dispute',
  {
    id: text(),
    topup_id: as('topUpId', text()),
    agent_id: as('agentId', text()),
    amount_cents: as('amountCents', integer()),
    hold_id: as('holdId', text()),
    withdrawn_tx: as('withdrawnTx', nullable(text())),
    reinstated: as('isReinstated', flag()),
    closed: nullable(text<NonNullable<Dispute['closed']>>()),
    version: integer(),
  },
  { key: ['id'] },
);
export const CARD_EVENT = table(
  'stripe_event',
  {
    id: text(),
    type: text(),
    created_at: as('createdAtMs', integer()),
    outcome: text<SeenEvent['outcome']>(),
    topup_id: as('topUpId', nullable(text())),
  },
  { key: ['id'] },
);

export const TOPUPS_OF_IDS = TOPUP.select('WHERE id IN (...)');
export const OPEN_OF_AGENTS = TOPUP.select(`WHERE status IN ('created', 'open') AND agent_id IN (...)`);
export const DISPUTES_OF_AGENTS = DISPUTE.select('WHERE agent_id IN (...)');
export const EVENTS_OF_IDS = CARD_EVENT.select('WHERE id IN (...)');
export const EVENTS_BEFORE = CARD_EVENT.select('WHERE created_at < $1 ORDER BY created_at LIMIT 100');

export const TOPUPS_IN_REVIEW = TOPUP.select(`WHERE status = 'review' ORDER BY created_at, id LIMIT $1`);
export const TOPUP_OF_ID = TOPUP.select('WHERE id = $1');
/** The one that the session was made for, also where its id did not arrive. */
export const TOPUPS_OF_SESSION = TOPUP.select('WHERE session_id = $1 OR id = $2');
export const TOPUP_OF_PAYMENT = TOPUP.select('WHERE payment_intent = $1');
export const TOPUPS_DUE = TOPUP.select('WHERE next_poll_at <= $1 ORDER BY next_poll_at LIMIT 100');
export const OPEN_TOPUPS_OF_AGENT = TOPUP.select(
  `WHERE status IN ('created', 'open') AND agent_id = $1 ORDER BY created_at, id LIMIT 100`,
);
export const LATEST_TOPUPS_OF_AGENT = TOPUP.select(
  `WHERE agent_id = $1 AND created_at <= $2 AND (created_at < $2 OR id < $3)
  ORDER BY created_at DESC, id DESC LIMIT $4`,
);
export const DISPUTES_OF_AGENT = DISPUTE.select('WHERE agent_id = $1 ORDER BY id');
const CREATED = { created_at: as('createdAtMs', nullable(integer())) };
export const SELECT_LATEST_EVENT = query('SELECT MAX(created_at) AS created_at FROM stripe_event', CREATED);
export const OLDEST_TOPUP = query('SELECT MIN(created_at) AS created_at FROM topup', CREATED);

const sumOf = (column: string, where: string, sign = '') =>
  `SELECT CAST(${sign}COALESCE(SUM(${column}), 0) * 10000 AS BIGINT) AS amount FROM ${where}`;

/** What the processor holds for us by kind of transaction, as the rows of top-ups tell it. */
export const CARD_SUMS = [
  { kind: 'topup', sql: sumOf('price_cents', "topup WHERE status = 'credited'") },
  { kind: 'dispute', sql: sumOf('amount_cents', 'topup_dispute WHERE withdrawn_tx IS NOT NULL', '-') },
  { kind: 'dispute_reinstated', sql: sumOf('amount_cents', 'topup_dispute WHERE reinstated = 1') },
];
