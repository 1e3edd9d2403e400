import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newApiKey } from '#kernel/ids.ts';
import { TaskStatus } from '#areas/tasks/fields.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited } from '../../support/refusals.ts';
import { made, sharedTaskService } from '../../support/tasks.ts';
import { registeredAgent, suspend } from '../../support/wallet.ts';

const statuses = new PromisedStatuses('check_task');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('a task id shows the state, the receipt id also a digest, the key of its owner everything', async () => {
  const service = await sharedTaskService();
  const agent = await registeredAgent(service);
  const task = await made(service, { agent_id: agent.id, need: 'open bounties' }, { 'x-agent-key': agent.key });
  const check = async (ref: string, headers: Record<string, string> = {}) =>
    statuses.saw(await service.call(`/api/tasks/${ref}`, { headers }));
  const seen = async (ref: string, headers?: Record<string, string>) => {
    const { state, route, result_sha256, need, result, receipt } = TaskStatus.parse((await check(ref, headers)).json);
    return [state, route, result_sha256 !== null, need, result !== null, receipt !== null];
  };
  assert.deepEqual(await seen(task.task_id), ['completed', 'bounty_search', false, null, false, false]);
  assert.deepEqual(await seen(task.receipt_id), ['completed', 'bounty_search', true, null, false, false]);
  const whole = ['completed', 'bounty_search', true, 'open bounties', true, true];
  assert.deepEqual(await seen(task.task_id, { 'x-receipt-key': task.receipt_key as string }), whole);
  assert.deepEqual(await seen(task.receipt_id, { 'x-agent-key': agent.key }), whole);
  expectProblem(await check(task.task_id, { 'x-receipt-key': 'wrong' }), 403, 'receipt_key_invalid');
  expectProblem(await check(task.task_id, { 'x-agent-key': newApiKey('agk_') }), 401, 'key_invalid');
  await suspend(service, agent.id);
  assert.deepEqual(await seen(task.task_id, { 'x-agent-key': agent.key }), whole, 'reading goes on');
  expectProblem(await check('tsk_0123456789abcdefghjkmnpqrs'), 404, 'unknown_task');
  expectProblem(await check('nothing'), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call('/api/tasks/nothing'));
});
