import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { getExecution } from '#areas/capabilities/operations.ts';
import { buyer } from '../../support/capabilities.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { suspend } from '../../support/wallet.ts';
import { expectLimited, keyRefusals, STRANGER } from '../../support/refusals.ts';
import { sharedServiceOn } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('get_execution');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('an agent sees what became of its executions, and nobody else does', async () => {
  const { service, models } = await sharedServiceOn('sqlite');
  const [agent, other] = [await buyer(service), await buyer(service)];
  const text = 'Secret words of the caller.';
  const done = (await agent.execute('text.summarise', { input: { text } })).json;
  const path = `/capabilities/executions/${String(done['execution_id'])}`;
  const shown = statuses.saw(await agent.get(path));
  const { execution_id: id, usage, price, receipt } = done;
  const record = getExecution.output.parse(shown.json);
  assert.deepEqual([record.status, record.error], ['done', null]);
  assert.deepEqual(
    [shown.json['execution_id'], shown.json['usage'], shown.json['price'], shown.json['receipt']],
    [id, usage, price, receipt],
  );
  assert.doesNotMatch(shown.text, /Secret/);
  expectProblem(statuses.saw(await other.get(path)), 404, 'execution_not_found');
  await keyRefusals(statuses, (headers) => service.call(path, { headers }));
  expectProblem(statuses.saw(await agent.get('/capabilities/executions/exe_1')), 400, 'invalid_parameters');

  await suspend(service, other.id);
  assert.equal((await other.get(path)).status, 404, 'an agent that is suspended may still read');

  models.fault = '500';
  await agent.execute('text.translate', { input: { text, to: 'en' } });
  models.fault = null;
  const [row] = await service.service.store.read("SELECT id FROM execution WHERE status = 'failed' AND agent_id = $1", [
    agent.id,
  ]);
  const failed = (await agent.get(`/capabilities/executions/${String(row?.['id'])}`)).json;
  assert.deepEqual(
    [failed['status'], failed['price'], failed['error']],
    ['failed', null, 'The provider returned status 500. Nothing was charged.'],
  );
  await expectLimited(statuses, (limited) => limited.call(path, { headers: STRANGER }));
});
