import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testPaidOperation } from '../../support/paid-operation.ts';
import { PaidService } from '../../support/paid-service.ts';

testPaidOperation({
  operationId: 'spend_fuse',
  right: { amount_usd: '1', agent: 'scout-1', intent_id: 'i-1' },
  otherRight: { amount_usd: '2' },
  wrong: { amount_usd: 'x', reversible: 'maybe' },
  pointers: ['#/amount_usd', '#/reversible'],
  price: '2000',
});

test('an intent that was paid and let through is stopped when another payment brings it again', async () => {
  const paid = await PaidService.on('sqlite');
  const path = '/v1/spend-fuse?amount_usd=1&agent=scout-1&intent_id=i-2';
  const first = await paid.buy(path);
  assert.deepEqual((first.json['result'] as { stops: string[] }).stops, []);
  assert.equal((first.json['receipt'] as { agent: string }).agent, 'scout-1');
  const second = await paid.buy(path);
  assert.deepEqual((second.json['result'] as { stops: string[] }).stops, ['F3']);
});
