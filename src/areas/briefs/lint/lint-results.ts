import type { LintToken, Sentence, Tokens } from './lint-tokens.ts';
import { ASKS_FOR, DENIALS, DOES, IS, MEASURES, NO_RESULTS, NO_SUBJECTS, SEEN, TROUBLES } from './signals/results.ts';
import { ENGLISH } from './verbs.ts';

/** Where the verb of such a sentence stands at the latest. */
const LATEST_VERB = 10;
/** How soon a participle follows: `is no longer shown`. */
const SEEN_WITHIN = 4;
const LONGEST_SENTENCE = 40;
const LONGEST_TITLE = 9;

/**
 * A statement in the present tense about what the work will bring: `The list shows at most 20 rows`. Behind an order or a
 * bare title it needs a verb of results; behind a trouble a measure too, since a complaint goes on in the same tense.
 */
export function statedResult({ tokens, sentences }: Tokens): readonly [from: number, to: number] | undefined {
  let isAsked = false;
  let isTrouble = false;
  for (const [at, sentence] of sentences.entries()) {
    const words = tokens.slice(sentence.from, Math.min(sentence.to, sentence.from + LONGEST_SENTENCE));
    const first = words[0] as LintToken;
    const has = (some: ReadonlySet<string>) => words.some(({ word }) => some.has(word));
    const verb = verbOf(words);
    if (isAsked && verb === -1) continue;
    const orders =
      (verb !== 1 && ENGLISH.has(first.word)) || words.some(({ word, isClause }) => isClause && ASKS_FOR.has(word));
    const troubles: boolean = has(TROUBLES) || (!isAsked && has(DENIALS));
    if (!orders && !troubles && verb > 0 && verb < LATEST_VERB && isStatement(sentence, first)) {
      const isMeasured = has(MEASURES) || first.word.endsWith('ing');
      const isSeen = words
        .slice(verb, verb + SEEN_WITHIN)
        .some(({ word }, step) => SEEN.has(word) || (step === 0 && DOES.has(word)));
      if (isSeen && (isAsked || (isTrouble && isMeasured))) return [first.from, (words.at(-1) as LintToken).to];
    }
    isAsked ||= orders || (at === 0 && verb === -1 && !troubles && isTitle(words));
    isTrouble ||= troubles;
  }
  return undefined;
}

/** The place of the first verb that can make a statement of these words; -1 without one. */
function verbOf(words: readonly LintToken[]): number {
  return words.findIndex(({ word }, at) => {
    if (at === 0 || IS.has(word)) return at > 0;
    return DOES.has(word) && !NO_SUBJECTS.has((words[at - 1] as LintToken).word);
  });
}

function isStatement({ isQuestion }: Sentence, { word, labelAt, isHeading }: LintToken): boolean {
  return !isQuestion && labelAt === -1 && !isHeading && !NO_RESULTS.has(word);
}

/** A bare name of what is wanted: `Keyboard shortcut for archiving`; with a participle it tells what happened. */
function isTitle(words: readonly LintToken[]): boolean {
  return words.length > 1 && words.length <= LONGEST_TITLE && !words.some(({ word }) => word.endsWith('ed'));
}
