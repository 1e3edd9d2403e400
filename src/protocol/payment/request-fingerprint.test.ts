import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VECTORS } from './_payment-vectors.ts';
import { fingerprintQuery, requestFingerprint } from './request-fingerprint.ts';

const { request, request_sha256 } = VECTORS.receipt;

test('the fingerprint of the vector is reproduced', () => {
  assert.equal(requestFingerprint(request), request_sha256);
});

test('the order of parameters does not matter, their values do', () => {
  const of = (text: string) => requestFingerprint({ ...request, query: fingerprintQuery(new URLSearchParams(text)) });
  assert.equal(of('a=1&b=2'), of('b=2&a=1'));
  assert.notEqual(of('a=1&b=2'), of('a=2&b=1'));
  assert.notEqual(of('a=1'), of('a=1&a=1'), 'a name that is given twice is another request');
  assert.notEqual(of('a=1&a=2'), of('a=2&a=1'));
  assert.notEqual(of('a='), of(''));
});

test('method, path and body are bound', () => {
  const others = [
    { ...request, method: 'POST' },
    { ...request, path: '/v1/uk-company-check' },
    { ...request, bodySha256: '00' },
  ];
  for (const other of others) assert.notEqual(requestFingerprint(other), request_sha256);
});

test('a parameter with the name of a language feature is a parameter', () => {
  const query = fingerprintQuery([['__proto__', 'x']]);
  assert.deepEqual(Object.keys(query), ['__proto__']);
  assert.notEqual(requestFingerprint({ ...request, query }), requestFingerprint({ ...request, query: {} }));
});
