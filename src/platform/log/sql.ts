import type { EntryLink, LogEntry } from '#platform/storage/store.ts';
import { appendedTable, as, derived, integer, nullable, query, table, text } from '#platform/storage/table.ts';

export const HEAD = table(
  'log_head',
  {
    id: integer(),
    origin: text(),
    size: integer(),
    root: as('rootHex', text()),
    subtrees: text(),
    note: as('checkpoint', text()),
  },
  { key: ['id'], changes: ['size', 'root', 'subtrees', 'note'] },
);
export const LOG_ENTRY = appendedTable('entries', {
  seq: integer(),
  type: text(),
  leaf: text(),
  leaf_hash: as('leafHashHex', text()),
  attestation_id: as('attestationId', text()),
  at: derived<{ readonly atMs: number }>(({ atMs }) => atMs),
});
export const RECORD = table(
  'records',
  {
    seq: integer(),
    schema_id: as('schemaId', nullable(text())),
    claim: nullable(text()),
    seed: nullable(text()),
    seed_sha256: as('seedSha256', nullable(text())),
    observations: nullable(text()),
    disclosure: text<LogEntry['record']['disclosure']>(),
    erased_at: as('erasedAtMs', nullable(integer())),
    erased_in: as('erasedIn', nullable(text())),
  },
  { key: ['seq'] },
);
export const LOG_LINK = appendedTable('links', {
  to_id: as('toId', text()),
  kind: text<EntryLink['kind']>(),
  seq: integer(),
  from_id: as('fromId', text()),
});
export const LOG_CHECKPOINT = appendedTable('checkpoints', {
  size: integer(),
  note: text(),
  at: as('atMs', integer()),
});
export const LOG_TILE = appendedTable('tile_hashes', { level: integer(), tile: integer(), hashes: text() });

export const LOG_HEAD = HEAD.select('WHERE id = 1');
/** Newest first: what was said last about an entry must not be lost behind what was said before. */
export const LINKS_TO = query(
  `SELECT l.from_id, e.leaf FROM links l JOIN entries e ON e.seq = l.seq
  WHERE l.to_id = $1 AND l.kind = $2 ORDER BY l.seq DESC LIMIT 100`,
  { from_id: as('fromId', text()), leaf: text() },
);
export const LOG_ENTRIES_BETWEEN = LOG_ENTRY.select('WHERE seq >= $1 AND seq < $2 ORDER BY seq');
export const ENTRY_OF_ID = LOG_ENTRY.select('WHERE attestation_id = $1');
/** The expression is that of the index entries_commitment. */
export const ENTRIES_OF_COMMITMENT = LOG_ENTRY.select(`WHERE (CASE substr(leaf, 1, 20)
  WHEN '{"claim_commitment":' THEN substr(leaf, 22, 64)
  WHEN '{"bundle_root":null,' THEN substr(leaf, 41, 64)
  ELSE substr(leaf, 103, 64) END) = $1 ORDER BY seq LIMIT 10`);
/** Expression and condition are those of the index entries_bundle_root. */
export const ENTRIES_OF_BUNDLE = LOG_ENTRY.select(
  `WHERE substr(leaf, 1, 16) = '{"bundle_root":"' AND substr(leaf, 17, 64) = $1 ORDER BY seq LIMIT 10`,
);
/** $3 is a type or empty for all; $4 and $5 are members as canonical JSON spells them: the caller reads the leaf again. */
export const ENTRIES_WITH_MEMBERS = LOG_ENTRY.select(
  `WHERE seq >= $1 AND seq < $2 AND ($3 = '' OR type = $3) AND replace(leaf, $4, '') <> leaf
  AND replace(leaf, $5, '') <> leaf ORDER BY seq DESC LIMIT 100`,
);
export const RECORD_OF_SEQ = RECORD.select('WHERE seq = $1');
export const RECORDS_OF_SEQS = RECORD.select('WHERE seq IN (...)');
export const CHECKPOINTS_BETWEEN = LOG_CHECKPOINT.select('WHERE size > $1 AND size <= $2 ORDER BY size');
export const CHECKPOINT_BEFORE = LOG_CHECKPOINT.select('WHERE size < $1 ORDER BY size DESC LIMIT 1');
export const CHECKPOINT_AFTER = LOG_CHECKPOINT.select('WHERE size > $1 ORDER BY size LIMIT 1');
export const CHECKPOINT_OF_SIZE = LOG_CHECKPOINT.select('WHERE size = $1');
/** An erasure keeps the row, the schema and the hash of the seed, by which a repeated call is recognised. */
export const RECORD_ERASE = `INSERT INTO records (seq, disclosure, erased_at, erased_in) VALUES ($1, $2, $3, $4)
  ON CONFLICT (seq) DO UPDATE SET claim = NULL, seed = NULL, observations = NULL,
  erased_at = excluded.erased_at, erased_in = excluded.erased_in`;
export const LEAF_HASHES_BETWEEN = query(
  'SELECT seq, leaf_hash FROM entries WHERE seq >= $1 AND seq < $2 ORDER BY seq',
  { seq: integer(), leaf_hash: as('leafHashHex', text()) },
);
/** Derived from the entries: any process may write it, and the first one wins. */
export const TILE_INSERT = `${LOG_TILE.insert([]).sql} ON CONFLICT (level, tile) DO NOTHING`;
export const TILES_BETWEEN = LOG_TILE.select('WHERE level = $1 AND tile >= $2 AND tile < $3 ORDER BY tile');
export const TILE_NUMBERS_BETWEEN = query(
  'SELECT tile FROM tile_hashes WHERE level = $1 AND tile >= $2 AND tile < $3',
  { tile: integer() },
);
/** A page of entries in one row, which costs a reader a fraction of a row for each. Canonical leaves hold no newline. */
export const ENTRIES_JOINED = query(
  `SELECT COUNT(*) AS count, '\n' || string_agg(leaf, '\n') AS leaves, string_agg(leaf_hash, '') AS hashes,
  string_agg(attestation_id, '') AS ids
  FROM (SELECT leaf, leaf_hash, attestation_id FROM entries WHERE seq >= $1 AND seq < $2 ORDER BY seq) AS page`,
  { count: integer(), leaves: nullable(text()), hashes: nullable(text()), ids: nullable(text()) },
);
export const ENTRIES_WITH_RECORDS = query(
  `SELECT e.seq, e.type, e.leaf, r.claim, r.seed, r.observations, r.erased_at
  FROM entries e LEFT JOIN records r ON r.seq = e.seq WHERE e.seq >= $1 AND e.seq < $2 ORDER BY e.seq`,
  {
    seq: integer(),
    type: text(),
    leaf: text(),
    claim: nullable(text()),
    seed: nullable(text()),
    observations: nullable(text()),
    erased_at: as('erasedAtMs', nullable(integer())),
  },
);
export const ERASED_BETWEEN = query(
  'SELECT COUNT(*) AS count FROM records WHERE seq >= $1 AND seq < $2 AND erased_at IS NOT NULL',
  { count: integer() },
);
export const CHECKPOINT_SIZES_BETWEEN = query('SELECT size FROM checkpoints WHERE size > $1 AND size <= $2', {
  size: integer(),
});
/** In canonical JSON a text cannot hold the quotes of a member: only a verdict matches. */
export const SEALS_BETWEEN = query(
  `SELECT COUNT(*) AS seals,
  COALESCE(SUM(CASE WHEN replace(leaf, '"verdict":"REJECT"', '') <> leaf THEN 1 ELSE 0 END), 0) AS rejects,
  COALESCE(SUM(CASE WHEN replace(leaf, '"statement":"rule.refusal ', '') <> leaf THEN 1 ELSE 0 END), 0) AS refusals,
  COALESCE(SUM(CASE WHEN at >= $3 THEN 1 ELSE 0 END), 0) AS recent
  FROM entries WHERE seq >= $1 AND seq < $2 AND type = 'seal'`,
  { seals: integer(), rejects: integer(), refusals: integer(), recent: integer() },
);
