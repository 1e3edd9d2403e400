import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { VerificationAnswer } from '#areas/attestation/verify-operations.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { TestService } from '../../support/service.ts';
import { verifyTlogProof } from '#protocol/tlog-proof.ts';
import {
  assertProven,
  nowSeconds,
  policyOf,
  postSeal,
  sealCorrection,
  sealRecord,
  tamper,
  tampered,
} from '../../support/log.ts';
import { expectLimited } from '../../support/refusals.ts';

const statuses = new PromisedStatuses('attest_verify');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const UNKNOWN_ID = `ATT-${'A'.repeat(52)}`;

async function verify(service: TestService, id: unknown): Promise<Answer> {
  return statuses.saw(await service.call(`/api/attest/verify/${String(id)}`));
}

function checksOf(answer: Answer): Record<string, unknown> {
  const { checks } = VerificationAnswer.parse(answer.json);
  return Object.fromEntries(checks.map(({ name, ok }) => [name, ok]));
}

for (const engine of ENGINES) {
  suite(`attest_verify on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    let service: TestService;
    // Of its own: it is tampered with.
    before(async () => {
      service = await TestService.start({ engine });
    });
    after(() => service[Symbol.asyncDispose]());

    test('a seal of its holder verifies without showing the claim', async () => {
      const claim = { country_code: 'NL', vat_number: '000099998B57' };
      const { json: sealed } = await postSeal(service, { schema_id: 'vat.vies.v1', claim });
      await sealRecord(service, 'later');
      const answer = await verify(service, sealed['attestation_id']);
      const found = VerificationAnswer.parse(answer.json);
      assert.deepEqual(
        [answer.status, found.valid, found.type, found.verdict, found.code, found.schema_id, found.seq],
        [200, true, 'seal', 'ACCEPT', null, 'vat.vies.v1', sealed['seq']],
      );
      assert.deepEqual([found.claim, found.origin], [null, null]);
      assert.deepEqual([found.entry, found.sealed_at], [sealed['entry'], sealed['sealed_at']]);
      assert.equal(found.inclusion.tree_size, Number(sealed['seq']) + 2);
      assert.deepEqual(checksOf(answer), {
        id_matches_leaf: true,
        leaf_hash: true,
        leaf_form: true,
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
      const claim = { statement: 'for everybody' };
      const { json } = await postSeal(service, { schema_id: 'record.integrity.v1', claim, disclosure: 'public' });
      const found = VerificationAnswer.parse((await verify(service, json['attestation_id'])).json);
      assert.deepEqual(found.claim, claim);
      assert.equal(found.checks.find(({ name }) => name === 'claim_commitment')?.state, 'match');
    });

    test('a handshake that somebody submitted says so', async () => {
      const claim = { phase: 'verify', verify_ref: 'AMH-1', platform_id: 'plt_1', ok: true };
      const { json } = await postSeal(service, { schema_id: 'amh.handshake.v1', claim });
      const found = VerificationAnswer.parse((await verify(service, json['attestation_id'])).json);
      assert.deepEqual([found.valid, found.origin], [true, 'submitted']);
      assert.match(found.means, /neither performed nor checked that handshake/);
    });

    test('what was changed in the database afterwards is not valid', async () => {
      const { json } = await sealRecord(service, 'true');
      await tamper(service, `UPDATE records SET claim = '{"statement":"false"}' WHERE seq = ${Number(json['seq'])}`);
      const changedClaim = await verify(service, json['attestation_id']);
      assert.deepEqual([changedClaim.json['valid'], checksOf(changedClaim)['claim_commitment']], [false, false]);
      await tamper(
        service,
        `UPDATE entries SET leaf = replace(leaf, '"sandbox":true', '"sandbox":false') WHERE seq = ${Number(json['seq'])}`,
      );
      const changedLeaf = await verify(service, json['attestation_id']);
      assert.equal(changedLeaf.json['valid'], false, changedLeaf.text);
      const { id_matches_leaf: id, leaf_hash: hash, inclusion } = checksOf(changedLeaf);
      assert.deepEqual([id, hash, inclusion], [false, false, false]);
    });

    test('an entry whose stored bytes are none any more is not valid, and says no more than that', async () => {
      const { json } = await sealRecord(service, 'true');
      for (const leaf of ['', 'x', '{}', '[1]', '{"v":1,"v":1}', '\u20ac'.repeat(30_000)]) {
        await tamper(service, `UPDATE entries SET leaf = '${leaf}' WHERE seq = ${Number(json['seq'])}`);
        const answer = await verify(service, json['attestation_id']);
        const found = VerificationAnswer.parse(answer.json);
        assert.deepEqual([answer.status, found.valid], [200, false]);
        assert.deepEqual(checksOf(answer), {
          id_matches_leaf: false,
          leaf_hash: false,
          leaf_form: false,
          inclusion: false,
          checkpoint_signature: true,
          witnesses: null,
        });
        const { type, verdict, code, schema_id, sandbox, sealed_at, claim, corrects, follows_up } = found;
        const facts = [type, verdict, code, schema_id, sandbox, sealed_at, claim, corrects, follows_up];
        assert.deepEqual(new Set(facts), new Set([null]));
      }
    });

    test('a kept record that cannot be read is not valid, and its claim is not shown', async () => {
      const claim = { statement: 'for everybody' };
      const { json } = await postSeal(service, { schema_id: 'record.integrity.v1', claim, disclosure: 'public' });
      const set = (assignment: string) =>
        tamper(service, `UPDATE records SET ${assignment} WHERE seq = ${Number(json['seq'])}`);
      for (const assignment of [
        `claim = 'x'`,
        `claim = 'null'`,
        `claim = '5'`,
        `claim = '{"statement":"other"}'`,
        `claim = '{"statement":"for everybody"}', seed = 'short'`,
        `seed = '${'A'.repeat(43)}', observations = '{}'`,
      ]) {
        await set(assignment);
        const answer = await verify(service, json['attestation_id']);
        assert.deepEqual([answer.status, answer.json['valid'], answer.json['claim']], [200, false, null], assignment);
        assert.equal(checksOf(answer)['claim_commitment'], false, assignment);
        assert.equal(checksOf(answer)['inclusion'], true, assignment);
      }
    });

    test('a record that is gone without an erasure is lost, and its entry not valid', async () => {
      const [kept, gone] = [await sealRecord(service, 'kept'), await sealRecord(service, 'gone')];
      const stateOf = (answer: Answer) =>
        VerificationAnswer.parse(answer.json).checks.find(({ name }) => name === 'claim_commitment');
      for (const loss of ['UPDATE records SET claim = NULL, seed = NULL', 'DELETE FROM records']) {
        await tamper(service, `${loss} WHERE seq = ${Number(gone.json['seq'])}`);
        const answer = await verify(service, gone.json['attestation_id']);
        const { ok, state } = stateOf(answer) ?? {};
        assert.deepEqual([answer.status, answer.json['valid'], ok, state], [200, false, false, 'lost'], loss);
        assert.equal(checksOf(answer)['inclusion'], true);
      }
      const other = await verify(service, kept.json['attestation_id']);
      assert.deepEqual([other.json['valid'], stateOf(other)?.state], [true, 'holder_only']);
    });

    test('a row that was moved beyond the log is not valid', async () => {
      const { json } = await sealRecord(service, 'true');
      await verify(service, json['attestation_id']);
      await using _moved = await tampered(service, `UPDATE entries SET seq = 9999 WHERE seq = ${Number(json['seq'])}`);
      const answer = await verify(service, json['attestation_id']);
      assert.deepEqual([answer.status, answer.json['valid'], checksOf(answer)['inclusion']], [200, false, false]);
    });

    test('the proof alone is answered as a file that verifies offline', async () => {
      const { json } = await sealRecord(service, 'as a file');
      const id = String(json['attestation_id']);
      const answer = await verify(service, `${id}?format=tlog-proof`);
      assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'text/plain; charset=utf-8']);
      const entry = Buffer.from(String(json['entry']), 'base64');
      const { index } = verifyTlogProof({ proof: answer.text, entry }, await policyOf(service), nowSeconds());
      assert.equal(Number(index), json['seq']);
      assert.equal((await verify(service, `${id}?format=json`)).json['proof'], answer.text);
    });

    test('formats that are not offered are refused, each in its way', async () => {
      expectProblem(await verify(service, `${UNKNOWN_ID}?format=cose`), 400, 'format_unsupported');
      for (const format of ['', 'JSON', 'pdf', 'json&format=json']) {
        expectProblem(await verify(service, `${UNKNOWN_ID}?format=${format}`), 400, 'invalid_parameters');
      }
      expectProblem(await verify(service, `${UNKNOWN_ID}?format=tlog-proof`), 404, 'attestation_not_found');
    });

    test('links are shown in both directions, from the signed bytes and not from the table', async () => {
      const idOf = ({ json }: Answer) => String(json['attestation_id']);
      const snapshot = { sources: [{ source: 'kvk', query: '90000001' }] };
      const first = idOf(await postSeal(service, { schema_id: 'registry.snapshot.v1', claim: snapshot }));
      const claim = { ...snapshot, follows_up: first };
      const second = idOf(await postSeal(service, { schema_id: 'registry.snapshot.v1', claim }));
      const third = idOf(await postSeal(service, { schema_id: 'registry.snapshot.v1', claim }));
      const correction = await sealCorrection(service, first);
      const found = VerificationAnswer.parse((await verify(service, first)).json);
      assert.deepEqual([found.valid, found.corrects, found.follows_up], [true, null, null]);
      assert.deepEqual([found.superseded_by, found.followed_up_by], [[correction], [second, third]]);
      assert.equal(VerificationAnswer.parse((await verify(service, second)).json).follows_up, first);
      const corrected = VerificationAnswer.parse((await verify(service, correction)).json);
      assert.deepEqual([corrected.corrects, corrected.superseded_by, corrected.valid], [first, [], true]);
      await tamper(service, `UPDATE links SET to_id = '${second}' WHERE from_id = '${correction}'`);
      assert.deepEqual(VerificationAnswer.parse((await verify(service, second)).json).superseded_by, []);
    });

    test('an unknown id is not found, and a malformed one refused', async () => {
      const body = expectProblem(await verify(service, UNKNOWN_ID), 404, 'attestation_not_found');
      assert.deepEqual([body['found'], body['valid']], [false, false]);
      for (const wrong of ['x', UNKNOWN_ID.toLowerCase(), `${UNKNOWN_ID}A`, `${UNKNOWN_ID}%00`, `${UNKNOWN_ID}?a=b`]) {
        expectProblem(await verify(service, wrong), 400, 'invalid_parameters');
      }
    });
  });
}

test('verifying is limited with the other reads of the log', async () => {
  await expectLimited(statuses, (limited) => verify(limited, UNKNOWN_ID));
});
