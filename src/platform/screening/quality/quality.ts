import type { ListedEntity, SanctionsList } from '../fsf-list.ts';
import { SCREEN_THRESHOLD } from '../name-score.ts';
import { screen, screeningList } from '../screening-list.ts';
import * as common from './common-names.ts';
import { inArabic, inCyrillic, mangled } from './name-changes.ts';

/** A name that must find the entity that it was made from. */
export interface ListedQuery {
  readonly text: string;
  readonly id: string;
  readonly kind: string;
}

interface RecallFigure {
  readonly set: string;
  /** Entities that the queries were made from. */
  readonly entities: number;
  /** Different queries; where the list has no name for the set there are none. */
  readonly queries: number;
  readonly recall: number | null;
}

interface FalseHitFigure {
  readonly set: string;
  readonly queries: number;
  readonly falseHits: number;
}

export interface Quality {
  readonly recall: readonly RecallFigure[];
  readonly falseHits: readonly FalseHitFigure[];
}

interface ChangedNames {
  /** Whether people would write the name like this at all. */
  readonly suits: (name: string) => boolean;
  readonly change: (name: string, dice: common.Dice) => { readonly text: string; readonly kind: string };
}

const ARABIC_NAME =
  /\b(?:mu?o?hamm?[ae]d|ahm[ae]d|abd\w*|ali|hass?an|huss?[ae][iy]n|khal[ie]d|ibrahim|omar|umar|yusuf|salih|saleh|al|bin|abu)\b/i;
const RUSSIAN_NAME = /(?:ov|ev|ova|eva|sky|skiy|skii|enko|vich|yn|in)\b/i;
const MAX_ARABIC_WORDS = 5;

/** What is done to listed names. */
export const LISTED_SETS: Readonly<Record<string, ChangedNames>> = {
  mangled: {
    suits: () => true,
    change: mangled,
  },
  cyrillic: {
    suits: (name) => RUSSIAN_NAME.test(name) && !/\d/.test(name),
    change: (name) => ({ text: inCyrillic(name), kind: 'cyrillic' }),
  },
  arabic: {
    suits: (name) => ARABIC_NAME.test(name) && !/\d/.test(name) && name.split(' ').length <= MAX_ARABIC_WORDS,
    change: (name, dice) => ({ text: inArabic(name, dice), kind: 'arabic' }),
  },
};

/** Common names of people who are not meant. */
export const INNOCENT_SETS: Readonly<Record<string, (dice: common.Dice) => string>> = {
  us: (dice) => common.innocent(common.US, dice),
  global_latin: (dice) => common.innocent(dice.of(common.GLOBAL), dice),
  arabic: (dice) => common.innocent(common.ARABIC_INNOCENT, dice),
  cyrillic: (dice) => common.innocent(common.CYRILLIC_INNOCENT, dice),
  greek: (dice) => common.innocent(common.GREEK_INNOCENT, dice),
  hebrew: (dice) => common.innocent(common.HEBREW_INNOCENT, dice),
  han: (dice) => common.innocent(common.HAN_INNOCENT, dice, ''),
  hangul: (dice) => common.innocent(common.HANGUL_INNOCENT, dice, ''),
};

/** So many draws in a row that give nothing new: short tables and short lists run out of different names. */
const MAX_IN_VAIN = 500;

/** Up to so many different ones; the same name twice would say nothing new. */
function differing<T>(draw: () => T, keyOf: (drawn: T) => string, count: number): T[] {
  const drawn = new Map<string, T>();
  for (let inVain = 0; drawn.size < count && inVain < MAX_IN_VAIN; ) {
    const one = draw();
    const key = keyOf(one);
    inVain = drawn.has(key) ? inVain + 1 : 0;
    drawn.set(key, one);
  }
  return [...drawn.values()];
}

export function listedQueries(
  entities: readonly ListedEntity[],
  { suits, change }: ChangedNames,
  dice: common.Dice,
  count: number,
): ListedQuery[] {
  const usable = entities
    .map(({ id, names }) => ({
      id,
      names: names.filter(({ isWeak, name }) => !isWeak && name.split(' ').length > 1 && suits(name)),
    }))
    .filter(({ names }) => names.length > 0);
  if (usable.length === 0) return [];
  const draw = () => {
    const { id, names } = dice.of(usable);
    return { ...change(dice.of(names).name, dice), id };
  };
  return differing(draw, ({ id, text }) => `${id} ${text}`, count);
}

export function innocentNames(make: (dice: common.Dice) => string, dice: common.Dice, count: number): string[] {
  return differing(
    () => make(dice),
    (name) => name,
    count,
  );
}

export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;
}

export interface MeasureOptions {
  /** The same seed and list give the same figures. */
  readonly seed: number;
  /** At most so many in each set. */
  readonly queries: number;
}

/** Screens names from a seeded generator against the list, as a call would. */
export function measureQuality(list: SanctionsList, { seed, queries: count }: MeasureOptions): Quality {
  const searched = screeningList(list);
  const dice = new common.Dice(seed);
  const hits = (text: string) => screen(searched, text, SCREEN_THRESHOLD);
  return {
    recall: Object.entries(LISTED_SETS).map(([set, changed]) => {
      const queries = listedQueries(list.entities, changed, dice, count);
      const found = queries.filter(({ text, id }) => hits(text).some(({ entity }) => entity.id === id));
      return {
        set,
        entities: new Set(queries.map(({ id }) => id)).size,
        queries: queries.length,
        recall: queries.length === 0 ? null : shareOf(found.length, queries.length),
      };
    }),
    falseHits: Object.entries(INNOCENT_SETS).map(([set, make]) => {
      const names = innocentNames(make, dice, count);
      const hit = names.filter((name) => hits(name).length > 0);
      return { set, queries: names.length, falseHits: shareOf(hit.length, names.length) };
    }),
  };
}
