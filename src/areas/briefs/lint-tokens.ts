import type { ReadLine } from './lint-text.ts';

/** A word, or something that counts as one: an amount, a day, a number, a name with @, code in a line. */
export interface Token {
  /** The word, or its kind in angle brackets. */
  readonly word: string;
  readonly from: number;
  readonly to: number;
  /** True inside a heading or label. */
  readonly isLabel: boolean;
  /** True when a sentence, line or item begins here. */
  readonly isFirst: boolean;
}

const CURRENCY =
  'usd|usdc|usdt|eur|euros?|gbp|dollars?|pounds?|dai|eth|ether|btc|sats?|sol|xmr|matic|algo|near|xlm|inr|cad|aud|chf';
const TOKEN = new RegExp(
  [
    '(?<code>`[^`]{1,200}`)',
    `(?<money>[$€£¥₹] ?\\d[\\d.,]{0,14}[km]?(?![\\p{L}\\p{N}])|\\d[\\d.,]{0,14}k? ?(?:${CURRENCY})(?![\\p{L}\\p{N}])|(?:us|ca|au)\\$ ?\\d[\\d.,]{0,14}k?)`,
    '(?<day>\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[/.-]\\d{1,2}[/.-]\\d{4})',
    '(?<number>\\d+(?:[.,]\\d+)?(?![\\p{L}\\p{N}_]))',
    '(?<mention>(?<![\\p{L}\\p{N}])@[a-z0-9][a-z0-9_/-]{0,60})',
    "[\\p{L}\\p{N}_]+(?:['’][\\p{L}]+)*",
  ].join('|'),
  'gu',
);
const BREAK = /[!?;|]|[.…](?=[\s*_)]|$)/;
const KINDS = ['code', 'money', 'day', 'number', 'mention'] as const;

export function tokensOf(lines: readonly ReadLine[]): Token[] {
  return lines.flatMap(({ from, words, labelEnd, continues }) => {
    let end = 0;
    let isFirst = !continues;
    return Array.from(words.matchAll(TOKEN), (match): Token => {
      isFirst ||= BREAK.test(words.slice(end, match.index)) || (end > 0 && end <= labelEnd && match.index >= labelEnd);
      const kind = KINDS.find((name) => match.groups?.[name] !== undefined);
      end = match.index + match[0].length;
      const token = {
        word: kind === undefined ? match[0].replaceAll('’', "'") : `<${kind}>`,
        from: from + match.index,
        to: from + end,
        isLabel: end <= labelEnd,
        isFirst,
      };
      isFirst = false;
      return token;
    });
  });
}
