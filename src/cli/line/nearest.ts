import { editDistance } from '#kernel/edit-distance.ts';

/** The known word that was probably meant; undefined where none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  return allNear(word, known)[0];
}

/** Known words that may have been meant, the nearest first. */
export function allNear(word: string, known: readonly string[], share = 3): string[] {
  const given = word.toLowerCase();
  const most = Math.max(1, Math.floor(given.length / share));
  const ranked = known.map((one) => ({ one, away: distance(given, one.toLowerCase(), most) }));
  const near = ranked.filter(({ away }) => away <= most).toSorted((a, b) => a.away - b.away);
  return near.map(({ one }) => one);
}

/** A word that was begun or is part of a longer one counts as one mistake. */
function distance(given: string, known: string, most: number): number {
  if (given.length >= 3 && known.includes(given)) return 1;
  return editDistance(given, known, most);
}

/** The question after a word that is not known; empty where no word is near. */
export function didYouMean(word: string, known: readonly string[], shown = (one: string) => one): string {
  const meant = nearest(word, known);
  return meant === undefined ? '' : ` Did you mean ${shown(meant)}?`;
}
