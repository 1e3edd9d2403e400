import { maskOf, type Mask, meets } from './masks.ts';
import type { Term } from './reading.ts';
import { termsOf } from './terms.ts';

/** A part of a sentence that says one thing. */
export interface Clause {
  /** Of its first term and behind its last one, in the terms of the sentence. */
  readonly from: number;
  readonly to: number;
  readonly isQuoted: boolean;
  /** A colon stands behind it. */
  readonly isAnnouncing: boolean;
  readonly isAsking: boolean;
}

export interface Sentence {
  readonly terms: readonly Term[];
  readonly clauses: readonly Clause[];
  /** All classes of its terms. */
  readonly mask: Mask;
}

/** Signs of tables and code part as sentences do. */
const SENTENCE_END = /[.!?;…](?=\s|$|["”»)])|[¿¡\n|{}<>=]/u;
const CLAUSE_END = /[^\s'’/_&-]|\s-\s/u;
const NUMBER_SIGN = /\d[.,]\d/u;
const QUOTE = /["“”„«»]/gu;
const BUT = maskOf('but');

const SPACE = 32;

/** The sentences of a text, each with its clauses. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let terms: Term[] = [];
  let clauses: Clause[] = [];
  let from = 0;
  let isQuoted = false;
  const closeClause = (between: string) => {
    if (terms.length === from) return;
    const isAnnouncing = between.includes(':');
    clauses.push({ from, to: terms.length, isQuoted, isAnnouncing, isAsking: between.includes('?') });
    from = terms.length;
  };
  const closeSentence = () => {
    if (terms.length > 0) sentences.push(sentence(terms, clauses));
    terms = [];
    clauses = [];
    from = 0;
  };
  let end = 0;
  for (const term of termsOf(text)) {
    // Nearly always one space stands between two terms.
    if ((term.start - end !== 1 || text.charCodeAt(end) !== SPACE) && !isWithin(text, end, term.start)) {
      const between = text.slice(end, term.start);
      const endsSentence = SENTENCE_END.test(between);
      if (endsSentence || CLAUSE_END.test(between)) closeClause(between);
      for (const _ of between.matchAll(QUOTE)) isQuoted = !isQuoted;
      if (endsSentence) closeSentence();
    }
    if (meets(term.mask, BUT)) closeClause('');
    terms.push(term);
    end = term.end;
  }
  closeClause(text.slice(end));
  closeSentence();
  return sentences;
}

/** A sign within a number, or the last dot of an abbreviation such as C.E.O. */
function isWithin(text: string, end: number, next: number): boolean {
  if (next - end === 1) return NUMBER_SIGN.test(text.slice(end - 1, end + 2));
  return next - end === 2 && text[end] === '.' && text[end - 2] === '.';
}

/** A quotation has this many words, and the sentence around it too; less is a word in quotes. */
const MIN_QUOTED = 3;

function sentence(terms: readonly Term[], parts: readonly Clause[]): Sentence {
  const words = (some: readonly Term[]) => some.reduce((sum, { count }) => sum + count, 0);
  const quoted = parts.reduce((sum, { from, to, isQuoted }) => sum + (isQuoted ? words(terms.slice(from, to)) : 0), 0);
  const isQuotation = quoted >= MIN_QUOTED && words(terms) - quoted >= MIN_QUOTED;
  const clauses = isQuotation || quoted === 0 ? parts : parts.map((clause) => ({ ...clause, isQuoted: false }));
  let low = 0;
  let high = 0;
  for (const { mask } of terms) {
    low |= mask.low;
    high |= mask.high;
  }
  return { terms, clauses, mask: { low, high } };
}
