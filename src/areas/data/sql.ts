const SOURCE = [
  ...['source', 'part', 'previous_part', 'staging', 'snapshot', 'retrieved_at', 'checked_at', 'row_count', 'sha256'],
  ...['raw_sha256', 'cursor_text', 'validators', 'failures', 'failed_at', 'failure', 'not_before'],
];
const ROW = [
  ...['part', 'id', 'snapshot', 'retrieved_at', 'sort_at', 'until_at', 'kind', 'authority', 'facets', 'reference'],
  ...['search_text', 'lat', 'lon', 'licence', 'source_url', 'body', 'sha256'],
];

function marks(columns: readonly string[]): string {
  return columns.map((_, index) => `$${index + 1}`).join(', ');
}

/** Takes the place of what is there under the same key. */
function upsert(table: string, columns: readonly string[], key: readonly string[]): string {
  const rest = columns.filter((column) => !key.includes(column)).map((column) => `${column} = excluded.${column}`);
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks(columns)}) ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${rest.join(', ')}`;
}

export const ALL_SOURCES = `SELECT ${SOURCE.join(', ')} FROM dataset_source`;
export const SOURCES = `${ALL_SOURCES} WHERE source IN (...)`;
export const PUT_SOURCE = upsert('dataset_source', SOURCE, ['source']);

export const PUT_SNAPSHOT = `INSERT INTO dataset_snapshot (id, source, retrieved_at, row_count, sha256, raw_sha256)
  VALUES ($1, $2, $3, $4, $5, $6)`;
export const SNAPSHOTS_OF_DAY = `SELECT id, source, sha256 FROM dataset_snapshot
  WHERE retrieved_at >= $1 AND retrieved_at < $2 ORDER BY retrieved_at, id`;
export const FIRST_SNAPSHOT = 'SELECT MIN(retrieved_at) AS at FROM dataset_snapshot WHERE retrieved_at >= $1';
export const OLD_SNAPSHOTS = 'SELECT id FROM dataset_snapshot WHERE retrieved_at < $1 ORDER BY retrieved_at LIMIT 500';
export const DELETE_SNAPSHOT = 'DELETE FROM dataset_snapshot WHERE id IN (VALUES ($1))';

export const PUT_ROW = upsert('dataset_row', ROW, ['part', 'id']);
export const DELETE_ROW = 'DELETE FROM dataset_row WHERE (part, id) IN (VALUES ($1, $2))';
export const IDS_OF_PART = 'SELECT id FROM dataset_row WHERE part = $1 LIMIT 500';
export const OLD_IDS = 'SELECT id FROM dataset_row WHERE part = $1 AND sort_at < $2 LIMIT 5000';
export const DIGESTS = 'SELECT id, sha256 FROM dataset_row WHERE part = $1 AND id > $2 ORDER BY id LIMIT 2000';
export const STORED = `SELECT id, kind, reference, sort_at, body FROM dataset_row
  WHERE part = $1 AND id > $2 ORDER BY id LIMIT 1000`;
export const STORED_ONE = 'SELECT id, kind, reference, sort_at, body FROM dataset_row WHERE part = $1 AND id = $2';
export const NEWEST = 'SELECT MAX(sort_at) AS at FROM dataset_row WHERE part = $1';
export const HELD = 'SELECT COUNT(*) AS held FROM dataset_row WHERE part = $1 AND sort_at >= $2 AND sort_at <= $3';
export const INDEXED = `SELECT id, kind, source_url, retrieved_at, body, search_text FROM dataset_row
  WHERE part = $1 ORDER BY sort_at DESC, id LIMIT $2 OFFSET $3`;

/** Texts are found by what is left of them without the words: the one form of it that both engines have. */
function matching(parts: number, hasAuthority: boolean): string {
  const list = Array.from({ length: parts }, (_, index) => `$${FILTERS + index + 1}`).join(', ');
  const has = (column: string, mark: string) => `(${mark} = '' OR replace(${column}, ${mark}, '') <> ${column})`;
  return [
    `FROM dataset_row WHERE part ${parts === 1 ? `= $${FILTERS + 1}` : `IN (${list})`}`,
    'sort_at >= $1 AND sort_at <= $2 AND until_at >= $3',
    `($4 = '' OR kind = $4)`,
    hasAuthority ? 'authority = $5' : `$5 = ''`,
    ...['$6', '$7'].map((mark) => has('facets', mark)),
    ...['$8', '$9', '$10', '$11'].map((mark) => has('search_text', mark)),
  ].join(' AND ');
}

/** Parameters before the parts. */
const FILTERS = 11;

export function countOf(parts: number, hasAuthority: boolean): string {
  return `SELECT COUNT(*) AS total ${matching(parts, hasAuthority)}`;
}

export function rowsOf(parts: number, hasAuthority: boolean): string {
  const [limit, offset] = [1, 2].map((behind) => `$` + String(FILTERS + parts + behind));
  return `SELECT part, id, snapshot, retrieved_at, licence, source_url, body, sha256 ${matching(parts, hasAuthority)}
    ORDER BY sort_at DESC, id LIMIT ${limit} OFFSET ${offset}`;
}

export const SEALS = 'SELECT name, sha256, attestation_id, at FROM dataset_seal WHERE name IN (...)';
export const ONE_SEAL = 'SELECT name, sha256, attestation_id, at FROM dataset_seal WHERE name = $1';
export const LAST_DAY_SEAL = `SELECT MAX(name) AS name FROM dataset_seal WHERE name >= 'day 2' AND name < 'day 3'`;
export const PUT_SEAL = upsert('dataset_seal', ['name', 'sha256', 'attestation_id', 'at'], ['name']);
