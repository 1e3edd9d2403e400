import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { BalanceAnswer } from '#sandbox/pages/operations.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited } from '../../support/refusals.ts';
import { chainService, sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('sandbox_balance');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const path = (address: string) => `/sandbox/balance/${address}`;

test('a balance is what the faucet gave, and nothing for a new account', async () => {
  const service = await chainService();
  const balanceOf = async () => BalanceAnswer.parse(statuses.saw(await service.call(path(ADDRESS))).json);
  assert.deepEqual(await balanceOf(), { address: ADDRESS, balance: '0', sandbox: true });
  await service.call('/sandbox/faucet', { method: 'POST', body: { address: ADDRESS } });
  assert.equal((await balanceOf()).balance, '5000000');
});

test('the buyer of a new sandbox has money from the start', async () => {
  const service = await chainService();
  const { json } = await service.call(path(String(await service.service.buyer())));
  assert.equal(json['balance'], '100000000');
});

test('what is no account is refused, as is a caller in a hurry', async () => {
  const service = await sharedService();
  expectProblem(statuses.saw(await service.call(path('0x12'))), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call(path('0x12')));
});

test('without a chain there is no balance to read', async () => {
  const service = await sharedService();
  expectProblem(statuses.saw(await service.call(path(ADDRESS))), 503, 'no_test_money');
});
