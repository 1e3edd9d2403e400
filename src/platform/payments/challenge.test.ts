import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReceiptKey } from '#protocol/payment/receipt.ts';
import { baseUrl, receiptKey, sold, terms } from '../../../test/support/sold.ts';
import { Challenger, type Challenge } from './challenge.ts';

const MINUTE = 1_800_000_000;

function challenger(key: () => ReceiptKey = receiptKey): Challenger {
  return new Challenger({ terms, baseUrl, receiptKey: key, operation: sold as never, serviceName: 'Test' });
}

function validUntil({ whole }: Challenge): number {
  const extension = whole.extensions?.['offer-receipt'] as { info: { offers: { signature: string }[] } } | undefined;
  const [, payload = ''] = (extension?.info.offers[0]?.signature ?? '').split('.');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { validUntil: number }).validUntil;
}

test('who asks again within a minute gets the same offer, and it is good for five minutes from any second of it', () => {
  const asked = challenger();
  const first = asked.challenge('/v1/sold?a=1', 'x', MINUTE);
  assert.equal(asked.challenge('/v1/sold?a=1', 'x', MINUTE + 59), first);
  assert.equal(validUntil(first), MINUTE + 60 + 300);
});

test('the next minute has an offer of its own, and so has every address and every reason', () => {
  const asked = challenger();
  const first = asked.challenge('/v1/sold?a=1', 'x', MINUTE);
  assert.equal(validUntil(asked.challenge('/v1/sold?a=1', 'x', MINUTE + 60)), MINUTE + 120 + 300);
  const other = asked.challenge('/v1/sold?a=2', 'x', MINUTE);
  assert.notEqual(other.whole.resource.url, first.whole.resource.url);
  assert.equal(asked.challenge('/v1/sold?a=1', 'y', MINUTE).whole.error, 'y');
});

test('an offer that a key signed is not handed out after another key has taken its place', () => {
  let key = receiptKey();
  const asked = challenger(() => key);
  const first = asked.challenge('/v1/sold', 'x', MINUTE);
  key = { ...key, kid: `${key.kid}-2` };
  const second = asked.challenge('/v1/sold', 'x', MINUTE);
  assert.notEqual(second.header, first.header);
});
