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
export const ENTRIES_BETWEEN =
  'SELECT seq, type, leaf, leaf_hash, attestation_id FROM entries WHERE seq >= $1 AND seq < $2 ORDER BY seq';
export const ENTRY_OF_ID = 'SELECT seq, type, leaf, leaf_hash, attestation_id FROM entries WHERE attestation_id = $1';
/** The expression is that of the index entries_commitment. */
export const ENTRIES_OF_COMMITMENT = `SELECT seq, type, leaf, leaf_hash, attestation_id FROM entries
  WHERE (CASE substr(leaf, 1, 20)
  WHEN '{"claim_commitment":' THEN substr(leaf, 22, 64)
  WHEN '{"bundle_root":null,' THEN substr(leaf, 41, 64)
  ELSE substr(leaf, 103, 64) END) = $1 ORDER BY seq LIMIT 10`;
/** Expression and condition are those of the index entries_bundle_root. */
export const ENTRIES_OF_BUNDLE = `SELECT seq, type, leaf, leaf_hash, attestation_id FROM entries
  WHERE substr(leaf, 1, 16) = '{"bundle_root":"' AND substr(leaf, 17, 64) = $1 ORDER BY seq LIMIT 10`;
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
export const LEAF_HASHES_BETWEEN = 'SELECT seq, leaf_hash FROM entries WHERE seq >= $1 AND seq < $2 ORDER BY seq';
/** Derived from the entries: any process may write it, and the first one wins. */
export const TILE_INSERT =
  'INSERT INTO tile_hashes (level, tile, hashes) VALUES ($1, $2, $3) ON CONFLICT (level, tile) DO NOTHING';
export const TILES_BETWEEN =
  'SELECT tile, hashes FROM tile_hashes WHERE level = $1 AND tile >= $2 AND tile < $3 ORDER BY tile';
export const TILE_NUMBERS_BETWEEN = 'SELECT tile FROM tile_hashes WHERE level = $1 AND tile >= $2 AND tile < $3';
/** A page of entries in one row, which costs a reader a fraction of a row for each. Canonical leaves hold no newline. */
export const ENTRIES_JOINED = `SELECT COUNT(*) AS count, '\n' || string_agg(leaf, '\n') AS leaves, string_agg(leaf_hash, '') AS hashes,
  string_agg(attestation_id, '') AS ids
  FROM (SELECT leaf, leaf_hash, attestation_id FROM entries WHERE seq >= $1 AND seq < $2 ORDER BY seq) AS page`;
export const ENTRIES_WITH_RECORDS = `SELECT e.seq, e.type, e.leaf, e.attestation_id, r.schema_id, r.claim, r.seed, r.observations, r.disclosure,
  r.erased_at FROM entries e LEFT JOIN records r ON r.seq = e.seq WHERE e.seq >= $1 AND e.seq < $2 ORDER BY e.seq`;
export const ERASED_BETWEEN =
  'SELECT COUNT(*) AS count FROM records WHERE seq >= $1 AND seq < $2 AND erased_at IS NOT NULL';
export const CHECKPOINT_SIZES_BETWEEN = 'SELECT size FROM checkpoints WHERE size > $1 AND size <= $2';
/** In canonical JSON a text cannot hold the quotes of a member: only a verdict matches. */
export const SEALS_BETWEEN = `SELECT COUNT(*) AS seals,
  COALESCE(SUM(CASE WHEN replace(leaf, '"verdict":"REJECT"', '') <> leaf THEN 1 ELSE 0 END), 0) AS rejects,
  COALESCE(SUM(CASE WHEN replace(leaf, '"statement":"rule.refusal ', '') <> leaf THEN 1 ELSE 0 END), 0) AS refusals,
  COALESCE(SUM(CASE WHEN at >= $3 THEN 1 ELSE 0 END), 0) AS recent
  FROM entries WHERE seq >= $1 AND seq < $2 AND type = 'seal'`;
