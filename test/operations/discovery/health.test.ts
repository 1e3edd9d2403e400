import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Health } from '#areas/discovery/operations.ts';
import { OPERATIONS } from '../../../src/operations.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { lockDatabase } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('health');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('health says who answers, since when it is fine and what it offers', async () => {
  const service = await sharedService();
  const answer = statuses.saw(await service.call('/api/v1/health'));
  const health = Health.parse(answer.json);
  assert.equal(health.status, 'ok');
  assert.deepEqual([health.identity.name, health.identity.sandbox], ['Avouch', true]);
  assert.equal(health.docs, `${service.url}/openapi.json`);
  for (const { path, method } of OPERATIONS) {
    assert.ok(
      health.endpoints.some((one) => one.path === path && one.method === method.toUpperCase()),
      path,
    );
  }
  expectProblem(statuses.saw(await service.call('/api/v1/health?verbose=1')), 400, 'invalid_parameters');
});

test('health is down with 503 after a write could not be committed, and recovers with the next write', async () => {
  const service = await sharedService();
  {
    using _lock = lockDatabase(service.dataDir);
    await service.call('/v1/claim?key=k&agent=a7');
    const body = expectProblem(statuses.saw(await service.call('/api/v1/health')), 503, 'down');
    assert.equal((body['identity'] as { name: string }).name, 'Avouch');
    assert.equal((await service.call('/system/status')).json['status'], 'outage');
  }
  await service.call('/v1/claim?key=k&agent=a7');
  assert.equal((await service.call('/api/v1/health')).json['status'], 'ok');
});
