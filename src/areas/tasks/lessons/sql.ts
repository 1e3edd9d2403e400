import { appendedTable, as, integer, json, query, text } from '#platform/storage/table.ts';

/** What was said, beside it what else was said of it. */
export type LessonBody = Readonly<Record<string, string | null>> & {
  readonly text: string;
  readonly key: string | null;
};

export const LESSON = appendedTable('lesson', {
  id: text(),
  who: text(),
  sha256: text(),
  theme: text(),
  terms: as('termCount', integer()),
  addr: as('addressTag', text()),
  at: as('atMs', integer()),
  body: json<LessonBody>(),
});
export const TERM = appendedTable('lesson_term', { term: text(), lesson_id: as('lessonId', text()) });
export const DIGEST = appendedTable('lesson_digest', {
  sha256: text(),
  at: as('atMs', integer()),
  attestation_id: as('attestationId', text()),
  body: text(),
});

const NEAREST_OF_TERMS = `SELECT lesson_id FROM lesson_term WHERE term IN (...)
  GROUP BY lesson_id ORDER BY COUNT(*) DESC, lesson_id LIMIT 100`;
export const LESSONS_OF_AUTHORS = LESSON.select('WHERE who IN (...)');
export const LESSONS_FROM_ADDRESSES = LESSON.select('WHERE addr IN (...)');
export const LESSONS_OF_TERMS = LESSON.select(`WHERE id IN (${NEAREST_OF_TERMS})`);
export const TERMS = TERM.select('WHERE term IN (...)');
export const THEMES_OF_TERMS = query(
  `SELECT theme, COUNT(*) AS lessons FROM lesson WHERE theme IN (SELECT theme FROM lesson WHERE id IN
  (${NEAREST_OF_TERMS})) GROUP BY theme`,
  { theme: as('lessonId', text()), lessons: as('count', integer()) },
);
export const LESSONS_SINCE = query(
  'SELECT id, at, body FROM lesson WHERE at >= $1 ORDER BY at DESC, id DESC LIMIT $2',
  { id: text(), at: as('atMs', integer()), body: json<LessonBody>() },
);

const MAX_THEMES = 50;
const MAX_EXAMPLES = 3;
export const THEMES = query(
  `SELECT theme, COUNT(*) AS lessons, MIN(at) AS first_at, MAX(at) AS last_at FROM lesson
  GROUP BY theme HAVING COUNT(*) > 1 ORDER BY COUNT(*) DESC, theme LIMIT ${MAX_THEMES}`,
  {
    theme: text(),
    lessons: integer(),
    first_at: as('firstAtMs', integer()),
    last_at: as('lastAtMs', integer()),
  },
);
export const EXAMPLES = query(`SELECT body FROM lesson WHERE theme = $1 ORDER BY at, id LIMIT ${MAX_EXAMPLES}`, {
  body: json<LessonBody>(),
});
export const DIGESTS_OF_HASHES = query('SELECT sha256 FROM lesson_digest WHERE sha256 IN (...)', { sha256: text() });
export const NEWEST_DIGEST = query(
  'SELECT sha256, at, attestation_id FROM lesson_digest ORDER BY at DESC, sha256 LIMIT 1',
  { sha256: text(), at: as('atMs', integer()), attestation_id: as('attestationId', text()) },
);
export const BODY_OF_DIGEST = query('SELECT body FROM lesson_digest WHERE sha256 = $1', {
  body: json<{ readonly themes: unknown }>(),
});
