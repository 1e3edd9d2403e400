import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { AuditAnswer } from '#areas/attestation/log-operations.ts';
import { ENGINES, expectProblem, hasPostgres, PromisedStatuses, TestService } from '../_harness.ts';
import { BEGUN } from '../_log.ts';

const statuses = new PromisedStatuses('log_audit');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

async function seal(service: TestService, claim: Record<string, unknown>): Promise<void> {
  const { status } = await service.call('/api/attest/seal', {
    method: 'POST',
    body: { schema_id: 'record.integrity.v1', claim },
  });
  assert.equal(status, 201);
}

for (const engine of ENGINES) {
  suite(`audit on ${engine}`, { skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here' }, () => {
    test('an untouched log is sound, and a later audit goes on with what was added', async () => {
      await using service = await TestService.start({ engine });
      await seal(service, { statement: 'one' });
      await seal(service, {});
      const first = AuditAnswer.parse(statuses.saw(await service.call('/api/astralock/audit')).json);
      assert.deepEqual(
        [first.ok, first.tree_size, first.entries_rehashed, first.verdicts_reexecuted, first.rejects, first.problems],
        [true, BEGUN + 2, BEGUN + 2, BEGUN + 2, 1, []],
      );
      assert.equal(first.checkpoints_checked, 4);
      await seal(service, { statement: 'two' });
      const second = AuditAnswer.parse((await service.call('/api/astralock/audit')).json);
      assert.deepEqual([second.ok, second.entries_rehashed, second.checkpoints_checked], [true, BEGUN + 3, 5]);
      expectProblem(statuses.saw(await service.call('/api/astralock/audit?deep=1')), 400, 'invalid_parameters');
    });

    test('a claim that was changed in the database is found', async () => {
      await using service = await TestService.start({ engine });
      await seal(service, { statement: 'one' });
      const { store } = service.service;
      await store.run(tamperUnit, null);
      const report = AuditAnswer.parse((await service.call('/api/astralock/audit')).json);
      assert.equal(report.ok, false);
      assert.match(report.problems.join(), /entry 3: claim_commitment does not hold/);
    });
  });
}

/** Changes a stored claim behind the log's back. */
const tamperUnit = {
  name: 'tamper',
  reads: () => [],
  load: () => null,
  decide: () => ({ state: null, result: null }),
  writes: () => [
    {
      sql: 'INSERT INTO records (seq, claim, disclosure) VALUES ($1, $2, $3) ON CONFLICT (seq) DO UPDATE SET claim = excluded.claim',
      rows: [[BEGUN, '{"statement":"other"}', 'holder']],
    },
  ],
};

test('audits are limited like other reads', async () => {
  await using service = await TestService.start({ env: { AVOUCH_RATE_ATTEST_READ: '1/min,1' } });
  await service.call('/api/astralock/audit');
  expectProblem(statuses.saw(await service.call('/api/astralock/audit')), 429, 'slow_down');
});
