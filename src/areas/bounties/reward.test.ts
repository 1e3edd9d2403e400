import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { isBounty, isRewarded, statedReward } from './reward.ts';

const STATED: readonly (readonly [labels: string[], amount: number | null, currency?: string])[] = [
  [['💎 Bounty', '$500'], 500, 'USD'],
  [['bounty', '$1,500'], 1_500, 'USD'],
  [['Bounty: $2k'], 2_000, 'USD'],
  [['$2.5k'], 2_500, 'USD'],
  [['$1.5K'], 1_500, 'USD'],
  [['$250k'], 250_000, 'USD'],
  [['$3M'], 3_000_000, 'USD'],
  [['$ 1k'], 1_000, 'USD'],
  [['bounty-200 USDC'], 200, 'USD'],
  [['200 USDC'], 200, 'USD'],
  [['1.5k USD'], 1_500, 'USD'],
  [['US$75'], 75, 'USD'],
  [['usd 40'], 40, 'USD'],
  [['IssueHunt Bounty $20.50'], 20.5, 'USD'],
  [['$1,234.56'], 1_234.56, 'USD'],
  [['€50'], 50, 'EUR'],
  [['£1.500'], 1_500, 'GBP'],
  [['💰 Rewarded', '$100'], 100, 'USD'],
  [['$100', '$250'], 250, 'USD'],
  [['€900', '$5'], 5, 'USD'],
  [['$100-$200'], 200, 'USD'],
  [['priority:1000'], null],
  [['good first issue'], null],
  [['$10kb'], null],
  [['C$500'], null],
  [['$0'], null],
  [['$1.2345'], null],
  [['$999999999999'], null],
  [['v2.500 USDX'], null],
  [['bug'], null],
  [[], null],
];

for (const [labels, amount, currency] of STATED) {
  test(`the labels ${JSON.stringify(labels)} state ${amount === null ? 'no reward' : `${amount} ${currency}`}`, () => {
    assert.deepEqual(statedReward(labels), amount === null ? null : { amount, currency });
  });
}

test('only labels that say so mark an issue as rewarded', () => {
  for (const label of ['💰 Rewarded', 'rewarded', 'REWARDED', 'bounty paid', 'Bounty: awarded', 'bounty-claimed']) {
    assert.equal(isRewarded([label]), true, label);
  }
  for (const label of ['🙋 Bounty claim', '💎 Bounty', 'unrewarded', 'rewarded soon', 'bounty payable', '$100']) {
    assert.equal(isRewarded([label]), false, label);
  }
  assert.deepEqual([isBounty(['💎 Bounty']), isBounty(['IssueHunt bounty']), isBounty(['bug'])], [true, true, false]);
});

test('hostile labels are read in bounded time, and never state an amount that is not positive and finite', () => {
  const pieces = fc.constantFrom('$', '1', '000', ',', '.', ' ', 'k', 'USD', '€', '9'.repeat(50), '💎', '\u0300');
  fc.assert(
    fc.property(
      fc.array(
        fc.array(pieces, { maxLength: 400 }).map((parts) => parts.join('')),
        { maxLength: 20 },
      ),
      (labels) => {
        const reward = statedReward(labels);
        return reward === null || (reward.amount > 0 && reward.amount <= 1e9);
      },
    ),
  );
  for (const hostile of ['1,'.repeat(50_000), '$1'.repeat(50_000), '1 '.repeat(50_000), `$${'1'.repeat(100_000)}`]) {
    statedReward([hostile]);
    isRewarded([hostile]);
  }
});
