import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { Verification } from '#areas/attestation/verify-operations.ts';
import { ManualClock } from '#kernel/clock.ts';
import { type Answer, ENGINES, expectProblem, hasPostgres, PromisedStatuses, TestService } from '../_harness.ts';
import { assertProven, BEGUN, policyOf, postSeal, sealRecord, tamper } from '../_log.ts';

const statuses = new PromisedStatuses('attest_verify');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const UNKNOWN_ID = `ATT-${'A'.repeat(52)}`;

async function verify(service: TestService, id: unknown): Promise<Answer> {
  return statuses.saw(await service.call(`/api/attest/verify/${String(id)}`));
}

function checksOf(answer: Answer): Record<string, unknown> {
  const { checks } = Verification.parse(answer.json);
  return Object.fromEntries(checks.map(({ name, ok }) => [name, ok]));
}

for (const engine of ENGINES) {
  suite(`attest_verify on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('a seal of its holder verifies without showing the claim', async () => {
      await using service = await TestService.start({ engine });
      const claim = { country_code: 'NL', vat_number: '000099998B57' };
      const { json: sealed } = await postSeal(service, { schema_id: 'vat.vies.v1', claim });
      await sealRecord(service, 'later');
      const answer = await verify(service, sealed['attestation_id']);
      const found = Verification.parse(answer.json);
      assert.deepEqual(
        [answer.status, found.valid, found.type, found.verdict, found.code, found.schema_id, found.seq],
        [200, true, 'seal', 'ACCEPT', null, 'vat.vies.v1', sealed['seq']],
      );
      assert.deepEqual([found.claim, found.origin], [null, null]);
      assert.deepEqual([found.entry, found.sealed_at], [sealed['entry'], sealed['sealed_at']]);
      assert.equal(found.inclusion.tree_size, BEGUN + 2);
      assert.deepEqual(checksOf(answer), {
        id_matches_leaf: true,
        leaf_hash: true,
        claim_commitment: true,
        observation_commitments: true,
        bundle_root: true,
        verdict_reexecuted: true,
        fee: true,
        inclusion: true,
        checkpoint_signature: true,
        witnesses: null,
      });
      assert.equal(found.checks.find(({ name }) => name === 'claim_commitment')?.state, 'holder_only');
      assertProven(answer, await policyOf(service));
    });

    test('a public claim is shown', async () => {
      await using service = await TestService.start({ engine });
      const claim = { statement: 'for everybody' };
      const { json } = await postSeal(service, { schema_id: 'record.integrity.v1', claim, disclosure: 'public' });
      const found = Verification.parse((await verify(service, json['attestation_id'])).json);
      assert.deepEqual(found.claim, claim);
      assert.equal(found.checks.find(({ name }) => name === 'claim_commitment')?.state, 'match');
    });

    test('a handshake that somebody submitted says so', async () => {
      await using service = await TestService.start({ engine });
      const claim = { phase: 'verify', verify_ref: 'AMH-1', platform_id: 'plt_1', ok: true };
      const { json } = await postSeal(service, { schema_id: 'amh.handshake.v1', claim });
      const found = Verification.parse((await verify(service, json['attestation_id'])).json);
      assert.deepEqual([found.valid, found.origin], [true, 'submitted']);
      assert.match(found.means, /neither made nor checked that handshake/);
    });

    test('what was changed in the database afterwards is not valid', async () => {
      await using service = await TestService.start({ engine });
      const { json } = await sealRecord(service, 'true');
      await tamper(service, `UPDATE records SET claim = '{"statement":"false"}' WHERE seq = ${BEGUN}`);
      const changedClaim = await verify(service, json['attestation_id']);
      assert.deepEqual([changedClaim.json['valid'], checksOf(changedClaim)['claim_commitment']], [false, false]);
      await tamper(
        service,
        `UPDATE entries SET leaf = replace(leaf, '"sandbox":true', '"sandbox":false') WHERE seq = ${BEGUN}`,
      );
      const changedLeaf = await verify(service, json['attestation_id']);
      assert.equal(changedLeaf.json['valid'], false, changedLeaf.text);
      const { id_matches_leaf: id, leaf_hash: hash, inclusion } = checksOf(changedLeaf);
      assert.deepEqual([id, hash, inclusion], [false, false, false]);
    });

    test('an unknown id is not found, and a malformed one refused', async () => {
      await using service = await TestService.start({ engine });
      const body = expectProblem(await verify(service, UNKNOWN_ID), 404, 'attestation_not_found');
      assert.deepEqual([body['found'], body['valid']], [false, false]);
      for (const wrong of ['x', UNKNOWN_ID.toLowerCase(), `${UNKNOWN_ID}A`, `${UNKNOWN_ID}%00`, `${UNKNOWN_ID}?a=b`]) {
        expectProblem(await verify(service, wrong), 400, 'invalid_parameters');
      }
    });
  });
}

test('verifying is limited with the other reads of the log', async () => {
  await using service = await TestService.start({
    env: { AVOUCH_RATE_ATTEST_READ: '5/min,1' },
    clock: new ManualClock(),
  });
  await verify(service, UNKNOWN_ID);
  expectProblem(await verify(service, UNKNOWN_ID), 429, 'slow_down');
});
