import { HOUR_MS } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Unit } from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import * as sql from './sql.ts';
import { areAlike, lessonTerms } from './terms.ts';

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
  readonly termCount: number;
  readonly addressTag: string;
  readonly atMs: number;
  readonly body: sql.LessonBody;
  /** Of one that is new. */
  readonly terms?: readonly string[];
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

function reads(commands: readonly Lesson[]) {
  const terms = new Set(commands.flatMap(({ text }) => lessonTerms(text)));
  return {
    same: listed(sql.LESSONS_OF_AUTHORS, new Set(commands.map(({ who }) => who))),
    near: listed(sql.LESSONS_FROM_ADDRESSES, new Set(commands.map(({ addressTag }) => addressTag))),
    alike: listed(sql.LESSONS_OF_TERMS, terms),
    terms: listed(sql.TERMS, terms),
    themes: listed(sql.THEMES_OF_TERMS, terms),
  };
}

/** Records lessons; the same text of the same agent is one lesson. */
export const lessonUnit: Unit<[Lesson, LessonResult], State, typeof reads> = {
  name: 'lessons',
  reads,
  load({ same, near, alike, terms, themes }) {
    const byTerm = Map.groupBy(terms, ({ term }) => term);
    return {
      lessons: VersionedMap.by<string, Kept>([...same, ...near, ...alike], ({ id }) => id),
      bySame: VersionedMap.of(same.map(({ who, sha256, id }) => [sameKey(who, sha256), { id }] as const)),
      byTerm: VersionedMap.of(
        [...byTerm].map(([term, list]) => [term, { ids: list.map(({ lessonId }) => lessonId) }] as const),
      ),
      counts: VersionedMap.by(themes, ({ lessonId }) => lessonId),
    };
  },
  decide(state, nowMs, _next, lesson) {
    const sha256 = sha256Hex(lesson.text);
    const terms = lessonTerms(lesson.text);
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
    const body = { text, key, ...about };
    const kept = { id, who, sha256, theme, terms, termCount: terms.length, addressTag, atMs: nowMs, body };
    const after = {
      lessons: state.lessons.with(id, kept),
      bySame: state.bySame.with(sameKey(who, sha256), { id }),
      byTerm: terms.reduce((map, term) => map.with(term, { ids: [...(map.get(term)?.ids ?? []), id] }), state.byTerm),
      counts: state.counts.with(theme, { lessonId: theme, count: (state.counts.get(theme)?.count ?? 0) + 1 }),
    };
    return { state: after, result: { type: 'recorded', id, atMs: nowMs, similar } };
  },
  writes(before, after) {
    const made = after.lessons.changedSince(before.lessons);
    return [
      sql.LESSON.insert(made),
      sql.TERM.insert(made.flatMap(({ id, terms = [] }) => terms.map((term) => ({ term, lessonId: id })))),
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
      other !== undefined && areAlike(count, [terms.length, other.termCount], key !== null && key === other.body.key);
    return isAlike ? [other] : [];
  });
}

function similarOf(state: State, alike: readonly Kept[]): Similar[] {
  const themes = [...new Set(alike.map(({ theme }) => theme))].slice(0, MAX_SIMILAR);
  return themes.map((theme) => state.counts.get(theme) ?? { lessonId: theme, count: 1 });
}
