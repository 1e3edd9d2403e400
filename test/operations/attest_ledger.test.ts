import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { LedgerPage } from '#areas/attestation/log-operations.ts';
import { ManualClock } from '#kernel/clock.ts';
import { type Answer, ENGINES, expectProblem, hasPostgres, PromisedStatuses, TestService } from '../_harness.ts';
import { assertPage, BEGUN, policyOf, sealRecord } from '../_log.ts';

const statuses = new PromisedStatuses('attest_ledger');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

async function ledger(service: TestService, query: string): Promise<Answer> {
  return statuses.saw(await service.call(`/api/attest/ledger${query}`));
}

for (const engine of ENGINES) {
  suite(`attest_ledger on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('every page of every cut verifies alone against its checkpoint', async () => {
      await using service = await TestService.start({ engine });
      await Promise.all(Array.from({ length: 10 }, (_, n) => sealRecord(service, `s${n}`)));
      const policy = await policyOf(service);
      for (let from = 0; from <= 13; from += 1) {
        for (const limit of [1, 2, 5, 1_024]) {
          const page = LedgerPage.parse((await ledger(service, `?from_seq=${from}&limit=${limit}`)).json);
          assertPage(page, policy);
          assert.deepEqual([page.from_seq, page.tree_size], [from, 13]);
          assert.equal(page.next_seq, Math.min(13, from + limit));
          assert.equal(page.entries.length, page.next_seq - from);
        }
      }
    });

    test('the first entry declares the key of the log, and ids are those of the answers', async () => {
      await using service = await TestService.start({ engine });
      const { json: sealed } = await sealRecord(service, 'a');
      const page = LedgerPage.parse((await ledger(service, '')).json);
      const [inception] = page.entries;
      const entry = page.entries[BEGUN];
      assert.equal(inception?.entry['schema_id'], 'protocol.key.declaration.v1');
      const { vkeys } = (await service.call('/api/astralock/sth')).json as { vkeys: string[] };
      assert.deepEqual(inception?.entry['claim'], { public_key: vkeys[0], role: 'root', scope: 'log-checkpoint' });
      assert.deepEqual(
        [entry?.attestation_id, entry?.leaf_hash, entry?.entry_b64, entry?.type],
        [sealed['attestation_id'], sealed['leaf_hash'], sealed['entry'], 'seal'],
      );
    });

    test('the end of the log is an empty page, and beyond it is 416', async () => {
      await using service = await TestService.start({ engine });
      assert.deepEqual((await ledger(service, `?from_seq=${BEGUN}`)).json['entries'], []);
      const body = expectProblem(await ledger(service, `?from_seq=${BEGUN + 1}`), 416, 'beyond_the_log');
      assert.equal(body['tree_size'], BEGUN);
      expectProblem(await ledger(service, '?from_seq=9007199254740991'), 416, 'beyond_the_log');
    });
  });
}

test('bad parameters are refused and reads are limited', async () => {
  await using service = await TestService.start({
    env: { AVOUCH_RATE_ATTEST_READ: '5/min,7' },
    clock: new ManualClock(),
  });
  for (const query of ['from_seq=-1', 'from_seq=1.5', 'from_seq=x', 'limit=0', 'limit=1025', 'limit=', 'a=b']) {
    expectProblem(await ledger(service, `?${query}`), 400, 'invalid_parameters');
  }
  expectProblem(await ledger(service, ''), 429, 'slow_down');
});
