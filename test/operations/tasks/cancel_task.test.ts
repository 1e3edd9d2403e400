import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { made, ownerRefusals, post, sharedTaskService, shown } from '../../support/tasks.ts';
import { generalRefusals } from '../../support/refusals.ts';

const statuses = new PromisedStatuses('cancel_task');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('a task that waits is canceled by its owner, and stays canceled', async () => {
  const service = await sharedTaskService();
  for (const body of [
    { need: 'do something nice' },
    { need: 'VAT NL999900018B01' },
    { need: 'bounties', mode: 'quote' },
  ]) {
    const task = await made(service, body);
    const headers = { 'x-receipt-key': String(task.receipt_key) };
    const cancel = async () => statuses.saw(await post(service, `/api/tasks/${task.task_id}/cancel`, {}, headers));
    const canceled = shown(await cancel());
    assert.deepEqual([canceled.state, canceled.payment, canceled.expires_at], ['canceled', null, null]);
    assert.equal((await cancel()).json['code'], 'transition_invalid');
  }
});

test('only its owner cancels a task, and only before its end', () =>
  ownerRefusals(statuses, { action: 'cancel', from: 'completed' }));

test('general refusals', () =>
  generalRefusals(statuses, async (service) => {
    const task = await made(service, { need: 'do something nice' });
    return {
      path: `/api/tasks/${task.task_id}/cancel`,
      body: {},
      headers: { 'x-receipt-key': String(task.receipt_key) },
      tooManyBytes: 270_000,
    };
  }));
