import type { PartOffer } from '#platform/registers/suppliers/offer.ts';
import { as, integer, json, nullable, query, table, text } from '#platform/storage/table.ts';
import { FEE_HOLD_KEY, type Order } from './order/order.ts';

export const CALCULATION = table(
  'bom_calculation',
  {
    id: text(),
    agent_id: as('agentId', text()),
    head: text(),
    lines: text(),
    valid_until: as('validUntilMs', integer()),
    expires_at: as('expiresAtMs', integer()),
  },
  { key: ['id'] },
);
export const SUPPLIER_OFFER = table(
  'supplier_offer',
  {
    source: text(),
    owner: text(),
    mpn: text(),
    offers: json<readonly PartOffer[]>(),
    retrieved_at: as('retrievedAtMs', integer()),
  },
  { key: ['source', 'owner', 'mpn'] },
);
export const ORDER = table(
  'supplier_order',
  {
    id: text(),
    agent_id: as('agentId', text()),
    state: text<Order['state']>(),
    supplier: text(),
    channel: text<Order['channel']>(),
    calculation_id: as('calculationId', nullable(text())),
    lines: json<Order['lines']>(),
    goods: as('goodsMicro', integer()),
    fee: as('feeMicro', integer()),
    fee_state: as('feeState', text<Order['feeState']>()),
    hold_id: as('holdId', nullable(text())),
    fee_tx: as('feeTx', nullable(text())),
    country: text(),
    ship_to: as('shipTo', nullable(text())),
    note: nullable(text()),
    mandate_id: as('mandateId', nullable(text())),
    verify_ref: as('verifyRef', nullable(text())),
    supplier_ref: as('supplierRef', nullable(text())),
    history: json<Order['history']>(),
    receipt: text(),
    created_at: as('createdAtMs', integer()),
    expires_at: as('expiresAtMs', integer()),
    ended_at: as('endedAtMs', nullable(integer())),
    asks_at: as('asksAtMs', nullable(integer())),
  },
  {
    key: ['id'],
    changes: [
      ...(['state', 'fee_state', 'hold_id', 'fee_tx', 'ship_to', 'note'] as const),
      ...(['verify_ref', 'supplier_ref', 'history', 'ended_at', 'asks_at'] as const),
    ],
  },
);

/** Part numbers of one read of kept offers. */
export const OFFERS_PER_READ = 200;

export const CALCULATION_OF_ID = CALCULATION.select('WHERE id = $1 AND agent_id = $2 AND expires_at > $3');
const MPN_PLACES = Array.from({ length: OFFERS_PER_READ }, (_, at) => `$${3 + at}`).join(', ');
export const OFFERS_OF_MPNS = SUPPLIER_OFFER.select(`WHERE source = $1 AND owner = $2 AND mpn IN (${MPN_PLACES})`);

const ids = (rest: string) => query(`SELECT id FROM supplier_order ${rest}`, { id: text() });
export const ORDERS_OF_IDS = ORDER.select('WHERE id IN (...)');
export const ORDER_OF_ID = ORDER.select('WHERE id = $1 AND agent_id = $2');
/** A fee is on hold exactly while its order is placed. */
export const FEE_HOLDS = [
  {
    holds: FEE_HOLD_KEY,
    sql: `SELECT CAST(COALESCE(SUM(fee), 0) AS BIGINT) AS amount FROM supplier_order WHERE state = 'placed'`,
  },
];
/** For the operator, whoever ordered. */
export const ORDER_OF_ANYBODY = ORDER.select('WHERE id = $1');
export const MANUAL_ORDERS_OPEN = ORDER.select(
  `WHERE channel = 'manual' AND state IN ('placed', 'confirmed', 'shipped') ORDER BY created_at, id`,
);
export const PLACE_OF_ORDER = query('SELECT id, agent_id, created_at FROM supplier_order WHERE id = $1', {
  id: text(),
  agent_id: as('agentId', text()),
  created_at: as('createdAtMs', integer()),
});
export const OPEN_ORDERS_OF_AGENT = ids('WHERE agent_id = $1 AND ended_at IS NULL LIMIT 1');
export const ADDRESSES_OF_AGENT = ids('WHERE agent_id = $1 AND (ship_to IS NOT NULL OR note IS NOT NULL) LIMIT 100');
export const HISTORY_OF_ORDER = query('SELECT history FROM supplier_order WHERE id = $1', {
  history: json<Order['history']>(),
});
const NEXT = `created_at <= $2 AND (created_at < $2 OR id < $3)
  ORDER BY created_at DESC, id DESC LIMIT $4`;
export const ORDERS_OF_AGENT = ORDER.select(`WHERE agent_id = $1 AND ${NEXT}`);
export const ORDERS_IN_STATE = ORDER.select(`WHERE agent_id = $1 AND state = $5 AND ${NEXT}`);
export const QUOTES_OVER = ORDER.select(`WHERE state = 'quoted' AND expires_at <= $1 ORDER BY expires_at LIMIT 100`);
export const ORDERS_ASKING = ORDER.select('WHERE asks_at <= $1 ORDER BY asks_at LIMIT 100');
export const ADDRESSES_OVER = ids('WHERE ended_at <= $1 AND ship_to IS NOT NULL ORDER BY ended_at LIMIT 200');
