import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { TaskPage } from '#areas/tasks/task-page.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectForms } from '../../support/documents.ts';
import { made, sharedTaskService } from '../../support/tasks.ts';
import { expectLimited } from '../../support/refusals.ts';

const statuses = new PromisedStatuses('task_page');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('who has the receipt id sees state and evidence, and neither need nor result nor reasons', async () => {
  const service = await sharedTaskService();
  const read = async (ref: string) => statuses.saw(await service.call(`/tasks/${ref}`));
  const task = await made(service, { need: 'open bounties about parsers' });
  const answer = await read(task.receipt_id);
  const { status, why, evidence } = TaskPage.parse(answer.json);
  assert.deepEqual([status.state, status.route, why, evidence.chain_ok], ['completed', 'bounty_search', null, true]);
  assert.doesNotMatch(answer.text, /parsers/);
  await expectForms(service, `/tasks/${task.receipt_id}`, /bounty_search/);
  expectProblem(await read('rcp_0123456789abcdefghjkmnpqrs'), 404, 'unknown_task');
  expectProblem(await read('x'), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call('/tasks/x'));
});
