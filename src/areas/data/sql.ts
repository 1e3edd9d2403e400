import { as, integer, json, nullable, query, table, text } from '#platform/storage/table.ts';

type Item = Readonly<Record<string, unknown>>;

export const DATASET_SOURCE = table(
  'dataset_source',
  {
    source: text(),
    part: text(),
    previous_part: as('previousPart', text()),
    staging: text(),
    snapshot: text(),
    retrieved_at: as('retrievedAtMs', integer()),
    checked_at: as('checkedAtMs', integer()),
    row_count: as('rows', integer()),
    sha256: text(),
    raw_sha256: as('rawSha256', text()),
    cursor_text: as('cursor', nullable(text())),
    validators: nullable(text()),
    failures: integer(),
    failed_at: as('failedAtMs', integer()),
    failure: nullable(text()),
    not_before: as('notBeforeMs', integer()),
  },
  { key: ['source'] },
);
export const SNAPSHOT = table(
  'dataset_snapshot',
  {
    id: text(),
    source: text(),
    retrieved_at: as('retrievedAtMs', integer()),
    row_count: as('rows', integer()),
    sha256: text(),
    raw_sha256: as('rawSha256', text()),
  },
  { key: ['id'] },
);
export const ROW = table(
  'dataset_row',
  {
    part: text(),
    id: text(),
    snapshot: text(),
    retrieved_at: as('retrievedAtMs', integer()),
    sort_at: as('sortAtMs', integer()),
    until_at: as('untilMs', integer()),
    kind: text(),
    authority: text(),
    facets: text(),
    reference: text(),
    search_text: as('searchText', text()),
    lat: as('latMicro', nullable(integer())),
    lon: as('lonMicro', nullable(integer())),
    licence: text(),
    source_url: as('sourceUrl', text()),
    body: as('item', json<Item>()),
    sha256: text(),
  },
  { key: ['part', 'id'] },
);
export const DATASET_SEAL = table(
  'dataset_seal',
  { name: text(), sha256: text(), attestation_id: as('attestationId', text()), at: as('atMs', integer()) },
  { key: ['name'] },
);

export const ALL_SOURCES = DATASET_SOURCE.select('');
export const DATASET_SOURCES = DATASET_SOURCE.select('WHERE source IN (...)');

export const SNAPSHOTS_OF_DAY = query(
  `SELECT id, source, sha256 FROM dataset_snapshot
  WHERE retrieved_at >= $1 AND retrieved_at < $2 ORDER BY retrieved_at, id`,
  { id: text(), source: text(), sha256: text() },
);
export const FIRST_SNAPSHOT = query('SELECT MIN(retrieved_at) AS at FROM dataset_snapshot WHERE retrieved_at >= $1', {
  at: as('atMs', nullable(integer())),
});
export const OLD_SNAPSHOTS = query(
  'SELECT id FROM dataset_snapshot WHERE retrieved_at < $1 ORDER BY retrieved_at LIMIT 500',
  { id: text() },
);

export const IDS_OF_PART = query('SELECT id FROM dataset_row WHERE part = $1 LIMIT 500', { id: text() });
export const OLD_IDS = query('SELECT id FROM dataset_row WHERE part = $1 AND sort_at < $2 LIMIT 5000', { id: text() });
export const DIGESTS = query('SELECT id, sha256 FROM dataset_row WHERE part = $1 AND id > $2 ORDER BY id LIMIT 2000', {
  id: text(),
  sha256: text(),
});
const STORED_ROW = {
  id: text(),
  kind: text(),
  reference: text(),
  sort_at: as('sortAtMs', integer()),
  body: as('item', json<Item>()),
};
export const STORED = query(
  `SELECT id, kind, reference, sort_at, body FROM dataset_row
  WHERE part = $1 AND id > $2 ORDER BY id LIMIT 1000`,
  STORED_ROW,
);
export const STORED_ONE = query(
  'SELECT id, kind, reference, sort_at, body FROM dataset_row WHERE part = $1 AND id = $2',
  STORED_ROW,
);
export const NEWEST_OF_PART = query('SELECT MAX(sort_at) AS at FROM dataset_row WHERE part = $1', {
  at: as('atMs', nullable(integer())),
});
export const HELD = query(
  'SELECT COUNT(*) AS held FROM dataset_row WHERE part = $1 AND sort_at >= $2 AND sort_at <= $3',
  { held: integer() },
);
export const INDEXED = query(
  `SELECT id, source_url, retrieved_at, body FROM dataset_row
  WHERE part = $1 ORDER BY sort_at DESC, id LIMIT $2 OFFSET $3`,
  {
    id: text(),
    source_url: as('sourceUrl', text()),
    retrieved_at: as('retrievedAtMs', integer()),
    body: as('item', json<Item>()),
  },
);

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

export function countMatching(parts: number, hasAuthority: boolean) {
  return query(`SELECT COUNT(*) AS total ${matching(parts, hasAuthority)}`, { total: integer() });
}

export function rowsMatching(parts: number, hasAuthority: boolean) {
  const [limit, offset] = [1, 2].map((behind) => `$` + String(FILTERS + parts + behind));
  return query(
    `SELECT part, id, snapshot, retrieved_at, licence, source_url, body, sha256 ${matching(parts, hasAuthority)}
    ORDER BY sort_at DESC, id LIMIT ${limit} OFFSET ${offset}`,
    {
      part: text(),
      id: text(),
      snapshot: text(),
      retrieved_at: as('retrievedAtMs', integer()),
      licence: text(),
      source_url: as('sourceUrl', text()),
      body: as('item', json<Item>()),
      sha256: text(),
    },
  );
}

export const SEALS = DATASET_SEAL.select('WHERE name IN (...)');
export const ONE_SEAL = DATASET_SEAL.select('WHERE name = $1');
export const LAST_DAY_SEAL = query(
  `SELECT MAX(name) AS name FROM dataset_seal WHERE name >= 'day 2' AND name < 'day 3'`,
  { name: nullable(text()) },
);
