import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { HealthAnswer } from '#areas/discovery/operations.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { lockDatabase, TestService } from '../../support/service.ts';

/** The calls of wallet, tasks, capabilities and orders and the manifests, as the spec lists them. */
const LISTED = [
  'POST /api/agents/register',
  'POST /api/agents/wallet/topup',
  'POST /api/v1/calculate',
  'POST /api/v1/orders',
  'GET /api/v1/health',
  'POST /do',
  'POST /api/tasks',
  'POST /capabilities/execute',
  'POST /exit',
  'POST /api/cabinet/request-link',
  'GET /entry',
  'GET /llms.txt',
  'GET /llms-full.txt',
  'GET /openapi.json',
  'GET /.well-known/ai-plugin.json',
  'GET /agent-discovery/onboarding',
  'GET /capabilities/manifest',
  'GET /coordination/manifest',
  'GET /economy/manifest',
  'GET /api/strategy/pillars',
  'GET /system/status',
];
/** What a probe that comes every second may weigh. */
const MAX_PROBE_BYTES = 1_500;

const statuses = new PromisedStatuses('health');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('health says who answers and whether it is fine, and lists the calls of the spec and no others', async () => {
  await using service = await TestService.start();
  const answer = statuses.saw(await service.call('/api/v1/health'));
  assert.equal(answer.text, JSON.stringify(answer.json));
  const health = HealthAnswer.parse(answer.json);
  assert.equal(health.status, 'ok');
  assert.deepEqual([health.identity.name, health.identity.sandbox], ['Avouch', true]);
  assert.equal(health.docs, `${service.url}/openapi.json`);
  assert.deepEqual(
    health.endpoints.map(({ method, path }) => `${method} ${path}`),
    LISTED,
  );
  assert.ok(Buffer.byteLength(answer.text) < MAX_PROBE_BYTES, `${Buffer.byteLength(answer.text)} bytes`);
  expectProblem(statuses.saw(await service.call('/api/v1/health?verbose=1')), 400, 'invalid_parameters');
});

test('health is down with 503 after a write could not be committed, and recovers with the next write', async () => {
  await using service = await TestService.start();
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
