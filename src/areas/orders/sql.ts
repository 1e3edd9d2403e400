const CALCULATION = 'id, agent_id, head, lines, valid_until, expires_at';
const OFFER = 'source, owner, mpn, offers, retrieved_at';
const ORDER =
  'id, agent_id, state, supplier, channel, calculation_id, lines, goods, fee, fee_state, hold_id, fee_tx, country, ship_to, note, mandate_id, verify_ref, supplier_ref, history, receipt, created_at, expires_at, ended_at, asks_at';

const places = (from: number, count: number) => Array.from({ length: count }, (_, at) => `$${from + at}`).join(', ');
const values = (columns: string) => `(${columns}) VALUES (${places(1, columns.split(', ').length)})`;
const update = (...columns: string[]) =>
  `DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/** Part numbers of one read of kept offers. */
export const OFFERS_PER_READ = 200;

export const CALCULATION_INSERT = `INSERT INTO bom_calculation ${values(CALCULATION)}`;
export const CALCULATION_OF_ID = `SELECT ${CALCULATION} FROM bom_calculation WHERE id = $1 AND agent_id = $2 AND expires_at > $3`;
export const CALCULATIONS_DUE = 'SELECT id FROM bom_calculation WHERE expires_at <= $1 ORDER BY expires_at LIMIT 200';
export const CALCULATION_DELETE = 'DELETE FROM bom_calculation WHERE id IN (VALUES ($1))';
export const OFFER_UPSERT = `INSERT INTO supplier_offer ${values(OFFER)} ON CONFLICT (source, owner, mpn) ${update('offers', 'retrieved_at')}`;
export const OFFERS_OF_MPNS = `SELECT ${OFFER} FROM supplier_offer WHERE source = $1 AND owner = $2 AND mpn IN (${places(3, OFFERS_PER_READ)})`;
export const OFFERS_DUE =
  'SELECT source, owner, mpn FROM supplier_offer WHERE retrieved_at <= $1 ORDER BY retrieved_at LIMIT 500';
export const OFFER_DELETE = 'DELETE FROM supplier_offer WHERE (source, owner, mpn) IN (VALUES ($1, $2, $3))';

export const ORDERS_OF_IDS = `SELECT ${ORDER} FROM supplier_order WHERE id IN (...)`;
export const ORDER_OF_ID = `SELECT ${ORDER} FROM supplier_order WHERE id = $1 AND agent_id = $2`;
export const AGENT_OF_ORDER = 'SELECT agent_id FROM supplier_order WHERE id = $1';
export const OPEN_OF_AGENT = 'SELECT id FROM supplier_order WHERE agent_id = $1 AND ended_at IS NULL LIMIT 1';
export const ADDRESSES_OF_AGENT =
  'SELECT id FROM supplier_order WHERE agent_id = $1 AND (ship_to IS NOT NULL OR note IS NOT NULL)';
export const HISTORY_OF_ORDER = 'SELECT history FROM supplier_order WHERE id = $1';
export const ORDERS_OF_AGENT = `SELECT ${ORDER} FROM supplier_order WHERE agent_id = $1 AND (created_at < $2 OR (created_at = $2 AND id < $3)) ORDER BY created_at DESC, id DESC LIMIT $4`;
export const QUOTES_OVER = `SELECT ${ORDER} FROM supplier_order WHERE state = 'quoted' AND expires_at <= $1 ORDER BY expires_at LIMIT 100`;
export const ORDERS_ASKING = `SELECT ${ORDER} FROM supplier_order WHERE asks_at <= $1 ORDER BY asks_at LIMIT 100`;
export const ADDRESSES_OVER = `SELECT ${ORDER} FROM supplier_order WHERE ended_at <= $1 AND ship_to IS NOT NULL ORDER BY ended_at LIMIT 200`;
export const ORDER_UPSERT = `INSERT INTO supplier_order ${values(ORDER)} ON CONFLICT (id) ${update('state', 'fee_state', 'hold_id', 'fee_tx', 'ship_to', 'note', 'verify_ref', 'supplier_ref', 'history', 'ended_at', 'asks_at')}`;
