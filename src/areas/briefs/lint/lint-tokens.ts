import type { ReadLine } from './lint-text.ts';

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
}

const CURRENCY =
  'usd|usdc|usdt|eur|euros?|gbp|dollars?|pounds?|dai|eth|ether|btc|sats?|sol|xmr|matic|algo|near|xlm|inr|cad|aud|chf';
const NO_MORE = '(?![\\p{L}\\p{N}_])';
const KINDS = ['money', 'day', 'n', 'code', 'mention'] as const;
/** Words first, since most tokens are; then one group for each kind. */
const TOKEN = new RegExp(
  [
    "[\\p{L}_][\\p{L}\\p{M}\\p{N}_]*(?:['’]\\p{L}+)*",
    `([$€£¥₹] ?\\d(?:[.,]?\\d){0,14}[km]?${NO_MORE}|\\d(?:[.,]?\\d){0,14}k? ?(?:${CURRENCY})${NO_MORE})`,
    '(\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[/.-]\\d{1,2}[/.-]\\d{4})',
    `(\\d{1,15}(?:[.,]\\d{1,15})?${NO_MORE})`,
    '(`[^`]{1,200}`)',
    '(@[a-z0-9][a-z0-9_/-]{0,60})',
    '[\\p{N}][\\p{L}\\p{N}_]*',
  ].join('|'),
  'gu',
);
const BREAK = /[!?;|]|[.…](?=[\s*_)]|$)/;

export function tokensOf(lines: readonly ReadLine[]): LintToken[] {
  const tokens: LintToken[] = [];
  for (const line of lines) addTokens(tokens, line);
  return tokens;
}

function addTokens(tokens: LintToken[], { from, words, labelEnd, continues }: ReadLine): void {
  let end = 0;
  let isFirst = !continues;
  let labelAt = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(words); match !== null; match = TOKEN.exec(words)) {
    const { index } = match;
    const isPlainGap = index === end + 1 && words[end] === ' ';
    isFirst ||= !isPlainGap && BREAK.test(words.slice(end, index));
    isFirst ||= end > 0 && end <= labelEnd && index >= labelEnd;
    end = index + match[0].length;
    labelAt = end <= labelEnd ? labelAt : -1;
    tokens.push({ word: wordOf(match), from: from + index, to: from + end, labelAt, isFirst });
    if (labelAt !== -1) labelAt += 1;
    isFirst = false;
  }
}

function wordOf(match: RegExpExecArray): string {
  for (let group = 1; group <= KINDS.length; group += 1) {
    if (match[group] !== undefined) return `<${KINDS[group - 1]}>`;
  }
  return match[0].includes('’') ? match[0].replaceAll('’', "'") : match[0];
}
