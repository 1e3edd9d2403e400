import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { REQUIRED, VECTORS } from '#protocol/payment/_payment-vectors.ts';
import { payingKey } from '#protocol/payment/account.ts';
import { decodePaymentHeader, encodeHeader } from '#protocol/payment/header.ts';
import { staticRefusal } from '#protocol/payment/static-checks.ts';
import type { PaymentRequirements } from '#protocol/payment/wire.ts';
import { ownPayer } from './own-payer.ts';

const NOW_S = 1_800_000_000;
const key = payingKey(VECTORS.authorization.private_key);
const payer = (maxPrice: string) => ownPayer({ key, maxPrice, clock: new ManualClock(NOW_S * 1000) });

function challenge(change: Partial<PaymentRequirements> = {}): string {
  const accepts = [{ ...REQUIRED, ...change }];
  return encodeHeader({ x402Version: 2, resource: { url: 'http://127.0.0.1/v1/eu-vat-check' }, accepts });
}

test('a price up to the limit is paid, by a payment that the service takes', async () => {
  const answer = await payer('0.002').pay(challenge());
  assert.ok('headers' in answer, JSON.stringify(answer));
  const payload = decodePaymentHeader(answer.headers['PAYMENT-SIGNATURE'] as string);
  assert.ok(payload !== undefined);
  assert.equal(staticRefusal(payload, REQUIRED, BigInt(NOW_S)), undefined);
});

for (const [what, header, says] of [
  ['costs more', challenge({ amount: '2001' }), /above maxPrice/],
  ['asks for another token', challenge({ asset: key.address }), /a token that is not known/],
  ['is paid otherwise', challenge({ scheme: 'upto' }), /the form of the price is not known/],
  ['is no challenge', 'e30=', /the form of the price is not known/],
] as const) {
  test(`what ${what} is not paid`, async () => {
    const answer = await payer('0.002').pay(header);
    assert.match('notPaid' in answer ? answer.notPaid : '', says);
  });
}

test('a limit that is no amount is refused at once', () => assert.throws(() => payer('much'), TypeError));
