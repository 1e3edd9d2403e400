import { matchNames, type NameMatch } from './name-score.ts';
import { parseNames } from './parsed-name.ts';

const NO_MATCH: NameMatch = { score: 0, words: [], unmatchedQuery: [], unmatchedListed: [] };

/** Compares two names as they are written; of several names in one text the best pair counts. */
export function matchPair(left: string, right: string): NameMatch {
  let best = NO_MATCH;
  const listed = parseNames(right);
  for (const query of parseNames(left)) {
    for (const name of listed) {
      const match = matchNames(query, name);
      if (match.score > best.score) best = match;
    }
  }
  return best;
}
