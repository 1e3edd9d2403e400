import { type FoundPassage, trustIn } from './corpus.ts';
import { wantedOf } from './kinds.ts';
import type { Statement } from './statements.ts';
import { type Term, weightOf } from './terms.ts';

/** A statement of a text that was found, with how well it fits a question. */
export interface Rated {
  readonly found: FoundPassage;
  readonly statement: Statement;
  readonly told: number;
  readonly own: number;
  readonly fit: number;
  readonly rate: number;
}

/** What tells how likely quotes answer: a logistic curve, fitted to labelled questions with and without an answer. */
const CURVE = {
  bias: -8.79,
  /** How much of the question the quotes and what stands above them speak of. */
  told: 2.24,
  /** Share of the quotes in all that could have been quoted. */
  chosen: 4.28,
  /** They have the kind of thing that is asked for, and such a thing was asked for. */
  fit: 2.05,
  wants: 0.65,
  /** Telling words of the question that the quotes or their titles have. */
  solid: 1.87,
  /** The best statements stand on one page. */
  page: 1.25,
  /** All that the question says. */
  length: 2.47,
  /** Words that no text has, names and deeds that the quotes lack. */
  unknown: -1.15,
  names: -1.8,
  deeds: -0.99,
};
/** Words of at least this weight tell what a question is about. */
const SOLID = 2;
const LONG_QUESTION = 30;
const MOST_MISSED = 2;
const BEST = 5;
/** Told on the low side: of answers at 0.9 and above, 97 in 100 are to be right. */
const CAUTION = 0.925;

/** From 0 to 1: how likely the quotes answer the question. */
export function confidenceIn(
  question: string,
  quotes: readonly Rated[],
  rated: readonly Rated[],
  terms: readonly Term[],
): number {
  const [best] = quotes;
  if (best === undefined) return 0;
  const said = new Set(quotes.flatMap(({ statement, found }) => [...statement.words, ...found.words.heading]));
  const missed = terms.filter((term) => trustIn(term, said) === 0);
  const solid = terms.filter(({ isMeasure, weight }) => !isMeasure && weight > SOLID);
  const whole = weightOf(terms);
  const odds = rated.map(({ rate }) => Math.exp(rate - best.rate));
  const page = pageOf(best.found);
  const signs = {
    told: sumOf(quotes.map(({ told }) => told)) / quotes.length,
    chosen: sumOf(odds.slice(0, quotes.length)) / sumOf(odds),
    fit: best.fit,
    wants: wantedOf(question).length > 0 ? 1 : 0,
    solid: solid.length === 0 ? 0 : solid.filter((term) => !missed.includes(term)).length / solid.length,
    page: rated.slice(0, BEST).filter(({ found }) => pageOf(found) === page).length / BEST,
    length: whole / LONG_QUESTION,
    unknown: whole === 0 ? 0 : weightOf(terms.filter(({ words }) => words.size === 0)) / whole,
    names: Math.min(MOST_MISSED, missed.filter(({ isName }) => isName).length),
    deeds: Math.min(MOST_MISSED, missed.filter(({ isDeed }) => isDeed).length),
  };
  const logit =
    CURVE.bias + sumOf(Object.entries(signs).map(([name, sign]) => CURVE[name as keyof typeof signs] * sign));
  return CAUTION / (1 + Math.exp(-logit));
}

/** The page, or the path of the operations, that a text belongs to. */
function pageOf({ passage }: FoundPassage): string {
  return passage.id.split('#', 1)[0] ?? '';
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
