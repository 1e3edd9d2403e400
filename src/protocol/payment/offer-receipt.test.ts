import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as official from '@x402/extensions/offer-receipt';
import { ed25519Sign } from '../ed25519.ts';
import { REQUIRED, VECTOR_KEY } from './_payment-vectors.ts';
import { signJws, verifyJws } from './jws.ts';
import { offersExtension, paidExtension } from './offer-receipt.ts';

const publicKey = Buffer.from(VECTOR_KEY.publicKey, 'base64');
const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') };
const offer = { resourceUrl: 'http://127.0.0.1:8080/v1/eu-vat-check', nowSeconds: 1_800_000_000, sandbox: true };
const decoded = (jws: string, part: 0 | 1) => Buffer.from(jws.split('.')[part] as string, 'base64url').toString();

test('an offer binds price, payee and resource for five minutes and verifies with the official code', async () => {
  const { info, schema } = offersExtension([REQUIRED], offer, VECTOR_KEY);
  const [signed] = info.offers;
  assert.ok(signed !== undefined && official.isJWSSignedOffer(signed));
  assert.equal(signed.acceptIndex, 0);
  const payload = await official.verifyOfferSignatureJWS(signed, jwk);
  const { scheme, network, amount, asset, payTo } = REQUIRED;
  const bound = { version: 1, resourceUrl: offer.resourceUrl, scheme, network, amount, asset, payTo };
  assert.deepEqual(payload, { ...bound, validUntil: offer.nowSeconds + 300, sandbox: true });
  assert.deepEqual(schema.required, ['offers']);
});

test('header and payload of an offer stand in sorted order', () => {
  const jws = offersExtension([REQUIRED], offer, VECTOR_KEY).info.offers[0]?.signature as string;
  assert.equal(decoded(jws, 0), `{"alg":"EdDSA","kid":"${VECTOR_KEY.kid}"}`);
  const names = Object.keys(JSON.parse(decoded(jws, 1)));
  assert.deepEqual(names, names.toSorted());
});

test('an offer outside the sandbox says nothing of a sandbox', () => {
  const jws = offersExtension([REQUIRED], { ...offer, sandbox: false }, VECTOR_KEY).info.offers[0]?.signature as string;
  assert.equal('sandbox' in JSON.parse(decoded(jws, 1)), false);
});

test('the receipt of a payment names its transaction and verifies with the official code', async () => {
  const paid = { ...offer, network: REQUIRED.network, payer: REQUIRED.payTo, transaction: `0x${'ab'.repeat(32)}` };
  const { receipt } = paidExtension(paid, VECTOR_KEY).info;
  assert.ok(official.isJWSSignedReceipt(receipt));
  const payload = await official.verifyReceiptSignatureJWS(receipt, jwk);
  const { network, payer, transaction, resourceUrl, nowSeconds: issuedAt } = paid;
  assert.deepEqual(payload, { version: 1, network, payer, transaction, resourceUrl, issuedAt, sandbox: true });
});

test('our reader takes what we sign and nothing that was changed', () => {
  const jws = signJws({ b: 1, a: 'x' }, VECTOR_KEY);
  assert.deepEqual(verifyJws(jws, publicKey), { a: 'x', b: 1 });
  const [header, payload, signature] = jws.split('.') as [string, string, string];
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const other = Buffer.from('{"a":"y"}').toString('base64url');
  const wrong = [
    `${none}.${payload}.${signature}`,
    `${header}.${other}.${signature}`,
    `${header}.${payload}.`,
    '',
    'x',
  ];
  for (const text of wrong) assert.equal(verifyJws(text, publicKey), undefined);
  assert.equal(verifyJws(jws, new Uint8Array(32)), undefined);
  const signed = ed25519Sign(VECTOR_KEY.privateKey, Buffer.from(`${none}.${payload}`));
  const otherAlgorithm = `${none}.${payload}.${Buffer.from(signed).toString('base64url')}`;
  assert.equal(verifyJws(otherAlgorithm, publicKey), undefined, 'an algorithm that the header does not name');
});
