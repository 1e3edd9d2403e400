import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { verifyPolicyCheckpoint } from '#protocol/policy-checkpoint.ts';
import { ENGINES, expectProblem, hasPostgres, PromisedStatuses, TestService } from '../_harness.ts';
import { nowSeconds, policyOf, sealRecord, treeHead } from '../_log.ts';

const statuses = new PromisedStatuses('log_checkpoint');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

for (const engine of ENGINES) {
  suite(`log_checkpoint on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('the checkpoint is the signed note itself, and new with every seal', async () => {
      await using service = await TestService.start({ engine });
      const policy = await policyOf(service);
      for (let size = 1; size <= 4; size += 1) {
        const answer = statuses.saw(await service.call('/astralock/checkpoint'));
        assert.equal(answer.status, 200);
        assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
        assert.equal(answer.headers['cache-control'], 'public, max-age=1');
        assert.equal(answer.headers['access-control-allow-origin'], '*');
        const { checkpoint } = verifyPolicyCheckpoint(answer.text, policy, nowSeconds());
        assert.equal(Number(checkpoint.size), size);
        assert.equal(answer.text, (await treeHead(service)).checkpoint);
        await sealRecord(service, `s${size}`);
      }
    });
  });
}

test('the checkpoint takes no parameters, and an unchanged one is not sent again', async () => {
  await using service = await TestService.start();
  expectProblem(statuses.saw(await service.call('/astralock/checkpoint?size=1')), 400, 'invalid_parameters');
  const { headers } = await service.call('/astralock/checkpoint');
  const known = { headers: { 'if-none-match': String(headers['etag']) } };
  assert.equal((await service.call('/astralock/checkpoint', known)).status, 304);
  await sealRecord(service, 'a');
  assert.equal((await service.call('/astralock/checkpoint', known)).status, 200);
});
