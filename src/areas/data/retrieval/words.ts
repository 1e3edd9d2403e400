import { folded } from '../sources/source.ts';

const MAX_CHARACTERS = 400;

/** Words that say how something is asked, not what: English, Dutch, German. */
const STOP_WORDS = new Set(
  `a an and any are as at be been but by can could did do does for from get give had has have how i if in into is it its
  long make many may me much my need no not of on one or other our please say shall should so some take tell than that the
  their them then there these they thing this those to use used using was we were what when where whether which while who
  whom whose why will with would you your happens happen mean means work works am us about between after before during
  aan al als ben bij dan dat de deze die dit doen doet door een en er gaat geen had heb hebben heeft het hoe hoelang hoeveel
  ik in is kan kun kunnen je jij jullie kom krijg lang vaak maar mag me meer met mij mijn moet moeten naar niet nog nou of om onder ons
  onze ook op over te tot tussen u uit uw van via voor waar waarom wanneer was wat we wel welk welke werd werkt wie wij wil
  word worden wordt ze zich zij zijn zo zonder zou gebeurt betekent
  aber auf auch aus bei bin bis das dem den der des die ein eine einem einen einer es für hat ich ihr im ist kann man mein
  mit nach nicht oder sich sie sind um und unser von war was welche wenn wer wie wird wir wo zu zum zur`.split(/\s+/),
);

/** The words of a text as the index has them: lower case, no accents. */
export function wordsOf(text: string): string[] {
  return folded(text).match(/[\p{L}\p{N}]{2,}/gu) ?? [];
}

/** A word of a question, and whether it is written as a name. */
export interface AskedWord {
  readonly word: string;
  readonly isName: boolean;
}

/** The words of a question in their order; a capital inside a sentence makes a name. */
export function askedWords(question: string): AskedWord[] {
  const text = question.slice(0, MAX_CHARACTERS);
  const isShouted = !/\p{Ll}/u.test(text);
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].flatMap(({ 0: raw, index }) => {
    const isFirst = /(?:^|[.?!:])[\s"'(]{0,4}$/.test(text.slice(Math.max(0, index - 5), index)) || index === 0;
    const isName = !isShouted && !isFirst && /^\p{Lu}/u.test(raw);
    return wordsOf(raw).map((word) => ({ word, isName }));
  });
}

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

const ENDINGS = [
  'ations',
  'ation',
  'ings',
  'ing',
  'ies',
  'ied',
  'edly',
  'ed',
  'es',
  'en',
  'er',
  'ers',
  's',
  'e',
  'y',
  'd',
  't',
];

/** Words of one stem are taken for the same: crude, and the same for English and Dutch. */
export function stemOf(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  const ending = ENDINGS.find((end) => word.endsWith(end) && word.length - end.length >= 3);
  const stem = ending === undefined ? word : word.slice(0, -ending.length);
  return stem.length > 3 && stem.at(-1) === stem.at(-2) ? stem.slice(0, -1) : stem;
}
