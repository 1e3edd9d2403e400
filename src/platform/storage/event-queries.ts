import { as, integer, json, query, table, text } from './table.ts';

const EVENT = table(
  'event',
  { rev: integer(), key: text(), type: text(), at: as('atMs', integer()), body: text() },
  { key: ['rev'] },
);

/** The numbers of the spans, 1,024 revisions each, by which events are indexed before their keys. */
const spans = (first: string, last: string) =>
  `WITH RECURSIVE span (no) AS (SELECT ${first} UNION ALL SELECT no + 1 FROM span WHERE no < ${last}) SELECT no FROM span`;

/** The newest event of a key in the newest two spans; where they have none, the last revision before them. */
export const HEAD_AND_KEY = query(
  `SELECT rev, at, COALESCE(
    (SELECT rev FROM event WHERE rev / 1024 = head.rev / 1024 AND key = $1 ORDER BY rev DESC LIMIT 1),
    (SELECT rev FROM event WHERE rev / 1024 = head.rev / 1024 - 1 AND key = $1 ORDER BY rev DESC LIMIT 1),
    (head.rev / 1024 - 1) * 1024 - 1
  ) AS same_since FROM head WHERE id = 1`,
  { rev: integer(), at: as('atMs', integer()), same_since: as('sameSince', integer()) },
);
export const OLDEST_EVENT = query('SELECT rev FROM event ORDER BY rev LIMIT 1', { rev: integer() });
export const EVENTS_SINCE = EVENT.select('WHERE rev > $1 ORDER BY rev LIMIT $2');
/** Of a key, after one revision and up to another. */
export const EVENTS_OF_KEY = EVENT.select(
  `WHERE rev / 1024 IN (${spans('CAST($2 AS BIGINT) / 1024', 'CAST($3 AS BIGINT) / 1024')})
  AND key = $1 AND rev + 0 > $2 AND rev + 0 <= $3 ORDER BY rev / 1024, rev LIMIT $4`,
);
export const EVENTS_OF_KEYS = query(
  `SELECT rev, key, body FROM event WHERE rev / 1024 IN (${spans(
    '(SELECT MIN(rev) FROM event) / 1024',
    '(SELECT rev FROM head WHERE id = 1) / 1024',
  )}) AND key IN (...)`,
  { rev: integer(), key: text(), body: json<{ fence?: unknown; log?: unknown }>() },
);
