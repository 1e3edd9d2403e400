// The unmodified buyer of @x402/fetch against a challenge of ours, up to the header that it pays with.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { REQUIRED, VECTOR_KEY, VECTORS } from './_payment-vectors.ts';
import { domainSeparator, transferDigest } from './authorization-digest.ts';
import {
  BAZAAR,
  bazaarExtension,
  echoesFaithfully,
  PAYMENT_IDENTIFIER,
  PAYMENT_IDENTIFIER_EXTENSION,
} from './extension.ts';
import { decodePaymentHeader, encodeHeader } from './header.ts';
import type { Hex } from './hex.ts';
import { OFFER_RECEIPT, offersExtension } from './offer-receipt.ts';
import { chooseRecoverEngine } from './recover-engine.ts';
import { parseEcdsaSignature, recoverSigner } from './signature.ts';
import { authorizationOf, staticRefusal } from './static-checks.ts';
import type { PaymentPayload, PaymentRequired } from './wire.ts';

const URL_PAID = 'http://127.0.0.1:8080/v1/eu-vat-check?vat_number=NL123456789B01';
const nowSeconds = Math.floor(Date.now() / 1000);
const advertised = {
  [PAYMENT_IDENTIFIER]: PAYMENT_IDENTIFIER_EXTENSION,
  [OFFER_RECEIPT]: offersExtension([REQUIRED], { resourceUrl: URL_PAID, nowSeconds, sandbox: true }, VECTOR_KEY),
  [BAZAAR]: bazaarExtension({
    query: { vat_number: 'NL123456789B01' },
    querySchema: { type: 'object', properties: { vat_number: { type: 'string' } } },
    output: { valid: true },
  }),
};

/** What the buyer sends when it is asked by this challenge. */
async function paymentFor(
  extensions: PaymentRequired['extensions'],
): Promise<{ payload: PaymentPayload; chars: number }> {
  const challenge: PaymentRequired = {
    x402Version: 2,
    resource: { url: URL_PAID, mimeType: 'application/json' },
    accepts: [REQUIRED],
    ...(extensions !== undefined && { extensions }),
  };
  const sent: string[] = [];
  const service: typeof fetch = async (input, init) => {
    const header = new Request(input, init).headers.get('PAYMENT-SIGNATURE');
    if (header === null)
      return new Response('{}', { status: 402, headers: { 'PAYMENT-REQUIRED': encodeHeader(challenge) } });
    sent.push(header);
    return new Response('{}', { status: 200 });
  };
  const account = privateKeyToAccount(VECTORS.authorization.private_key);
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(account));
  const answer = await wrapFetchWithPayment(service, client)(URL_PAID);
  assert.equal(answer.status, 200);
  const payload = decodePaymentHeader(sent[0] as string);
  assert.ok(payload !== undefined, 'the header of the official client is read');
  return { payload, chars: (sent[0] as string).length };
}

for (const [name, extensions] of [
  ['all extensions', advertised],
  ['no extension', undefined],
] as const) {
  test(`a payment of the official client with ${name} passes every check and is signed by its payer`, async () => {
    const { payload, chars } = await paymentFor(extensions);
    assert.equal(staticRefusal(payload, REQUIRED, BigInt(Math.floor(Date.now() / 1000))), undefined);
    assert.equal(echoesFaithfully(payload, advertised), true);
    const { name: tokenName, version } = REQUIRED.extra as { name: string; version: string };
    const domain = { name: tokenName, version, chainId: 8453, verifyingContract: REQUIRED.asset as Hex };
    const signature = parseEcdsaSignature(payload.payload.signature);
    assert.ok(signature !== undefined);
    const digest = transferDigest(domainSeparator(domain), authorizationOf(payload));
    const signer = recoverSigner(await chooseRecoverEngine(), digest, signature);
    assert.equal(signer, payload.payload.authorization.from.toLowerCase());
    assert.ok(chars < 8192, `${chars} characters pass a proxy with 8 KiB of headers`);
  });
}
