import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as bazaar from '@x402/extensions/bazaar';
import * as identifier from '@x402/extensions/payment-identifier';
import { PAYLOAD, REQUIRED, VECTOR_KEY } from './_payment-vectors.ts';
import {
  BAZAAR,
  bazaarExtension,
  echoesFaithfully,
  PAYMENT_IDENTIFIER,
  PAYMENT_IDENTIFIER_EXTENSION,
  paymentIdOf,
} from './extension.ts';
import { OFFER_RECEIPT, offersExtension } from './offer-receipt.ts';

const discovery = bazaarExtension({
  query: { vat_number: 'NL123456789B01' },
  querySchema: { type: 'object', properties: { vat_number: { type: 'string' } }, required: ['vat_number'] },
  output: { valid: true },
});
const offers = (nowSeconds: number) =>
  offersExtension([REQUIRED], { resourceUrl: 'http://a/', nowSeconds, sandbox: true }, VECTOR_KEY);
const ADVERTISED = {
  [PAYMENT_IDENTIFIER]: PAYMENT_IDENTIFIER_EXTENSION,
  [OFFER_RECEIPT]: offers(1),
  [BAZAAR]: discovery,
};
const echo = (extensions: Record<string, unknown> | undefined) =>
  echoesFaithfully({ ...PAYLOAD, ...(extensions !== undefined && { extensions }) }, ADVERTISED);

test('the extensions are those of the official packages', () => {
  assert.deepEqual(PAYMENT_IDENTIFIER_EXTENSION, identifier.declarePaymentIdentifierExtension(false));
  assert.equal(identifier.PAYMENT_IDENTIFIER, PAYMENT_IDENTIFIER);
  assert.equal(bazaar.BAZAAR.key, BAZAAR);
  assert.equal(bazaar.validateDiscoveryExtension(discovery as never).valid, true);
});

test('a client may echo everything, some or nothing, and may add members', () => {
  const withId = { info: { ...PAYMENT_IDENTIFIER_EXTENSION.info, id: 'pay_0123456789abcdef' } };
  const good = [
    undefined,
    {},
    { ...ADVERTISED },
    { [PAYMENT_IDENTIFIER]: withId },
    { [OFFER_RECEIPT]: offers(2) },
    { [OFFER_RECEIPT]: { info: {} } },
    { unknown: 1 },
    { [BAZAAR]: { info: { ...discovery.info, more: true } } },
  ];
  for (const extensions of good) assert.equal(echo(extensions), true, JSON.stringify(extensions));
});

test('a changed or missing advertised member is an unfaithful echo', () => {
  const bad = [
    { [PAYMENT_IDENTIFIER]: { info: { required: true } } },
    { [PAYMENT_IDENTIFIER]: { info: {} } },
    { [PAYMENT_IDENTIFIER]: null },
    { [PAYMENT_IDENTIFIER]: { info: null } },
    { [BAZAAR]: { info: { input: discovery.info.input } } },
    { [BAZAAR]: { info: { ...discovery.info, output: { type: 'json', example: { valid: false } } } } },
  ];
  for (const extensions of bad) assert.equal(echo(extensions), false, JSON.stringify(extensions));
});

test('the id that the official client appends is read, and another form is told apart', () => {
  const extensions: Record<string, unknown> = { [PAYMENT_IDENTIFIER]: structuredClone(PAYMENT_IDENTIFIER_EXTENSION) };
  const id = identifier.generatePaymentId();
  identifier.appendPaymentIdentifierToExtensions(extensions, id);
  assert.equal(paymentIdOf({ ...PAYLOAD, extensions }), id);
  assert.equal(paymentIdOf(PAYLOAD), undefined);
  for (const wrong of ['short', 'x'.repeat(129), 'with space 0123456', 7, null]) {
    const spoilt = { [PAYMENT_IDENTIFIER]: { info: { required: false, id: wrong } } };
    assert.equal(paymentIdOf({ ...PAYLOAD, extensions: spoilt }), null);
  }
});
