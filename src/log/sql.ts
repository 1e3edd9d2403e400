export const LOG_HEAD = 'SELECT origin, size, root, subtrees, note FROM log_head WHERE id = 1';
export const LOG_HEAD_UPSERT = `INSERT INTO log_head (id, origin, size, root, subtrees, note) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (id) DO UPDATE SET size = excluded.size, root = excluded.root, subtrees = excluded.subtrees, note = excluded.note`;
export const ENTRY_INSERT =
  'INSERT INTO entries (seq, type, leaf, leaf_hash, attestation_id, at) VALUES ($1, $2, $3, $4, $5, $6)';
export const RECORD_INSERT = `INSERT INTO records (seq, schema_id, claim, seed, seed_sha256, observations, disclosure)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;
export const LINK_INSERT = 'INSERT INTO links (to_id, kind, seq, from_id) VALUES ($1, $2, $3, $4)';
/** Newest first: what was said last about an entry must not be lost behind what was said before. */
export const LINKS_TO = `SELECT l.from_id, e.leaf FROM links l JOIN entries e ON e.seq = l.seq
  WHERE l.to_id = $1 AND l.kind = $2 ORDER BY l.seq DESC LIMIT 100`;
export const CHECKPOINT_INSERT = 'INSERT INTO checkpoints (size, note, at) VALUES ($1, $2, $3)';
export const LEAF_HASHES_FROM = 'SELECT seq, leaf_hash FROM entries WHERE seq >= $1 ORDER BY seq LIMIT 20000';
export const ENTRIES_BETWEEN =
  'SELECT seq, type, leaf, leaf_hash, attestation_id FROM entries WHERE seq >= $1 AND seq < $2 ORDER BY seq';
export const ENTRY_OF_ID = 'SELECT seq, type, leaf, leaf_hash, attestation_id FROM entries WHERE attestation_id = $1';
export const RECORD_OF_SEQ = `SELECT schema_id, claim, seed, seed_sha256, observations, disclosure, erased_at, erased_in
  FROM records WHERE seq = $1`;
export const RECORDS_BETWEEN = `SELECT seq, schema_id, claim, seed, seed_sha256, observations, disclosure, erased_at, erased_in
  FROM records WHERE seq >= $1 AND seq < $2 ORDER BY seq`;
export const CHECKPOINTS_BETWEEN = 'SELECT size, note FROM checkpoints WHERE size > $1 AND size <= $2 ORDER BY size';
export const CHECKPOINT_AT = 'SELECT at FROM checkpoints WHERE size = $1';
export const RECORDS_OF_SEQS = `SELECT seq, schema_id, claim, seed, seed_sha256, observations, disclosure, erased_at, erased_in
  FROM records WHERE seq IN (...)`;
/** An erasure keeps the row, the schema and the hash of the seed, by which a repeated call is recognised. */
export const RECORD_ERASE = `INSERT INTO records (seq, disclosure, erased_at, erased_in) VALUES ($1, $2, $3, $4)
  ON CONFLICT (seq) DO UPDATE SET claim = NULL, seed = NULL, observations = NULL,
  erased_at = excluded.erased_at, erased_in = excluded.erased_in`;
