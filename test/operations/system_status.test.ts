import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { Status } from '#areas/discovery/operations.ts';
import { ENGINES, expectProblem, hasPostgres, PromisedStatuses, TestService } from '../_harness.ts';

const statuses = new PromisedStatuses('system_status');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

for (const engine of ENGINES) {
  suite(`status on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('status names each part with its state and the engine with its durability', async () => {
      await using service = await TestService.start({ engine });
      const answer = statuses.saw(await service.call('/system/status'));
      const status = Status.parse(answer.json);
      assert.equal(status.status, 'operational');
      assert.deepEqual(
        status.components.map(({ id }) => id),
        ['http', 'storage', 'signer', 'audit_trail', 'witnesses', 'settlement'],
      );
      assert.equal(status.components.at(-1)?.status, 'not_configured');
      assert.deepEqual(status.storage, { engine, durable: true, synchronous: engine === 'sqlite' ? 'full' : 'on' });
      assert.equal(answer.headers['cache-control'], 'public, max-age=10');
      expectProblem(statuses.saw(await service.call('/system/status?x=')), 400, 'invalid_parameters');
    });
  });
}
