import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CheckoutAnswer } from '#sandbox/pages/checkout-operations.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';
import { registeredAgent, sessionOf, sharedCards } from '../../support/topup.ts';

const statuses = new PromisedStatuses('sandbox_checkout_act');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };

test('who plays the card holder moves the money of the wallet by real webhooks, by form or by JSON', async () => {
  const bench = await sharedCards();
  const agent = await registeredAgent(bench.service);
  const begin = async () => sessionOf(await agent.topUp());
  const act = async (id: string, action: string, headers: Record<string, string> = {}, body: string | object = {}) =>
    statuses.saw(
      await bench.service.call(`/sandbox/checkout/${id}/${action}`, {
        method: 'POST',
        headers,
        body: body as Record<string, unknown>,
      }),
    );
  const session = await begin();
  const paid = await act(session, 'pay', { ...FORM, 'sec-fetch-site': 'same-origin' }, '');
  assert.match(String(paid.headers.location), /^\/wallet\/topups\/tu_\w+\?session_id=cs_test_/);
  const page = await bench.service.call(`/sandbox/checkout/${session}`, { headers: { accept: 'text/html' } });
  assert.match(page.text, /Payment<\/dt>.*Paid<.*<button[^>]*>Refund<\/button>/s);
  assert.deepEqual(await agent.moved(), ['topup 10.00']);
  const disputed = CheckoutAnswer.parse((await act(session, 'dispute')).json);
  assert.deepEqual(
    disputed.actions.map(({ action }) => action),
    ['dispute_won', 'dispute_lost'],
  );
  assert.equal((await agent.wallet())['frozen'], true);
  await act(session, 'dispute_won');
  assert.deepEqual(await agent.moved(), ['topup 10.00', 'dispute -10.00', 'dispute_reinstated 10.00']);
  const problem = expectProblem(await act(session, 'pay'), 409, 'action_not_possible');
  assert.deepEqual(problem['actions'], []);
  const twice = await begin();
  await act(twice, 'pay_webhook_twice');
  await act(twice, 'refund');
  assert.equal((await agent.moved()).length, 5);
  assert.equal((await act(await begin(), 'cancel')).json['status'], 'open');
  expectProblem(await act('cs_test_none', 'pay'), 404, 'checkout_not_found');
  expectProblem(await act(session, 'win'), 400, 'invalid_parameters');
  const foreign = { ...FORM, accept: 'application/json', 'sec-fetch-site': 'cross-site' };
  expectProblem(await act(session, 'pay', foreign, ''), 403, 'cross_site_request');
});

test('calls of a wrong form are refused with what is wrong, and too many of them too', async () => {
  const service = await sharedService();
  const send = async (body: string, type = 'application/json') => {
    const headers = { 'content-type': type };
    return statuses.saw(await service.call('/sandbox/checkout/cs_test_x/pay', { method: 'POST', body, headers }));
  };
  expectProblem(await send('{'), 400, 'malformed_json');
  expectProblem(await send('{"surprise":1}'), 400, 'invalid_parameters');
  expectProblem(await send('surprise=1', FORM['content-type']), 400, 'invalid_parameters');
  expectProblem(await send('x', 'text/plain'), 415, 'unsupported_media_type');
  expectProblem(await send('x'.repeat(70_000)), 413, 'body_too_large');
  expectProblem(await send('{}'), 404, 'checkout_not_found');
  await expectLimited(statuses, (limited) =>
    limited.call('/sandbox/checkout/cs_test_x/pay', { method: 'POST', body: {} }),
  );
});
