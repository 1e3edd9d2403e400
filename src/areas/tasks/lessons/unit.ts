import { HOUR_MS } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Row, Unit } from '#platform/storage/store.ts';
import { areAlike, termsOf } from './terms.ts';

const LESSONS_PER_HOUR = 10;
const MAX_SIMILAR = 5;

export interface Lesson {
  readonly id: string;
  /** Who left it: an agent by its key, a name, or the address of the day. */
  readonly who: string;
  readonly text: string;
  readonly addressTag: string;
  readonly key: string | null;
  /** What else was said, kept as it came. */
  readonly about: Readonly<Record<string, string | null>>;
}

interface Kept {
  readonly id: string;
  readonly who: string;
  readonly sha256: string;
  /** The first lesson that says nearly the same. */
  readonly theme: string;
  readonly terms: readonly string[];
  readonly termCount: number;
  readonly addressTag: string;
  readonly atMs: number;
  readonly key: string | null;
  readonly body: string;
}

interface Similar {
  readonly lessonId: string;
  readonly count: number;
}

export type LessonResult =
  | {
      readonly type: 'recorded' | 'repeated';
      readonly id: string;
      readonly atMs: number;
      readonly similar: readonly Similar[];
    }
  | { readonly type: 'exceeded'; readonly retryAfterMs: number };

interface State {
  readonly lessons: VersionedMap<string, Kept>;
  readonly counts: VersionedMap<string, Similar>;
  readonly bySame: VersionedMap<string, { readonly id: string }>;
  readonly byTerm: VersionedMap<string, { readonly ids: readonly string[] }>;
}

const LESSON = 'id, who, sha256, theme, terms, addr, at, body';
const SAME = `SELECT ${LESSON} FROM lesson WHERE who IN (...)`;
const FROM_ADDRESS = `SELECT ${LESSON} FROM lesson WHERE addr IN (...)`;
const OF_TERMS = `SELECT ${LESSON} FROM lesson WHERE id IN (SELECT lesson_id FROM lesson_term WHERE term IN (...)
  GROUP BY lesson_id ORDER BY COUNT(*) DESC, lesson_id LIMIT 100)`;
const TERMS = 'SELECT term, lesson_id FROM lesson_term WHERE term IN (...)';
const THEMES = `SELECT theme, COUNT(*) AS lessons FROM lesson WHERE theme IN (SELECT theme FROM lesson WHERE id IN
  (SELECT lesson_id FROM lesson_term WHERE term IN (...) GROUP BY lesson_id ORDER BY COUNT(*) DESC, lesson_id LIMIT 100))
  GROUP BY theme`;
const LESSON_INSERT = `INSERT INTO lesson (${LESSON}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
const TERM_INSERT = 'INSERT INTO lesson_term (term, lesson_id) VALUES ($1, $2)';

/** Records lessons; the same text of the same agent is one lesson. */
export const lessonUnit: Unit<[Lesson, LessonResult], State> = {
  name: 'lessons',
  reads(commands) {
    const list = (of: (lesson: Lesson) => readonly string[]) => [...new Set(commands.flatMap(of))];
    const terms = list(({ text }) => termsOf(text));
    return [
      { sql: SAME, list: list(({ who }) => [who]) },
      { sql: FROM_ADDRESS, list: list(({ addressTag }) => [addressTag]) },
      { sql: OF_TERMS, list: terms },
      { sql: TERMS, list: terms },
      { sql: THEMES, list: terms },
    ];
  },
  load([same = [], near = [], alike = [], terms = [], themes = []]) {
    const rows = [...same, ...near, ...alike];
    const byTerm = Map.groupBy(terms, (row) => row['term'] as string);
    return {
      lessons: VersionedMap.of(rows.map((row) => [row['id'] as string, keptOf(row)] as const)),
      bySame: VersionedMap.of(
        same.map(
          (row) => [sameKey(row['who'] as string, row['sha256'] as string), { id: row['id'] as string }] as const,
        ),
      ),
      byTerm: VersionedMap.of(
        [...byTerm].map(([term, list]) => [term, { ids: list.map((row) => row['lesson_id'] as string) }] as const),
      ),
      counts: VersionedMap.of(
        themes.map((row) => {
          const lessonId = row['theme'] as string;
          return [lessonId, { lessonId, count: row['lessons'] as number }] as const;
        }),
      ),
    };
  },
  decide(state, nowMs, _next, lesson) {
    const sha256 = sha256Hex(lesson.text);
    const terms = termsOf(lesson.text);
    const alike = alikeOf(state, lesson, terms);
    const known = state.lessons.get(state.bySame.get(sameKey(lesson.who, sha256))?.id ?? '');
    const similar = similarOf(
      state,
      alike.filter(({ id }) => id !== known?.id),
    );
    if (known !== undefined) return { state, result: { type: 'repeated', id: known.id, atMs: known.atMs, similar } };
    const recent = state.lessons
      .values()
      .filter((one) => one.addressTag === lesson.addressTag && one.atMs > nowMs - HOUR_MS);
    if (recent.length >= LESSONS_PER_HOUR) {
      const oldestMs = Math.min(...recent.map(({ atMs }) => atMs));
      return { state, result: { type: 'exceeded', retryAfterMs: oldestMs + HOUR_MS - nowMs } };
    }
    const { id, who, addressTag, key, about, text } = lesson;
    const theme = alike[0]?.theme ?? id;
    const body = JSON.stringify({ text, key, ...about });
    const kept = { id, who, sha256, theme, terms, termCount: terms.length, addressTag, atMs: nowMs, key, body };
    const after = {
      lessons: state.lessons.with(id, kept),
      bySame: state.bySame.with(sameKey(who, sha256), { id }),
      byTerm: terms.reduce((map, term) => map.with(term, { ids: [...(map.get(term)?.ids ?? []), id] }), state.byTerm),
      counts: state.counts.with(theme, { lessonId: theme, count: (state.counts.get(theme)?.count ?? 0) + 1 }),
    };
    return { state: after, result: { type: 'recorded', id, atMs: nowMs, similar } };
  },
  writes(before, after) {
    const made = [...after.lessons.changesSince(before.lessons).keys()].map((id) => after.lessons.get(id) as Kept);
    return [
      {
        sql: LESSON_INSERT,
        rows: made.map(({ id, who, sha256, theme, termCount, addressTag, atMs, body }) => [
          ...[id, who, sha256, theme, termCount, addressTag, atMs, body],
        ]),
      },
      { sql: TERM_INSERT, rows: made.flatMap(({ id, terms }) => terms.map((term) => [term, id])) },
    ];
  },
};

function sameKey(who: string, sha256: string): string {
  return `${who} ${sha256}`;
}

/** The lessons that say nearly the same, the nearest first. */
function alikeOf(state: State, { key }: Lesson, terms: readonly string[]): Kept[] {
  const shared = new Map<string, number>();
  for (const term of terms) {
    for (const id of state.byTerm.get(term)?.ids ?? []) shared.set(id, (shared.get(id) ?? 0) + 1);
  }
  const nearest = [...shared].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return nearest.flatMap(([id, count]) => {
    const other = state.lessons.get(id);
    const isAlike =
      other !== undefined && areAlike(count, [terms.length, other.termCount], key !== null && key === other.key);
    return isAlike ? [other] : [];
  });
}

function similarOf(state: State, alike: readonly Kept[]): Similar[] {
  const themes = [...new Set(alike.map(({ theme }) => theme))].slice(0, MAX_SIMILAR);
  return themes.map((theme) => state.counts.get(theme) ?? { lessonId: theme, count: 1 });
}

function keptOf(row: Row): Kept {
  const body = row['body'] as string;
  return {
    id: row['id'] as string,
    who: row['who'] as string,
    sha256: row['sha256'] as string,
    theme: row['theme'] as string,
    terms: [],
    termCount: row['terms'] as number,
    addressTag: row['addr'] as string,
    atMs: row['at'] as number,
    key: (JSON.parse(body) as { key: string | null }).key,
    body,
  };
}
