import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as official from '@x402/core/http';
import { PAYLOAD, REQUIRED } from './_payment-vectors.ts';
import {
  decodeChallengeHeader,
  decodePaymentHeader,
  decodeSettleHeader,
  encodeHeader,
  MAX_PAYMENT_HEADER_CHARS,
} from './header.ts';
import type { PaymentRequired, SettleResponse } from './wire.ts';

const CHALLENGE: PaymentRequired = {
  x402Version: 2,
  error: 'Payment required',
  resource: { url: 'http://127.0.0.1:8080/v1/eu-vat-check?vat_number=NL1', serviceName: 'Avouch', tags: ['vat'] },
  accepts: [REQUIRED],
};
const SETTLED: SettleResponse = {
  success: true,
  payer: PAYLOAD.payload.authorization.from,
  transaction: `0x${'ab'.repeat(32)}`,
  network: 'eip155:8453',
  extra: { nonce: PAYLOAD.payload.authorization.nonce, logIndex: 3 },
};

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

test('the official code reads our headers and we read its', () => {
  assert.deepEqual(official.decodePaymentRequiredHeader(encodeHeader(CHALLENGE)), CHALLENGE);
  assert.deepEqual(official.decodePaymentSignatureHeader(encodeHeader(PAYLOAD)), PAYLOAD);
  assert.deepEqual(official.decodePaymentResponseHeader(encodeHeader(SETTLED)), SETTLED);
  assert.deepEqual(decodeChallengeHeader(official.encodePaymentRequiredHeader(CHALLENGE as never)), CHALLENGE);
  assert.deepEqual(decodePaymentHeader(official.encodePaymentSignatureHeader(PAYLOAD as never)), PAYLOAD);
  assert.deepEqual(decodeSettleHeader(official.encodePaymentResponseHeader(SETTLED as never)), SETTLED);
});

const { payload } = PAYLOAD;
const authorizedWith = (change: object) => ({
  ...PAYLOAD,
  payload: { ...payload, authorization: { ...payload.authorization, ...change } },
});
const MALFORMED: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['no base64', '{"x402Version":2}'],
  ['base64 for addresses', Buffer.from('{"a":"??>>"}').toString('base64url')],
  ['no JSON', Buffer.from('x402').toString('base64')],
  ['bytes that are no text', Buffer.from([0x7b, 0xff, 0x7d]).toString('base64')],
  ['a list', encoded([PAYLOAD])],
  ['version 1', encoded({ ...PAYLOAD, x402Version: 1 })],
  ['no accepted entry', encoded({ ...PAYLOAD, accepted: undefined })],
  ['no signature', encoded({ ...PAYLOAD, payload: { ...payload, signature: undefined } })],
  ['a signature that is no hex', encoded({ ...PAYLOAD, payload: { ...payload, signature: '0xzz' } })],
  ...['-1', '1.5', '0x10', '1e3', '', '00', '9'.repeat(79), 2000].map(
    (value) => [`the value ${JSON.stringify(value)}`, encoded(authorizedWith({ value }))] as const,
  ),
  ...(['value', 'validAfter', 'validBefore'] as const).map(
    (name) => [`a ${name} that no uint256 holds`, encoded(authorizedWith({ [name]: String(2n ** 256n) }))] as const,
  ),
  ...['0x12', `0x${'0'.repeat(41)}`, 'vitalik.eth'].map(
    (from) => [`the payer ${from}`, encoded(authorizedWith({ from }))] as const,
  ),
];

for (const [name, text] of MALFORMED) {
  test(`a payment header with ${name} is no payment`, () => assert.equal(decodePaymentHeader(text), undefined));
}

test('a payment header holds every uint256', () => {
  const validBefore = String(2n ** 256n - 1n);
  const decoded = decodePaymentHeader(encoded(authorizedWith({ validBefore })));
  assert.equal(decoded?.payload.authorization.validBefore, validBefore);
});

test('a header is read up to its longest length and not beyond', () => {
  const padded = (length: number) => encodeHeader({ ...PAYLOAD, resource: { note: 'x'.repeat(length) } });
  const room = Math.floor((MAX_PAYMENT_HEADER_CHARS * 3) / 4) - Buffer.from(padded(0), 'base64').length;
  assert.ok(decodePaymentHeader(padded(room)) !== undefined);
  assert.equal(decodePaymentHeader(padded(room + 3)), undefined);
});

test('a settle answer without success, or with a text in its place, is none', () => {
  assert.equal(decodeSettleHeader(encoded({ ...SETTLED, success: 'true' })), undefined);
  assert.equal(decodeSettleHeader(encoded({ transaction: '', network: '' })), undefined);
});
