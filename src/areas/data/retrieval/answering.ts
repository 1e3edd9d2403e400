import { type Rated, confidenceIn } from './confidence.ts';
import { type FoundPassage, coverageOf, trustIn } from './corpus.ts';
import { asksTwice, codesIn, fitOf, isAside, wantedOf } from './kinds.ts';
import { statementsOf } from './statements.ts';
import { type Term, weightOf } from './terms.ts';

/** What speaks for a statement, each share from 0 to 1 times its weight; fitted to labelled questions. */
const WEIGHTS = {
  /** Of the question: in the statement, its title or its text; in the statement alone; in the title. */
  told: 6.5,
  own: 4.8,
  title: 3.3,
  /** How well its text was found. */
  text: 4.4,
  /** Whether it has the kind of thing that is asked for. */
  fit: 3.6,
  /** A code of the question, written as it is. */
  code: 6.2,
  /** For each doubling of its words. */
  long: -0.6,
};
const SOURCES: Readonly<Record<string, number>> = { docs: 0.5, operations: -0.5, protocols: -2.7 };
/** What a word counts in the title above a statement, and elsewhere in its text. */
const IN_TITLE = 0.8;
const ELSEWHERE = 0.1;
/** A word for a kind of thing counts so much where the thing is there. */
const MEASURED = 0.7;
/** Texts whose statements are looked at. */
const TEXTS = 18;
const QUOTES = 3;
/** A statement this much worse than the best is not quoted beside it. */
const NEAR_BEST = 3;
const FEW_WORDS = 4;

interface Draft {
  readonly quotes: readonly Rated[];
  readonly confidence: number;
}

/** The statements of the best texts, best first, none of them twice in the same words. */
function rateStatements(question: string, found: readonly FoundPassage[], terms: readonly Term[]): Rated[] {
  const wanted = wantedOf(question);
  const codes = codesIn(question);
  const whole = weightOf(terms) || 1;
  const best = found[0]?.score ?? 1;
  const rated = found.slice(0, TEXTS).flatMap((one) => {
    const { title, all } = one.words;
    const beside = terms.map((term) => Math.max(IN_TITLE * trustIn(term, title), ELSEWHERE * trustIn(term, all)));
    const text =
      WEIGHTS.title * coverageOf(terms, title) + (WEIGHTS.text * one.score) / best + (SOURCES[one.passage.source] ?? 0);
    return statementsOf(one.passage)
      .filter((statement) => !isAside(question, statement.text))
      .map((statement): Rated => {
        const fit = fitOf(wanted, statement.text);
        let [told, own] = [0, 0];
        for (const [index, term] of terms.entries()) {
          const measured = term.isMeasure && fit === 1 ? MEASURED : 0;
          const here = Math.max(measured, trustIn(term, statement.words));
          told += (term.weight * Math.max(here, beside[index] ?? 0)) / whole;
          own += (term.weight * here) / whole;
        }
        const named = codes.filter((code) => statement.text.includes(code)).length;
        const rate =
          text +
          WEIGHTS.told * told +
          WEIGHTS.own * own +
          WEIGHTS.fit * fit +
          WEIGHTS.code * named +
          WEIGHTS.long * Math.log2(Math.max(FEW_WORDS, statement.words.size));
        return { found: one, statement, told, own, fit, rate };
      });
  });
  const quoted = new Set<string>();
  return rated
    .toSorted((a, b) => b.rate - a.rate)
    .filter(({ statement: { quote } }) => !quoted.has(quote) && quoted.add(quote));
}

/** The quotes that answer best and how likely they do; none for two questions in one. */
export function draftAnswer(question: string, found: readonly FoundPassage[], terms: readonly Term[]): Draft {
  const rated = asksTwice(question) ? [] : rateStatements(question, found, terms);
  const least = (rated[0]?.rate ?? 0) - NEAR_BEST;
  const quotes = rated.slice(0, QUOTES).filter(({ rate }) => rate >= least);
  return { quotes, confidence: confidenceIn(question, quotes, rated, terms) };
}
