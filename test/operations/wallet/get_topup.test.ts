import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { TopUpAnswer } from '#areas/wallet/topup/topup-operations.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited, STRANGER } from '../../support/refusals.ts';
import { registeredAgent, sessionOf, sharedCards, TOPUP } from '../../support/topup.ts';

const statuses = new PromisedStatuses('get_topup');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('a top-up shows what became of it to its own agent alone', async () => {
  const bench = await sharedCards();
  const agent = await registeredAgent(bench.service);
  const opened = await agent.topUp();
  const path = `${TOPUP}/${String(opened.json['topup_id'])}`;
  const read = async (headers?: Record<string, string>) =>
    statuses.saw(await agent.call(path, { headers: headers ?? {} }));
  assert.deepEqual(TopUpAnswer.parse((await read()).json), opened.json);
  bench.simulators.setFault('v1', '500');
  assert.equal((await read()).json['status'], 'open', 'what is known is shown when the processor is away');
  bench.simulators.setFault('v1', null);
  await bench.cards.act(sessionOf(opened), 'pay');
  const shown = TopUpAnswer.parse((await read()).json);
  assert.deepEqual([shown.status, shown.checkout_url], ['credited', null]);
  assert.match(shown.tx_id ?? '', /^tx_/);
  const other = await registeredAgent(bench.service);
  expectProblem(await read({ 'x-agent-key': other.key }), 404, 'topup_not_found');
  expectProblem(await read({ 'x-agent-key': 'x' }), 401, 'key_malformed');
  expectProblem(statuses.saw(await agent.call(`${TOPUP}/tu_1`)), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call(path, { headers: STRANGER }));
});
