import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CheckoutAnswer } from '#sandbox/pages/checkout-operations.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited } from '../../support/refusals.ts';
import { registeredAgent, sessionOf, sharedCards } from '../../support/topup.ts';

const statuses = new PromisedStatuses('sandbox_checkout');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('the checkout page shows amount and buttons that work without script, and escapes what it shows', async () => {
  const bench = await sharedCards();
  const agent = await registeredAgent(bench.service);
  const session = sessionOf(await agent.topUp('team'));
  const load = async (id: string, headers = {}) =>
    statuses.saw(await bench.service.call(`/sandbox/checkout/${id}`, { headers }));
  const shown = CheckoutAnswer.parse((await load(session)).json);
  assert.deepEqual([shown.amount_eur, shown.status, shown.actions.length], ['50.00', 'open', 7]);
  bench.cards.alter(session, (one) => Object.assign(one, { productName: `<script>alert("x")</script>&'` }));
  const page = await load(session, { accept: 'text/html' });
  assert.match(page.text, /No real card, no real money/);
  assert.match(
    page.text,
    new RegExp(
      `<form method="post" action="/sandbox/checkout/${session}/pay"><button class="button button-primary">Pay €50.00</button>`,
    ),
  );
  assert.match(page.text, /&lt;script&gt;alert\(&quot;x&quot;\)&lt;\/script&gt;&amp;&#39;/);
  assert.doesNotMatch(page.text, /<script(?![^>]* src="\/assets\/)/);
  assert.match(String(page.headers['content-security-policy']), /script-src 'self'.*form-action 'self'/);
  assert.match((await load(session, { accept: 'text/markdown' })).text, /^# Sandbox checkout/);
  expectProblem(await load('cs_test_none'), 404, 'checkout_not_found');
  expectProblem(await load('pi_1'), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call('/sandbox/checkout/pi_1'));
});
