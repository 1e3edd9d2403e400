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
  shortBazaarExtension,
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

const EXAMPLE = {
  query: { b: 'two', must: 'yes', z: 'last' },
  querySchema: {
    type: 'object' as const,
    properties: {
      a: { type: 'string', description: 'long' },
      b: { type: 'string', pattern: '^.*$' },
      must: { type: 'string' },
      many: { anyOf: [] },
      z: { type: 'integer' },
    },
    required: ['must'],
  },
  output: { kind: 'sold', result: { much: true } },
};

test('the short form names what is required, then what the example shows, with types alone', () => {
  const parametersOf = (most: number) => {
    const { info, schema } = shortBazaarExtension(EXAMPLE, most) as unknown as {
      info: { input: { queryParams: object } };
      schema: { properties: { input: { properties: { queryParams: { properties: object } } } } };
    };
    return [info.input.queryParams, schema.properties.input.properties.queryParams.properties];
  };
  assert.deepEqual(parametersOf(0), [{ must: 'yes' }, { must: { type: 'string' } }]);
  assert.deepEqual(parametersOf(2), [
    { b: 'two', must: 'yes', z: 'last' },
    { must: { type: 'string' }, b: { type: 'string' }, z: { type: 'integer' } },
  ]);
  assert.deepEqual(parametersOf(9)[1], {
    must: { type: 'string' },
    b: { type: 'string' },
    z: { type: 'integer' },
    a: { type: 'string' },
    many: {},
  });
  const { info } = shortBazaarExtension(EXAMPLE, 0);
  assert.deepEqual(info['output'], { type: 'json', example: { kind: 'sold' } });
});

test('an echo of any form is one of the shortest', () => {
  const advertised = { [BAZAAR]: shortBazaarExtension(EXAMPLE, 0) };
  const forms = [bazaarExtension(EXAMPLE), ...[0, 1, 2, 9].map((most) => shortBazaarExtension(EXAMPLE, most))];
  for (const form of forms) {
    assert.equal(echoesFaithfully({ ...PAYLOAD, extensions: { [BAZAAR]: form } }, advertised), true);
  }
});

test('without an example or parameters the short form is still one', () => {
  for (const output of [{}, null, 'text', undefined]) {
    const short = shortBazaarExtension({ query: {}, querySchema: { type: 'object' }, output }, 6);
    assert.deepEqual(bazaar.validateDiscoveryExtension(short as never), { valid: true });
    assert.deepEqual(bazaar.validateDiscoveryExtensionSpec({ ...short }), { valid: true });
  }
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
