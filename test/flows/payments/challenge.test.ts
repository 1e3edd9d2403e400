import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodePaymentRequiredHeader } from '@x402/core/http';
import { validateDiscoveryExtension, validateDiscoveryExtensionSpec } from '@x402/extensions/bazaar';
import { z } from 'zod';
import { encodeHeader } from '#protocol/payment/header.ts';
import { verifyJws } from '#protocol/payment/jws.ts';
import { PaymentRequired } from '#protocol/payment/wire.ts';
import { OPERATIONS } from '../../../src/areas.ts';
import { type SignOptions, challengeOf } from '../../support/buyer.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { BROWSER } from '../../support/documents.ts';
import { TestService } from '../../support/service.ts';
import { AUDIT, PaidService } from '../../support/paid-service.ts';
import { limitedService, SMALL_BURST } from '../../support/shared-service.ts';

interface InterfaceDocument {
  readonly components: { readonly examples: Readonly<Record<string, { readonly value: Record<string, unknown> }>> };
  readonly paths: Readonly<
    Record<string, { readonly get: { readonly responses: Readonly<Record<string, Response402>> } }>
  >;
}
interface Response402 {
  readonly content: {
    readonly 'application/problem+json': { readonly examples: Readonly<Record<string, { readonly $ref: string }>> };
  };
}

const PAID_ROWS = OPERATIONS.filter(({ price }) => price !== null);
let paid: PaidService;
before(async () => {
  paid = await PaidService.start();
});
after(() => paid[Symbol.asyncDispose]());

test('every paid path answers a bare probe with 402, in a header and a body that agree', async () => {
  assert.equal(PAID_ROWS.length, 9);
  for (const { path, price } of PAID_ROWS) {
    for (const query of ['', '?nonsense=1&nonsense=2', '?vat_number=', '?%FF=%C0']) {
      const answer = await paid.call(`${path}${query}`);
      const body = expectProblem(answer, 402, 'payment_required');
      const { extensions, ...challenge } = challengeOf(answer);
      assert.deepEqual({ ...challenge }, pick(body, Object.keys(challenge)));
      const inBody = body['extensions'] as Record<string, unknown>;
      const { bazaar, ...others } = extensions as { bazaar: { info: object } };
      for (const [name, value] of Object.entries(others)) assert.deepEqual(value, inBody[name]);
      assert.partialDeepStrictEqual(inBody['bazaar'], { info: bazaar.info }, 'the header says less, nothing else');
      assert.deepEqual(Object.keys(inBody).toSorted(), ['bazaar', 'offer-receipt', 'payment-identifier']);
      assert.equal(challenge.accepts[0]?.amount, price?.atomic);
      assert.equal(challenge.resource.url, `${paid.service.url}${path}${query}`);
      assert.equal(body['charged'], false);
      assert.equal(answer.headers['cache-control'], 'no-store');
    }
  }
});

function pick(body: Record<string, unknown>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, body[name]]));
}

test('a query that cannot be read shows a browser the price, and that the call would be refused', async () => {
  for (const { path } of PAID_ROWS) {
    const { status, headers, text } = await paid.call(`${path}?a=%FF`, { accept: BROWSER });
    assert.deepEqual([status, headers['content-type']], [402, 'text/html; charset=utf-8'], path);
    assert.match(text, /This call would be refused.*an escape that is not valid UTF-8/s);
  }
});

test('the payment window is two minutes, and five where registers are slow', async () => {
  for (const { operationId, path } of PAID_ROWS) {
    const [accepted] = challengeOf(await paid.call(path)).accepts;
    const isSlow = operationId === 'counterparty_check' || operationId === 'eu_vat_check';
    assert.equal(accepted?.maxTimeoutSeconds, isSlow ? 300 : 120, operationId);
    assert.deepEqual(accepted?.extra, { name: 'Sandbox USDC', version: '2' });
  }
});

test('the offer is signed by the published key and names price, account, address and the sandbox', async () => {
  const challenge = challengeOf(await paid.call(AUDIT));
  const { offers } = ((challenge.extensions ?? {})['offer-receipt'] as { info: { offers: { signature: string }[] } })
    .info;
  const did = await paid.call('/.well-known/did.json');
  const [method] = did.json['verificationMethod'] as { publicKeyJwk: { x: string } }[];
  const key = Buffer.from(method?.publicKeyJwk.x ?? '', 'base64url');
  const [accepted] = challenge.accepts;
  assert.deepEqual(
    { ...verifyJws(offers[0]?.signature ?? '', key) },
    {
      amount: '50000',
      asset: accepted?.asset,
      network: 'eip155:8453',
      payTo: accepted?.payTo,
      resourceUrl: challenge.resource.url,
      sandbox: true,
      scheme: 'exact',
      // Five minutes from the end of this one.
      validUntil: (Math.floor(paid.nowSeconds / 60) + 1) * 60 + 300,
      version: 1,
    },
  );
});

interface Bazaar {
  readonly info: { readonly input: { readonly queryParams: Record<string, string> } };
  readonly schema: object;
}

/** What the official package reads of the header, and how long that is. */
function headerOf(answer: Awaited<ReturnType<PaidService['call']>>) {
  const text = answer.headers['payment-required'] as string;
  const { extensions = {}, ...challenge } = decodePaymentRequiredHeader(text);
  return { ...challenge, chars: text.length, bazaar: extensions['bazaar'] as Bazaar | undefined };
}

/** The address of a call, filled up to so many characters. */
function addressOf(path: string, chars: number): string {
  const filled = chars - path.length - '?q='.length - paid.service.url.length;
  return filled < 0 ? path : `${path}?q=${'x'.repeat(filled)}`;
}

test('the header of every paid call with an address of up to 300 has bazaar within 4,096 characters', async () => {
  for (const { path } of PAID_ROWS) {
    for (const chars of [0, 120, 200, 300]) {
      const { chars: length, bazaar } = headerOf(await paid.call(addressOf(path, chars)));
      assert.ok(length <= 4096, `${path} ${chars}: ${length}`);
      assert.ok(bazaar !== undefined, `${path} ${chars}: no bazaar in the header`);
    }
  }
});

test('the header of an address that leaves no room for bazaar stays within 4,096 characters, and the body has it', async () => {
  const addresses = PAID_ROWS.map(({ path }) => addressOf(path, 500));
  for (const address of [...addresses, `${AUDIT}&x=${'y'.repeat(5000)}`]) {
    const answer = await paid.call(address);
    const { chars } = headerOf(answer);
    assert.ok(chars <= 4096, `${address}: ${chars}`);
    assert.ok('bazaar' in (answer.json['extensions'] as object));
  }
});

test('the official package takes what catalogues are told, in the header and in the body', async () => {
  for (const { path } of PAID_ROWS) {
    for (const chars of [0, 300]) {
      const answer = await paid.call(addressOf(path, chars));
      const { bazaar: full } = answer.json['extensions'] as { bazaar: Bazaar };
      for (const bazaar of [full, headerOf(answer).bazaar ?? assert.fail(path)]) {
        assert.deepEqual(validateDiscoveryExtensionSpec({ ...bazaar }), { valid: true });
        assert.deepEqual(validateDiscoveryExtension(bazaar as never), { valid: true });
      }
    }
  }
});

test('the header names every required parameter, and what facilitators take of a description', async () => {
  for (const { path, input } of PAID_ROWS) {
    const { bazaar, resource } = headerOf(await paid.call(addressOf(path, 300)));
    const { required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
    assert.deepEqual(
      required.filter((name) => !Object.hasOwn(bazaar?.info.input.queryParams ?? {}, name)),
      [],
    );
    const { description = '', tags = [] } = resource as { description?: string; tags?: string[] };
    assert.ok(description.length <= 500 && tags.length <= 8, path);
  }
});

test('who echoes bazaar from the body pays as well as who echoes it from the header; a changed one is refused', async () => {
  await using own = await PaidService.start();
  const path = '/v1/eu-vat-check?vat_number=NL999900018B01';
  const answer = await own.call(path);
  const { extensions } = answer.json as { extensions: { bazaar: Bazaar } };
  const whole = { ...challengeOf(answer), extensions };
  const { header } = await own.buyer.sign(whole, { nowSeconds: own.nowSeconds });
  assert.equal((await own.call(path, { 'payment-signature': header })).status, 200);
  const { info, ...rest } = extensions.bazaar;
  const changed = { ...info, input: { ...info.input, method: 'POST' } };
  const forged = { ...whole, extensions: { ...extensions, bazaar: { ...rest, info: changed } } };
  const { header: other } = await own.buyer.sign(forged, { nowSeconds: own.nowSeconds });
  assert.equal(challengeOf(await own.call(path, { 'payment-signature': other })).error, 'extension_echo_mismatch');
});

test('HEAD has the headers of the challenge, whatever payment it carries', async () => {
  const payment = await paid.sign(AUDIT);
  const answer = await paid.call(AUDIT, { 'payment-signature': payment.header }, 'HEAD');
  assert.deepEqual([answer.status, answer.text], [402, '']);
  challengeOf(answer);
  assert.equal(paid.chain.settleCalls, 0);
});

test('a payment of version 1 is told which version is spoken', async () => {
  const answer = await paid.call(AUDIT, { 'x-payment': 'e30=' });
  assert.equal(challengeOf(answer).error, 'invalid_x402_version');
});

test('a price above X-Max-Price is 412 instead of 402, paid or not', async () => {
  const payment = await paid.sign(AUDIT);
  for (const headers of [{}, { 'payment-signature': payment.header }]) {
    const answer = await paid.call(AUDIT, { 'x-max-price': '0.049999', ...headers });
    assert.equal(expectProblem(answer, 412, 'price_above_cap')['charged'], false);
  }
  assert.equal((await paid.call(AUDIT, { 'x-max-price': '0.05' })).status, 402);
  for (const cap of ['', '-1', '1e3', 'free', '0.0000001']) {
    expectProblem(await paid.call(AUDIT, { 'x-max-price': cap }), 400, 'max_price_invalid');
  }
});

test('what is no payment is 400 and what is too long is not even looked at', async () => {
  const { header, payload } = await paid.sign(AUDIT);
  const { authorization } = payload.payload;
  const endless = { ...payload.payload, authorization: { ...authorization, validBefore: '9'.repeat(78) } };
  const others = [
    '',
    'e30=',
    'not base64!',
    Buffer.from('{"x402Version":1}').toString('base64'),
    header.slice(0, -8),
    encodeHeader({ ...payload, payload: endless }),
    Buffer.from(JSON.stringify({ ...payload, padding: 'x'.repeat(16_384) })).toString('base64'),
  ];
  for (const other of others) {
    const answer = await paid.call(AUDIT, { 'payment-signature': other });
    assert.equal(expectProblem(answer, 400, 'invalid_payload')['charged'], false);
  }
});

const REFUSED: readonly [reason: string, options: Partial<SignOptions>][] = [
  ['invalid_payment_requirements', { accepted: { amount: '1' } }],
  ['invalid_payment_requirements', { accepted: { network: 'eip155:1' } }],
  ['invalid_exact_evm_recipient_mismatch', { authorization: { to: `0x${'1'.repeat(40)}` } }],
  ['invalid_exact_evm_payload_authorization_value_mismatch', { authorization: { value: '49999' } }],
  ['invalid_exact_evm_payload_authorization_valid_before', { lifeSeconds: 5 }],
  ['invalid_exact_evm_payload_authorization_valid_before', { lifeSeconds: 10 }],
  ['invalid_exact_evm_payload_authorization_valid_after', { authorization: { validAfter: '9999999999' } }],
  ['invalid_exact_evm_token_name_mismatch', { tokenName: 'USD Coin' }],
  ['invalid_exact_evm_signature', { tokenName: 'Other' }],
];

test('a payment that is not what was asked for is 402 with the reason, and nothing of it is kept', async () => {
  for (const [reason, options] of REFUSED) {
    const answer = await paid.buy(AUDIT, options);
    assert.equal(challengeOf(answer).error, reason);
    assert.equal(answer.json['charged'], false);
    assert.equal(answer.headers['payment-response'], undefined);
  }
  const { payload } = await paid.sign(AUDIT);
  const forged = { ...payload, extensions: { 'payment-identifier': { info: { required: true } } } };
  const header = Buffer.from(JSON.stringify(forged)).toString('base64');
  assert.equal(challengeOf(await paid.call(AUDIT, { 'payment-signature': header })).error, 'extension_echo_mismatch');
  assert.deepEqual(await paid.states(), []);
});

test('paid with wrong parameters is 400 with every bad field, and the payment is still unspent', async () => {
  const path = '/v1/spend-fuse?amount_usd=x&colour=red';
  const payment = await paid.sign(path);
  const body = expectProblem(await paid.pay(path, payment), 400, 'invalid_parameters');
  assert.deepEqual(
    (body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer),
    ['#/amount_usd', '#/colour'],
  );
  assert.equal(body['charged'], false);
  assert.equal((await paid.call(`/v1/payments/${payment.nonce}`)).status, 404);
  const malformed = await paid.call('/v1/spend-fuse?%FF', { 'payment-signature': payment.header });
  assert.equal(expectProblem(malformed, 400, 'malformed_request')['charged'], false);
});

test('without a settlement backend a payment is refused, not stored and not charged', async () => {
  await using service = await TestService.start({ clock: paid.clock });
  const challenge = challengeOf(await service.call(AUDIT));
  const { header, nonce } = await paid.buyer.sign(challenge, { nowSeconds: paid.nowSeconds });
  const answer = await service.call(AUDIT, { headers: { 'payment-signature': header } });
  assert.equal(expectProblem(answer, 503, 'settlement_not_configured')['charged'], false);
  assert.equal((await service.call(`/v1/payments/${nonce}`)).status, 404);
});

test('a browser may send and read the payment headers', async () => {
  const preflight = await paid.call(AUDIT, { origin: 'https://app.example' }, 'OPTIONS');
  for (const name of ['payment-signature', 'idempotency-key', 'x-max-price', 'access-control-expose-headers']) {
    assert.ok(preflight.headers['access-control-allow-headers']?.includes(name), name);
  }
  const answer = await paid.call(AUDIT, { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' });
  assert.equal(answer.status, 402);
  for (const name of ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'Idempotent-Replayed']) {
    assert.ok(answer.headers['access-control-expose-headers']?.includes(name), name);
  }
});

test('another method on a paid path says that nothing was charged', async () => {
  const { header } = await paid.sign(AUDIT);
  const answer = await paid.call(AUDIT, { 'payment-signature': header }, 'DELETE');
  assert.equal(expectProblem(answer, 405, 'method_not_allowed')['charged'], false);
});

test('the interface document shows the challenge of each paid call, as the call gives it, and what of errors was charged', async () => {
  const document = (await paid.call('/openapi.json')).json as unknown as InterfaceDocument;
  const exampleOf = (ref: string) => document.components.examples[ref.split('/').at(-1) ?? '']?.value ?? {};
  for (const { path, operationId } of PAID_ROWS) {
    const { responses } = document.paths[path]?.get ?? { responses: {} };
    const shown = responses['402']?.content['application/problem+json'].examples ?? {};
    const example = exampleOf(shown['payment_required']?.$ref ?? '');
    const { accepts } = PaymentRequired.parse(example);
    const { json } = await paid.call(path);
    assert.deepEqual([accepts, example['charged']], [json['accepts'], false], operationId);
    assert.deepEqual(Object.keys(example).toSorted(), Object.keys(json).toSorted());
  }
  const charged = ['settlement_pending', 'refund_due', 'result_expired', 'payment_bound_to_other_request', 'slow_down'];
  assert.deepEqual(
    charged.map((code) => exampleOf(`${code}_paid`)['charged']),
    [null, true, true, null, false],
  );
});

test('a call that is refused for its rate says that nothing was charged only where it names no payment', async () => {
  const hurried = PaidService.at(await limitedService());
  const payment = await hurried.sign(AUDIT);
  const key = { 'idempotency-key': '6f0c3f6e-25a4-4f0f-9a3e-3f6d5c1b2a90' };
  assert.equal((await hurried.pay(AUDIT, payment, key)).status, 200);
  for (let calls = 0; calls < SMALL_BURST; calls += 1) await hurried.call(AUDIT);
  const chargedOf = (answer: Answer) => expectProblem(answer, 429, 'slow_down')['charged'];
  assert.deepEqual(
    [
      chargedOf(await hurried.call(AUDIT)),
      chargedOf(await hurried.pay(AUDIT, payment)),
      chargedOf(await hurried.call(AUDIT, key)),
    ],
    [false, null, null],
  );
});
