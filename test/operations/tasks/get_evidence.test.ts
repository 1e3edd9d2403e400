import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Evidence } from '#areas/tasks/fields.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited } from '../../support/refusals.ts';
import { made, sharedTaskService } from '../../support/tasks.ts';

const statuses = new PromisedStatuses('get_evidence');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('every step is shown by its digests, chained, and whole', async () => {
  const service = await sharedTaskService();
  const task = await made(service, { need: 'open bounties' });
  const ask = async (id: string) => statuses.saw(await service.call(`/api/tasks/${id}/evidence`));
  const { text, json } = await ask(task.task_id);
  const evidence = Evidence.parse(json);
  assert.deepEqual([evidence.chain_ok, evidence.steps.length, evidence.root], [true, 6, evidence.steps[3]?.hash]);
  assert.doesNotMatch(text, /untrusted_title|open bounties/);
  const asking = Evidence.parse((await ask((await made(service, { need: 'do something nice' })).task_id)).json);
  assert.deepEqual([asking.chain_ok, asking.attestation_id, asking.verify_url], [true, null, null]);
  expectProblem(await ask('tsk_0123456789abcdefghjkmnpqrs'), 404, 'unknown_task');
  expectProblem(await ask('nothing'), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call('/api/tasks/nothing/evidence'));
});
