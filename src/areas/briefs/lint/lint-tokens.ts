import type { ReadLine } from './lint-text.ts';
import { NO_NAMES, OPENS_CLAUSE } from './signals/words.ts';
import { ENGLISH } from './verbs.ts';

/** A word, or something that counts as one: an amount, a day, a number, a name with @, code in a line. */
export interface LintToken {
  /** The word, or its kind in angle brackets. */
  readonly word: string;
  readonly from: number;
  readonly to: number;
  /** Its place in a heading or label, from 0; -1 outside. */
  readonly labelAt: number;
  /** True when a sentence, line or item begins here. */
  readonly isFirst: boolean;
  /** True when a part of a sentence begins here: after a comma, a bracket, `and` or `please`. */
  readonly isClause: boolean;
  /** True for a word with a capital that can be a name. */
  readonly isName: boolean;
  /** True inside a heading that is no title: it asks or names, and says nothing itself. */
  readonly isHeading: boolean;
  /** True in an item of a list. */
  readonly isItem: boolean;
  /** Which sentence it belongs to, as an index of `sentences`. */
  readonly sentence: number;
}

export interface Sentence {
  /** The first token of it and the one behind its last. */
  readonly from: number;
  to: number;
  isQuestion: boolean;
  /** Which sets of words it was looked through for, and whether it has one of them. */
  readonly holds: Map<ReadonlySet<string>, boolean>;
}

export interface Tokens {
  readonly tokens: readonly LintToken[];
  readonly sentences: readonly Sentence[];
}

const CURRENCY =
  'usd|usdc|usdt|eur|euros?|gbp|dollars?|pounds?|bucks|quid|dai|eth|ether|btc|sats?|sol|xmr|matic|algo|near|xlm|inr|cad|aud|chf|nzd|sgd|sek|nok|dkk|pln|zar|jpy|brl|cents?';
const CODE = 'usdc?|eur|gbp|chf|cad|aud|inr|sek|nok|dkk|pln';
const SIGN = `(?:(?:nz|us|au|ca|a|c|r|hk|s)?[$€£¥₹]|(?:${CODE})(?= ?\\d))`;
const AMOUNT = '\\d(?:[.,]?\\d){0,14}(?: \\d{3}(?!\\d)){0,3}';
const NO_MORE = '(?![\\p{L}\\p{N}_])';
const KINDS = ['money', 'day', 'n', 'code', 'mention', 'cmp', 'arrow', 'is'] as const;
/** Money with a sign in letters first, then words, since most tokens are; one group for each kind. */
const TOKEN = new RegExp(
  [
    `(?!(?:nz|us|au|ca|a|c|r|hk|s)\\$|(?:${CODE}) ?\\d)` +
      "[\\p{L}_][\\p{L}\\p{M}\\p{N}_]{0,200}(?:['’]\\p{L}{1,50}){0,5}",
    `(${SIGN} ?${AMOUNT}[km]?${NO_MORE}|\\d(?:[.,]?\\d){0,14}(?: \\d{3}(?!\\d)){0,3}k? ?(?:(?:${CURRENCY})${NO_MORE}|[$€£](?!\\d)))`,
    '(\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[/.-]\\d{1,2}[/.-]\\d{4})',
    `(\\d{1,15}(?:[.,]\\d{1,15})?${NO_MORE})`,
    '(`[^`]{1,200}`)',
    '(@[a-z0-9][a-z0-9_/-]{0,60})',
    '([≥≤]|[<>]=|(?<= )<(?= ?\\d))',
    '(→|(?<= )[-=]>(?= ))',
    '((?<= )={1,2}(?= ))',
    '[\\p{N}][\\p{L}\\p{N}_]{0,200}',
  ].join('|'),
  'gu',
);
/** Code that names a part of a program: a call, a path, `a.b`, `aB`, `a_b`; no number, flag, sentence or data. */
const REFERENCE =
  /^`(?!-|https?:|\d|\/(?:attempt|claim|bounty|tip))(?=[^`]{0,200}(?:\(\)|[a-z]\.[a-z]|\/[\w.]|::|_))[\w$@.:/\\#()*-]{3,120}`$/;
/** A Dutch word for a part of a product: `klantenscherm`; a page of the web is a product itself. */
const SCREEN = /^(?!web|landings)\p{L}{3,40}(?:pagina|scherm|formulier|tabblad|venster|balk|menu)$/u;
const [SHORTEST_SCREEN, LONGEST_SCREEN] = [7, 40] as const;
const BREAK = /[!?;|]|[.…][\s*_)"”]/;
const PAUSE = /[,:()–—→=>"]| - /;

/** The words of all lines and the sentences that they make. */
export function tokensOf(text: string, lines: readonly ReadLine[]): Tokens {
  const tokens: LintToken[] = [];
  const sentences: Sentence[] = [];
  for (const line of lines) addTokens(text, line, tokens, sentences);
  return { tokens, sentences };
}

function addTokens(text: string, line: ReadLine, tokens: LintToken[], sentences: Sentence[]): void {
  const { words, labelEnd, isHeading, isItem } = line;
  let sentence = sentences.at(-1);
  let before = tokens.at(-1)?.word ?? '';
  let end = 0;
  let isFirst = !line.continues || sentence === undefined;
  let labelAt = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(words); match !== null; match = TOKEN.exec(words)) {
    const { index } = match;
    let isPause = false;
    if (index !== end + 1 || words[end] !== ' ') {
      const gap = words.slice(end, index);
      if (sentence !== undefined && end > 0 && gap.includes('?')) sentence.isQuestion = true;
      isFirst ||= BREAK.test(gap) && !(gap === '. ' && isInitial(words, end));
      isPause = PAUSE.test(gap);
    }
    isFirst ||= end > 0 && end <= labelEnd && index >= labelEnd;
    end = index + match[0].length;
    labelAt = end <= labelEnd ? labelAt : -1;
    if (isFirst || sentence === undefined) {
      sentence = { from: tokens.length, to: tokens.length, isQuestion: false, holds: new Map() };
      sentences.push(sentence);
    }
    const word = wordOf(match);
    const from = line.from + index;
    tokens.push({
      word,
      from,
      to: line.from + end,
      labelAt,
      isFirst,
      isClause: isFirst || isPause || OPENS_CLAUSE.has(before),
      isName: text[from] !== words[index] && word.length > 1 && !NO_NAMES.has(word) && !(isFirst && ENGLISH.has(word)),
      isHeading,
      isItem,
      sentence: sentences.length - 1,
    });
    sentence.to = tokens.length;
    before = word;
    if (labelAt !== -1) labelAt += 1;
    isFirst = false;
  }
  if (sentence !== undefined && words.includes('?', end)) sentence.isQuestion = true;
}

/** True behind one letter: the dot of `e.g.` ends no sentence. */
function isInitial(words: string, end: number): boolean {
  return /(?:^|[\s.(])\p{L}$/u.test(words.slice(Math.max(0, end - 2), end));
}

function wordOf(match: RegExpExecArray): string {
  if (match[4] !== undefined && REFERENCE.test(match[0])) return '<ref>';
  for (let group = 1; group <= KINDS.length; group += 1) {
    if (match[group] !== undefined) return match[0] === '0' ? '0' : `<${KINDS[group - 1]}>`;
  }
  const { length } = match[0];
  if (length >= SHORTEST_SCREEN && length <= LONGEST_SCREEN && SCREEN.test(match[0])) return '<screen>';
  return match[0].includes('’') ? match[0].replaceAll('’', "'") : match[0];
}
