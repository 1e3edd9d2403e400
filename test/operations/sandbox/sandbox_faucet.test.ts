import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FaucetAnswer } from '#sandbox/pages/operations.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { TestService } from '../../support/service.ts';
import { expectLimited } from '../../support/refusals.ts';
import { chainService, sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('sandbox_faucet');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const ADDRESS = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const PATH = '/sandbox/faucet';

test('five test USDC are minted with every call, and a confirmed transaction says so', async () => {
  const service = await chainService();
  for (const balance of ['5000000', '10000000']) {
    const answer = statuses.saw(await service.call(PATH, { method: 'POST', body: { address: ADDRESS } }));
    assert.equal(answer.status, 200, answer.text);
    const body = FaucetAnswer.parse(answer.json);
    assert.deepEqual([body.address, body.minted, body.balance, body.sandbox], [ADDRESS, '5000000', balance, true]);
    assert.match(body.transaction, /^0x[0-9a-f]{64}$/);
  }
});

test('test money outlives a restart of the service', async () => {
  const dataDir = await temporaryDirectory();
  for (const balance of ['5000000', '10000000']) {
    await using service = await TestService.start({ opensSettlement: true, dataDir });
    const { json } = await service.call(PATH, { method: 'POST', body: { address: ADDRESS } });
    assert.equal(json['balance'], balance);
  }
});

test('calls of a wrong form are refused with what is wrong', async () => {
  const service = await sharedService();
  const send = async (body: string | Record<string, unknown>, type = 'application/json') =>
    statuses.saw(await service.call(PATH, { method: 'POST', body, headers: { 'content-type': type } }));
  for (const address of ['', '0x12', `${ADDRESS}0`, 'me', 12]) {
    const problem = expectProblem(await send({ address }), 400, 'invalid_parameters');
    assert.deepEqual(
      (problem['errors'] as { pointer: string }[]).map(({ pointer }) => pointer),
      ['#/address'],
    );
  }
  expectProblem(await send('{'), 400, 'malformed_json');
  expectProblem(await send('address', 'text/plain'), 415, 'unsupported_media_type');
  expectProblem(await send(`{"address":"${'0'.repeat(70_000)}"}`), 413, 'body_too_large');
});

test('the faucet is limited per caller', async () => {
  await expectLimited(statuses, (limited) => limited.call(PATH, { method: 'POST', body: {} }));
});

test('a service whose chain cannot start runs all the same and says that there is no test money', async () => {
  const dataDir = await temporaryDirectory();
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'chain'), 'in the way of the directory');
  await using service = await TestService.start({ opensSettlement: true, dataDir });
  const answer = statuses.saw(await service.call(PATH, { method: 'POST', body: { address: ADDRESS } }));
  expectProblem(answer, 503, 'no_test_money');
  assert.equal((await service.call('/api/v1/health')).status, 200);
});
