import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ReceiptCheckAnswer } from '#platform/payments/operations.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { AUDIT, PaidService } from '../../support/paid-service.ts';
import { expectLimited } from '../../support/refusals.ts';

const statuses = new PromisedStatuses('receipt_verify');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that no test saw'));

async function verify(paid: PaidService, body: Record<string, unknown> | string, type = 'application/json') {
  const headers = { 'content-type': type };
  return statuses.saw(await paid.service.call('/v1/receipts/verify', { method: 'POST', headers, body }));
}

test('a receipt holds for its own result and request, and for no other', async () => {
  const paid = await PaidService.on('sqlite');
  const answer = (await paid.buy(AUDIT)).json as { result: object; receipt: Record<string, unknown> };
  const { result, receipt } = answer;
  const query = { system: 'demo', claim_before_work: 'yes' };
  const request = { method: 'GET', path: '/v1/agent-coordination-audit', query };
  const whole = ReceiptCheckAnswer.parse((await verify(paid, { answer, request })).json);
  assert.deepEqual([whole.valid, whole.outcome, whole.uncovered], [true, 'valid', []]);
  assert.deepEqual(
    whole.checks.map(({ ok }) => ok),
    [true, true, true, true, true],
  );
  assert.deepEqual([whole.key?.kid, whole.key?.role, whole.sandbox], [receipt['kid'], 'root', true]);
  const alone = ReceiptCheckAnswer.parse((await verify(paid, { receipt })).json);
  assert.deepEqual(
    alone.checks.map(({ ok }) => ok),
    [true, true, null, null, true],
  );
  assert.deepEqual([alone.valid, alone.outcome], [false, 'answer_not_given']);
  assert.equal((await verify(paid, { receipt, result })).json['valid'], true, 'of a verdict its result is enough');
  for (const name of Object.keys(receipt)) {
    const changed = { ...receipt, [name]: typeof receipt[name] === 'boolean' ? false : `${String(receipt[name])}0` };
    const verdict = ReceiptCheckAnswer.parse((await verify(paid, { receipt: changed })).json);
    assert.equal(verdict.valid, false, name);
  }
  const otherRequest = { ...request, query: { system: 'other' } };
  assert.equal((await verify(paid, { receipt, request: otherRequest })).json['valid'], false);
  assert.equal((await verify(paid, { receipt, result: { ...result, score: 100 } })).json['valid'], false);
});

test('what is no receipt is not valid, and what is no request is refused', async () => {
  const paid = await PaidService.on('sqlite');
  assert.equal((await verify(paid, { receipt: {} })).json['valid'], false);
  expectProblem(await verify(paid, {}), 400, 'invalid_parameters');
  expectProblem(await verify(paid, 'no json'), 400, 'malformed_json');
  expectProblem(await verify(paid, 'x'.repeat(1_000_001)), 413, 'body_too_large');
  expectProblem(await verify(paid, '{}', 'text/plain'), 415, 'unsupported_media_type');
  const body = { receipt: {} };
  await expectLimited(statuses, (service) => service.call('/v1/receipts/verify', { method: 'POST', body }));
});
