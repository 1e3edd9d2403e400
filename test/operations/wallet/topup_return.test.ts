import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ReturnAnswer } from '#areas/wallet/topup/topup-operations.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited } from '../../support/refusals.ts';
import { registeredAgent, sessionOf, sharedCards } from '../../support/topup.ts';

const statuses = new PromisedStatuses('topup_return');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('the payer comes back to a page that tells what became of the payment, and nothing of the agent', async () => {
  const bench = await sharedCards();
  const agent = await registeredAgent(bench.service);
  const opened = await agent.topUp();
  const { successUrl = '', cancelUrl = '' } = bench.cards.session(sessionOf(opened)) ?? {};
  const load = async (address: string, headers = {}) =>
    statuses.saw(await bench.service.call(address.replace(bench.service.url, ''), { headers }));
  const browser = { accept: 'text/html', 'sec-fetch-site': 'cross-site' };
  const waiting = await load(cancelUrl, browser);
  assert.match(
    waiting.text,
    /<noscript><meta http-equiv="refresh" content="2"><\/noscript>.*<h1>Confirming your payment<\/h1>/s,
  );
  assert.match(String(waiting.headers['content-security-policy']), /default-src 'none'/);
  await bench.cards.act(sessionOf(opened), 'pay');
  const page = await load(successUrl, browser);
  assert.match(page.text, /<h1>Money added<\/h1>.*€10\.00 was added to the wallet\./s);
  assert.doesNotMatch(page.text, /http-equiv="refresh"|agt_|available/);
  assert.match((await load(successUrl, { accept: 'text/markdown' })).text, /^# Top-up: credited/);
  const shown = ReturnAnswer.parse((await load(successUrl)).json);
  assert.deepEqual([shown.status, shown.price_eur, shown.tier], ['credited', 10, 'starter']);
  expectProblem(await load(`/wallet/topups/tu_${'0'.repeat(20)}`), 404, 'topup_not_found');
  expectProblem(await load(`${cancelUrl}?session_id=pi_1`), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call('/wallet/topups/tu_1'));
});
