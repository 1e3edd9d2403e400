import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { BudgetProtocol } from '#areas/audits/outputs.ts';
import { BUDGET_PROTOCOL_DOCUMENT } from '#areas/audits/protocol-documents.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('budget_protocol');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('the whole method is published from the tables that compute it', async () => {
  const service = await sharedService();
  const answer = statuses.saw(await service.call('/v1/budget/protocol'));
  assert.equal(answer.status, 200);
  const body = BudgetProtocol.parse(answer.json);
  assert.deepEqual(body, JSON.parse(JSON.stringify(BUDGET_PROTOCOL_DOCUMENT)));
  assert.deepEqual([body.protocol, body.version, body.controls.length], ['ABA-1.0', '1.0', 18]);
  assert.equal(body.verdict_rules.at(-1)?.verdict, 'READY');
  assert.equal(body.fuse.steps.length, 10);
  assert.equal(Object.keys(body.incidents).length, 27);
});

test('it may be cached, and is not sent again unchanged', async () => {
  const service = await sharedService();
  const { headers } = await service.call('/v1/budget/protocol');
  assert.equal(headers['cache-control'], 'public, max-age=300');
  const again = await service.call('/v1/budget/protocol', { headers: { 'if-none-match': String(headers['etag']) } });
  assert.deepEqual([again.status, again.text], [304, '']);
});

test('bad parameters are refused and reads are limited', async () => {
  const service = await sharedService();
  expectProblem(statuses.saw(await service.call('/v1/budget/protocol?version=2')), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call('/v1/budget/protocol'));
});
