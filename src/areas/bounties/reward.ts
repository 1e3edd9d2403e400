import { cleanText } from '#kernel/foreign-text.ts';

export interface Reward {
  readonly amount: number;
  readonly currency: 'USD' | 'EUR' | 'GBP';
}

/** Labels are cut before they are read, so that every pattern below runs on a bounded text. */
const MAX_LABEL = 100;
/** What is above it is a joke or a mistake, and would leave the range in which cents are exact. */
const MAX_AMOUNT = 1_000_000_000;

const NUMBER = String.raw`(?<whole>\d{1,3}(?:[,. ]\d{3}){1,4}|\d{1,12})(?:[.,](?<part>\d{1,2}))?(?![.,]?\d)(?<scale>[kmb](?![\p{L}\d]))?`;
const SIGN_BEFORE = new RegExp(
  String.raw`(?<![\p{L}\d])(?<sign>US\$|[$€£]|USDC?|EUR|GBP) ?${NUMBER}(?![\p{L}\d])`,
  'giu',
);
const CODE_BEHIND = new RegExp(String.raw`(?<![\p{L}\d.,])${NUMBER} ?(?<sign>USDC?|EUR|GBP)(?![\p{L}\d])`, 'giu');

const CURRENCIES: Readonly<Record<string, Reward['currency']>> = {
  US$: 'USD',
  $: 'USD',
  USD: 'USD',
  USDC: 'USD',
  '€': 'EUR',
  EUR: 'EUR',
  '£': 'GBP',
  GBP: 'GBP',
};
const SCALES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 };

/** The reward that labels state: dollars before other money, then the highest. Nothing but labels counts. */
export function statedReward(labels: readonly string[]): Reward | null {
  const stated = labels.flatMap((label) => amountsIn(shortened(label)));
  const byWorth = stated.toSorted(
    (a, b) => Number(b.currency === 'USD') - Number(a.currency === 'USD') || b.amount - a.amount,
  );
  return byWorth[0] ?? null;
}

const REWARDED = /^(?:💰 ?)?rewarded$|bounty[ :-]{0,3}(?:paid|awarded|rewarded|claimed)(?![\p{L}\d])/iu;

export function isRewarded(labels: readonly string[]): boolean {
  return labels.some((label) => REWARDED.test(shortened(label)));
}

export function isBounty(labels: readonly string[]): boolean {
  return labels.some((label) => /bounty/i.test(shortened(label)));
}

function shortened(label: string): string {
  return cleanText(label.slice(0, MAX_LABEL)); // attacker-controlled
}

function amountsIn(label: string): Reward[] {
  return [...label.matchAll(SIGN_BEFORE), ...label.matchAll(CODE_BEHIND)].flatMap(({ groups = {} }) => {
    const { whole = '', part = '', scale = '', sign = '' } = groups;
    const currency = CURRENCIES[sign.toUpperCase()];
    const amount = Number(`${whole.replace(/[,. ]/g, '')}.${part || '0'}`) * (SCALES[scale.toLowerCase()] ?? 1);
    const cents = Math.round(amount * 100);
    return currency === undefined || cents === 0 || amount > MAX_AMOUNT ? [] : [{ amount: cents / 100, currency }];
  });
}
