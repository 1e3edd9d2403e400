import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { Erasure } from '#areas/attestation/operations.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { lockDatabase, type TestService } from '../../support/service.ts';
import { treeHead } from '../../support/log.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedLogOn, sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('attest_erase');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const OTHER_SEED = Buffer.alloc(32, 7).toString('base64');
const UNKNOWN_ID = `ATT-${'A'.repeat(52)}`;

async function post(service: TestService, path: string, body: Record<string, unknown>): Promise<Answer> {
  return service.call(path, { method: 'POST', body });
}

async function sealed(service: TestService): Promise<{ attestation_id: string; disclosure_seed: string }> {
  const body = { schema_id: 'record.integrity.v1', claim: { statement: 'to be forgotten' }, disclosure: 'public' };
  const { json } = await post(service, '/api/attest/seal', body);
  return { attestation_id: String(json['attestation_id']), disclosure_seed: String(json['disclosure_seed']) };
}

async function erase(service: TestService, body: Record<string, unknown>): Promise<Answer> {
  return statuses.saw(await post(service, '/api/attest/erase', body));
}

for (const engine of ENGINES) {
  suite(`erase on ${engine}`, { skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here' }, () => {
    test('the holder erases the claim, the log stays whole, and a repeated call says so', async () => {
      const service = await sharedLogOn(engine);
      const { tree_size: before } = await treeHead(service);
      const holder = await sealed(service);
      const first = Erasure.parse((await erase(service, holder)).json);
      assert.equal(first.again, false);
      const second = Erasure.parse((await erase(service, holder)).json);
      assert.deepEqual(second, { ...first, again: true });
      const { json: verified } = await service.call(`/api/attest/verify/${holder.attestation_id}`);
      assert.deepEqual([verified['valid'], verified['claim'], verified['verdict']], [true, null, 'ACCEPT']);
      const checks = verified['checks'] as { name: string; ok: boolean | null; state?: string }[];
      const commitment = checks.find(({ name }) => name === 'claim_commitment');
      assert.deepEqual([commitment?.ok, commitment?.state], [null, 'erased']);
      const { json: statement } = await service.call(`/api/attest/verify/${first.statement}`);
      assert.equal(statement['valid'], true);
      assert.equal((await treeHead(service)).tree_size, before + 2, 'the claim and the erasure');
      const rows = await service.service.store.read('SELECT claim, seed, observations FROM records WHERE seq = $1', [
        before,
      ]);
      assert.deepEqual({ ...rows[0] }, { claim: null, seed: null, observations: null });
    });

    test('an unknown entry and a wrong seed are answered alike, and nothing is erased', async () => {
      const service = await sharedLogOn(engine);
      const holder = await sealed(service);
      const wrong = await erase(service, { ...holder, disclosure_seed: OTHER_SEED });
      const unknown = await erase(service, { attestation_id: UNKNOWN_ID, disclosure_seed: OTHER_SEED });
      expectProblem(wrong, 404, 'attestation_not_found');
      assert.deepEqual(unknown.json, wrong.json);
      assert.notEqual((await service.call(`/api/attest/verify/${holder.attestation_id}`)).json['claim'], null);
    });
  });
}

test('malformed input, other media, long bodies and many calls are refused', async () => {
  const service = await sharedService();
  expectProblem(await erase(service, { attestation_id: 'ATT-1', disclosure_seed: 'x' }), 400, 'invalid_parameters');
  const options = { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } };
  expectProblem(statuses.saw(await service.call('/api/attest/erase', options)), 415, 'unsupported_media_type');
  expectProblem(await erase(service, { attestation_id: 'x'.repeat(70_000) }), 413, 'body_too_large');
  {
    using _lock = lockDatabase(service.dataDir);
    const body = { attestation_id: UNKNOWN_ID, disclosure_seed: OTHER_SEED };
    expectProblem(await erase(service, body), 503, 'storage_unavailable');
  }
  await expectLimited(statuses, (limited) => post(limited, '/api/attest/erase', {}));
});
