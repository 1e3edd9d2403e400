// The simulator of the card processor as the processor's own client finds it, and our edge to it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Stripe } from 'stripe';
import { ProcessorError, StripeProcessor } from '#areas/wallet/outside/stripe.ts';
import type { TopUp } from '#areas/wallet/topup/topup-state.ts';
import { RegisterSimulators } from '#sandbox/registers/server.ts';
import { WEBHOOK_SECRET } from '../../support/topup.ts';

const NOW = 1_794_700_800_000;
const URLS = { success: 'https://a.example/{CHECKOUT_SESSION_ID}', cancel: 'https://a.example' };
const TOPUP = { id: 'tu_1', tier: 'starter', priceCents: 1_000, agentId: 'agt_1' } as TopUp;

let simulators: RegisterSimulators;
before(async () => {
  simulators = await RegisterSimulators.start(() => NOW);
});
after(() => simulators[Symbol.asyncDispose]());

const official = (key = 'sk_test_x') => {
  const { hostname: host, port } = new URL(simulators.url);
  return new Stripe(key, { host, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
};
const edge = (timeoutMs = 60_000) =>
  new StripeProcessor({
    secretKey: () => 'sk_test_secret',
    webhookSecret: () => WEBHOOK_SECRET,
    baseUrl: simulators.url,
    nowMs: () => NOW,
    timeoutMs,
  });

test('the official client meets the errors that it knows', async () => {
  const stripe = official();
  const create = (unit_amount: number, idempotencyKey: string) =>
    stripe.checkout.sessions.create(
      {
        mode: 'payment',
        success_url: 'https://a.example',
        metadata: { topup_id: 'tu_9' },
        line_items: [{ price_data: { currency: 'eur', unit_amount, product_data: { name: 'x' } }, quantity: 1 }],
      },
      { idempotencyKey },
    );
  await assert.rejects(official('sk_live_x').checkout.sessions.retrieve('cs_test_1'), { statusCode: 401 });
  await assert.rejects(stripe.checkout.sessions.retrieve('cs_test_1'), { statusCode: 404, code: 'resource_missing' });
  await assert.rejects(create(0, 'k0'), { statusCode: 400, type: 'StripeInvalidRequestError' });
  const first = await create(500, 'k1');
  assert.match(first.lastResponse.requestId, /^req_\w+$/);
  assert.match(first.id, /^cs_test_\w+$/);
  assert.deepEqual([first.livemode, first.status, first.metadata?.['topup_id']], [false, 'open', 'tu_9']);
  assert.equal((await create(500, 'k1')).id, first.id);
  await assert.rejects(create(600, 'k1'), { statusCode: 400, type: 'StripeIdempotencyError' });
  await assert.rejects(stripe.refunds.create({ payment_intent: 'pi_none' }), { statusCode: 404 });
});

test('refunds and events are listed newest first, page by page', async () => {
  const stripe = official();
  const { id } = await edge().open(TOPUP, URLS);
  await simulators.cards.act(id, 'pay');
  const payment_intent = simulators.cards.session(id)?.paymentIntent ?? '';
  for (const amount of [100, 200]) await stripe.refunds.create({ payment_intent, amount });
  await assert.rejects(stripe.refunds.create({ payment_intent, amount: 701 }), {
    statusCode: 400,
  });
  const refunds = await stripe.refunds.list({ payment_intent });
  assert.deepEqual(
    refunds.data.map(({ amount }) => amount),
    [200, 100],
  );
  const types = ['refund.created', 'charge.refunded'];
  const events = await stripe.events.list({ types, limit: 1 }).autoPagingToArray({ limit: 10 });
  assert.deepEqual(
    events.map(({ type }) => type),
    ['charge.refunded', 'refund.created', 'charge.refunded', 'refund.created'],
  );
  assert.deepEqual((await stripe.events.list({ created: { gte: NOW / 1_000 + 1 } })).data, []);
});

test('our edge opens one session per top-up and reads what became of it', async () => {
  const processor = edge();
  const opened = await processor.open({ ...TOPUP, id: 'tu_2' }, URLS);
  assert.equal((await processor.open({ ...TOPUP, id: 'tu_2' }, URLS)).id, opened.id);
  assert.deepEqual([opened.topUpId, opened.amountCents, opened.currency], ['tu_2', 1_000, 'eur']);
  assert.equal(simulators.cards.session(opened.id)?.successUrl, `https://a.example/${opened.id}`);
  await simulators.cards.act(opened.id, 'pay');
  const read = await processor.session(opened.id);
  assert.deepEqual([read.status, read.paymentStatus], ['complete', 'paid']);
  assert.equal((await processor.sessionOfPayment(read.paymentIntent ?? ''))?.id, opened.id);
  assert.equal(await processor.sessionOfPayment('pi_none'), undefined);
});

for (const fault of ['500', 'throttle', 'hang', 'reset', 'truncate', 'badjson', 'html']) {
  test(`a processor that answers with ${fault} is a fault that shows no key`, async () => {
    simulators.setFault('v1', fault);
    const asked = edge(fault === 'hang' ? 200 : undefined).session('cs_test_1');
    await assert.rejects(asked, (error: Error) => {
      assert.ok(error instanceof ProcessorError);
      assert.doesNotMatch(JSON.stringify([error.message, String(error.stack), error.cause]), /sk_test/);
      return true;
    });
    simulators.setFault('v1', null);
  });
}

test('signatures: the published vector, and what does not hold', async () => {
  const body = Buffer.from('{"id":"evt_1"}');
  const v1 = '11524ee1aedc6600d31f32a834dde057eefe9b0cd63b5b0728a70087274ad9ef';
  const t = NOW / 1_000;
  const event = await edge().event(body, `t=${t},v1=${v1}`);
  assert.equal(event?.about, 'nothing');
  for (const [bytes, header] of [
    [Buffer.from('{"id":"evt_2"}'), `t=${t},v1=${v1}`],
    [body, `t=${t - 1},v1=${v1}`],
    [body, `t=${t},v0=${v1}`],
    [body, `t=${t},v1=${v1.toUpperCase()}`],
    [body, ''],
    [Buffer.from([0xff, 0xfe]), `t=${t},v1=${v1}`],
  ] as const) {
    assert.equal(await edge().event(bytes, header), undefined, header);
  }
  const thin = '{"id":"evt_1","object":"v2.core.event"}';
  const signed = official().webhooks.generateTestHeaderString({ payload: thin, secret: WEBHOOK_SECRET, timestamp: t });
  assert.equal(await edge().event(Buffer.from(thin), signed), undefined, 'thin events are not taken');
});
