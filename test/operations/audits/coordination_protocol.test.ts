import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CoordinationProtocol } from '#areas/audits/outputs.ts';
import { COORDINATION_PROTOCOL_DOCUMENT } from '#areas/audits/protocol-documents.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('coordination_protocol');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('the whole method is published from the tables that compute it', async () => {
  const service = await sharedService();
  const answer = statuses.saw(await service.call('/v1/coordination/protocol'));
  assert.equal(answer.status, 200);
  const body = CoordinationProtocol.parse(answer.json);
  assert.deepEqual(body, JSON.parse(JSON.stringify(COORDINATION_PROTOCOL_DOCUMENT)));
  assert.deepEqual([body.protocol, body.version, body.controls.length], ['ACA-1.0', '1.0', 16]);
  assert.equal(body.verdict_rules.at(-1)?.verdict, 'READY');
  for (const { sources } of body.controls) {
    for (const key of sources) assert.ok(key in body.sources || key in body.incidents, key);
  }
});

test('it may be cached, and is not sent again unchanged', async () => {
  const service = await sharedService();
  const { headers } = await service.call('/v1/coordination/protocol');
  assert.equal(headers['cache-control'], 'public, max-age=300');
  const again = await service.call('/v1/coordination/protocol', {
    headers: { 'if-none-match': String(headers['etag']) },
  });
  assert.deepEqual([again.status, again.text], [304, '']);
});

test('bad parameters are refused and reads are limited', async () => {
  const service = await sharedService();
  expectProblem(statuses.saw(await service.call('/v1/coordination/protocol?version=2')), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call('/v1/coordination/protocol'));
});
