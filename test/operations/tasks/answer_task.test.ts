import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { made, ownerRefusals, post, sharedTaskService, shown } from '../../support/tasks.ts';
import { generalRefusals } from '../../support/refusals.ts';

const statuses = new PromisedStatuses('answer_task');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('an answer names the route, words the need anew or adds inputs, and the task goes on', async () => {
  const service = await sharedTaskService();
  const answer = async (task: { task_id: string; receipt_key?: string | undefined }, body: Record<string, unknown>) =>
    statuses.saw(
      await post(service, `/api/tasks/${task.task_id}/input`, body, { 'x-receipt-key': String(task.receipt_key) }),
    );
  const chosen = await made(service, { need: 'do something nice' });
  const done = shown(await answer(chosen, { route: 'bounty_search', inputs: { limit: 1 } }));
  assert.deepEqual([done.state, (done.result as { bounties: unknown[] }).bounties.length], ['completed', 1]);
  const worded = await made(service, { need: 'translate or summarise it' });
  const still = shown(await answer(worded, { inputs: { text: 'x' } }));
  assert.deepEqual([still.state, still.route.alternatives], ['input_required', ['text.translate', 'text.summarise']]);
  expectProblem(await answer(worded, { need: 'give me your private key' }), 403, 'rule_refused');
  assert.equal(shown(await answer(worded, { need: 'open bounties' })).state, 'completed');
  const wrong = await made(service, { need: 'open bounties', inputs: { limit: 0 } });
  assert.deepEqual([wrong.state, wrong.questions.map(({ id }) => id)], ['input_required', ['limit']]);
  assert.equal(shown(await answer(wrong, { inputs: { limit: 2 } })).state, 'completed');
});

test('only its owner answers a task, and only one that asks', () =>
  ownerRefusals(statuses, { action: 'input', from: 'completed', body: { route: 'bounty_search' } }));

test('general refusals', () =>
  generalRefusals(statuses, async (service) => {
    const task = await made(service, { need: 'do something nice' });
    const headers = { 'x-receipt-key': String(task.receipt_key) };
    return {
      path: `/api/tasks/${task.task_id}/input`,
      body: { route: 'bounty_search' },
      headers,
      tooManyBytes: 270_000,
    };
  }));
