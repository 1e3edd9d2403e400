import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUTHORIZATION, PAYLOAD, REQUIRED } from './_payment-vectors.ts';
import { isPaymentReason, PAYMENT_REASONS, type PaymentReason } from './reason.ts';
import { authorizationOf, signaturePath, staticRefusal } from './static-checks.ts';
import type { PaymentPayload, PaymentRequirements } from './wire.ts';

const NOW = 1_800_000_000n;
type Authorization = PaymentPayload['payload']['authorization'];

const withAccepted = (change: Partial<PaymentRequirements>): PaymentPayload => ({
  ...PAYLOAD,
  accepted: { ...REQUIRED, ...change },
});
const withAuthorization = (change: Partial<Authorization>): PaymentPayload => ({
  ...PAYLOAD,
  payload: { ...PAYLOAD.payload, authorization: { ...PAYLOAD.payload.authorization, ...change } },
});
const seconds = (after: bigint) => String(NOW + after);

const CASES: readonly (readonly [string, PaymentPayload, PaymentReason | undefined])[] = [
  ['a payment as asked', PAYLOAD, undefined],
  ['addresses in other case', withAccepted({ asset: REQUIRED.asset.toLowerCase() }), undefined],
  ['members that the client adds under extra', withAccepted({ extra: { ...REQUIRED.extra, more: 1 } }), undefined],
  ['another scheme', withAccepted({ scheme: 'upto' }), 'invalid_payment_requirements'],
  ['another network', withAccepted({ network: 'eip155:1' }), 'invalid_payment_requirements'],
  ['another asset', withAccepted({ asset: REQUIRED.payTo }), 'invalid_payment_requirements'],
  ['another payee accepted', withAccepted({ payTo: REQUIRED.asset }), 'invalid_payment_requirements'],
  ['another amount accepted', withAccepted({ amount: '1999' }), 'invalid_payment_requirements'],
  ['another token name', withAccepted({ extra: { name: 'USD Coin', version: '2' } }), 'invalid_payment_requirements'],
  ['another token version', withAccepted({ extra: { name: 'Sandbox USDC' } }), 'invalid_payment_requirements'],
  ['another payee', withAuthorization({ to: AUTHORIZATION.from }), 'invalid_exact_evm_recipient_mismatch'],
  ['less', withAuthorization({ value: '1999' }), 'invalid_exact_evm_payload_authorization_value_mismatch'],
  ['more', withAuthorization({ value: '2001' }), 'invalid_exact_evm_payload_authorization_value_mismatch'],
  ['six seconds left', withAuthorization({ validBefore: seconds(6n) }), undefined],
  [
    'five seconds left',
    withAuthorization({ validBefore: seconds(5n) }),
    'invalid_exact_evm_payload_authorization_valid_before',
  ],
  ['valid from now', withAuthorization({ validAfter: seconds(0n) }), undefined],
  [
    'valid from the next second',
    withAuthorization({ validAfter: seconds(1n) }),
    'invalid_exact_evm_payload_authorization_valid_after',
  ],
];

for (const [name, payload, reason] of CASES) {
  test(`${name}: ${reason ?? 'no refusal'}`, () => assert.equal(staticRefusal(payload, REQUIRED, NOW), reason));
}

test('of several faults the first in order is named', () => {
  const payload = withAuthorization({ to: AUTHORIZATION.from, value: '1', validBefore: '0' });
  assert.equal(staticRefusal(payload, REQUIRED, NOW), 'invalid_exact_evm_recipient_mismatch');
});

test('a signature of 65 bytes takes the fast path, any other the slow one', () => {
  assert.equal(signaturePath(PAYLOAD), 'fast');
  for (const signature of ['0x00', PAYLOAD.payload.signature.slice(0, 130), `0x${'ab'.repeat(96)}`] as const) {
    const payload = { ...PAYLOAD, payload: { ...PAYLOAD.payload, signature: signature as `0x${string}` } };
    assert.equal(signaturePath(payload), 'slow');
  }
});

test('the authorization of a payload is the one that is hashed', () => {
  assert.deepEqual(authorizationOf(PAYLOAD), AUTHORIZATION);
});

test('a reason is one of the known words', () => {
  assert.equal(new Set(PAYMENT_REASONS).size, 35);
  assert.equal(isPaymentReason('invalid_payload'), true);
  assert.equal(isPaymentReason('toString'), false);
});
