import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { LookupAnswer } from '#areas/attestation/lookup-operation.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { expectProblem } from '../../support/client.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited } from '../../support/refusals.ts';
import type { TestService } from '../../support/service.ts';
import { sharedServiceOn } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('attest_lookup');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const lookUp = async (service: TestService, sha256: string) =>
  statuses.saw(await service.call(`/api/attest/lookup?sha256=${sha256}`));
const matchesOf = async (service: TestService, sha256: string) =>
  LookupAnswer.parse((await lookUp(service, sha256)).json).matches.map(({ attestation_id, field }) => [
    attestation_id,
    field,
  ]);
const sealed = async (service: TestService, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  service.call('/api/attest/seal', { method: 'POST', body: { schema_id: 'record.integrity.v1', ...body }, headers });

for (const engine of ENGINES) {
  suite(`attest_lookup on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('a seal with index is found by its claim and by its evidence until it is erased; one without never is', async () => {
      const { service } = await sharedServiceOn(engine);
      const digest = sha256Hex(`evidence of ${service.url}`);
      const claim = { statement: `indexed at ${service.url}`, evidence_digests: [digest, digest] };
      const { json: hidden } = await sealed(service, { claim });
      assert.deepEqual(await matchesOf(service, digest), []);
      const { json: first } = await sealed(service, { claim, index: true });
      const { json: second } = await sealed(service, { claim: { ...claim, statement: 'another' }, index: true });
      const ids = [first, second].map((json) => json['attestation_id']);
      assert.deepEqual(
        await matchesOf(service, digest),
        ids.map((id) => [id, 'evidence_digest']),
      );
      assert.equal(first['claim_sha256'], hidden['claim_sha256']);
      assert.deepEqual(await matchesOf(service, String(first['claim_sha256'])), [[ids[0], 'claim_sha256']]);
      const answer = LookupAnswer.parse((await lookUp(service, digest)).json);
      assert.deepEqual(
        [answer.sha256, answer.matches[0]?.seq, answer.complete_to_seq, answer.truncated],
        [digest, first['seq'], answer.tree_size - 1, false],
      );
      assert.ok(answer.tree_size > Number(second['seq']));
      const { attestation_id, disclosure_seed } = first;
      await service.call('/api/attest/erase', { method: 'POST', body: { attestation_id, disclosure_seed } });
      assert.deepEqual(await matchesOf(service, String(first['claim_sha256'])), []);
      assert.deepEqual(await matchesOf(service, digest), [[ids[1], 'evidence_digest']]);
    });

    test('a key that sealed without index is not used again with it', async () => {
      const { service } = await sharedServiceOn(engine);
      const key = { 'idempotency-key': `lookup-key-${engine}-0001` };
      const claim = { statement: 'one key' };
      assert.equal((await sealed(service, { claim }, key)).status, 201);
      assert.equal((await sealed(service, { claim, index: false }, key)).status, 200);
      expectProblem(await sealed(service, { claim, index: true }, key), 409, 'idempotency_conflict');
    });
  });
}

test('what is no SHA-256 is named, and reads are limited', async () => {
  const { service } = await sharedServiceOn('sqlite');
  for (const bad of ['', 'abc', 'F'.repeat(64)]) {
    const { errors } = expectProblem(await lookUp(service, bad), 400, 'invalid_parameters');
    assert.equal((errors as { pointer: string }[])[0]?.pointer, '#/sha256');
  }
  await expectLimited(statuses, (limited) => lookUp(limited, '0'.repeat(64)));
});
