import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { made, ownerRefusals, sharedTaskService, shown } from '../../support/tasks.ts';
import { registeredAgent } from '../../support/wallet.ts';
import { generalRefusals } from '../../support/refusals.ts';

const statuses = new PromisedStatuses('accept_quote');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('an accepted quote is paid and worked on, one that the wallet cannot pay is refused', async () => {
  const service = await sharedTaskService();
  const agent = await registeredAgent(service);
  const body = { agent_id: agent.id, need: 'VAT NL999900018B01', mode: 'quote' };
  const task = await made(service, body, { 'x-agent-key': agent.key });
  const accept = async () => statuses.saw(await agent.post(`/api/tasks/${task.task_id}/accept`, {}));
  const poor = expectProblem(await accept(), 402, 'insufficient_funds');
  assert.deepEqual(
    [poor['needed_eur'], poor['available_eur'], poor['topup']],
    ['0.01', '0.00', '/api/agents/wallet/topup'],
  );
  await agent.fund(10_000);
  assert.equal(shown(await accept()).state, 'completed');
  expectProblem(await accept(), 409, 'transition_invalid');
  assert.equal((await agent.call('/api/agents/wallet')).json['available_micro'], 0);
});

test('only its owner accepts a quote, and only one that waits', () =>
  ownerRefusals(statuses, { action: 'accept', from: 'completed' }));

test('general refusals', () =>
  generalRefusals(statuses, async (service) => {
    const task = await made(service, { need: 'open bounties', mode: 'quote' });
    return {
      path: `/api/tasks/${task.task_id}/accept`,
      body: {},
      headers: { 'x-receipt-key': String(task.receipt_key) },
      tooManyBytes: 270_000,
    };
  }));
