const COLUMNS = 'payment, intent, prober, payer, amount, at';

export const OF_PAYMENTS = `SELECT ${COLUMNS} FROM fuse_memory WHERE payment IN (...)`;
export const OF_INTENTS = `SELECT ${COLUMNS} FROM fuse_memory WHERE intent IN (...)`;
export const OF_PROBERS = `SELECT ${COLUMNS} FROM fuse_memory WHERE prober IN (...)`;
export const DUE = `SELECT ${COLUMNS} FROM fuse_memory WHERE at <= $1 ORDER BY at, payment LIMIT 500`;
export const UPSERT = `INSERT INTO fuse_memory (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (payment) DO UPDATE SET intent = excluded.intent, prober = excluded.prober, payer = excluded.payer,
  amount = excluded.amount, at = excluded.at`;
export const DELETE = 'DELETE FROM fuse_memory WHERE payment IN (VALUES ($1))';
