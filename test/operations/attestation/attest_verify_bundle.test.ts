import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { BundleVerification } from '#areas/attestation/verify-operations.ts';
import { disclose } from '#protocol/attestation/disclosure.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import type { TestService } from '../../support/service.ts';
import { postSeal, treeHead } from '../../support/log.ts';
import { expectLimited } from '../../support/refusals.ts';
import { bareService, sharedLogOn, sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('attest_verify_bundle');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const CLAIM = { statement: 'seven boxes' };
const PATH = '/api/attest/verify';

async function check(service: TestService, body: string | Record<string, unknown>): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  return statuses.saw(await service.call(PATH, { method: 'POST', body, headers }));
}

async function checked(service: TestService, body: Record<string, unknown>) {
  const answer = await check(service, body);
  assert.equal(answer.status, 200, answer.text);
  return BundleVerification.parse(answer.json);
}

function failed({ valid, checks }: { valid: boolean; checks: readonly { name: string; ok: boolean | null }[] }) {
  const names = checks.filter(({ ok }) => ok === false).map(({ name }) => name);
  assert.equal(valid, names.length === 0);
  return names;
}

async function sealed(service: TestService, claim: Record<string, unknown> = CLAIM) {
  const { json } = await postSeal(service, { schema_id: 'record.integrity.v1', claim });
  return {
    bundle: {
      proof: String(json['proof']),
      entry: String(json['entry']),
      attestation_id: String(json['attestation_id']),
      claim,
      seed: String(json['disclosure_seed']),
    },
    json,
  };
}

for (const engine of ENGINES) {
  suite(`attest_verify_bundle on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('a bundle of this log is valid with its claim, and nothing is stored', async () => {
      const service = await sharedLogOn(engine);
      const { bundle, json } = await sealed(service);
      const { tree_size: before } = await treeHead(service);
      const found = await checked(service, bundle);
      assert.deepEqual(failed(found), []);
      assert.deepEqual(
        [found.attestation_id, found.type, found.verdict, found.schema_id, found.index, found.leaf_hash],
        [json['attestation_id'], 'seal', 'ACCEPT', 'record.integrity.v1', json['seq'], json['leaf_hash']],
      );
      assert.deepEqual(found.log, { origin: (await treeHead(service)).origin, tree_size: before });
      assert.equal((await treeHead(service)).tree_size, before);
      assert.deepEqual(failed(await checked(service, { proof: bundle.proof })), []);
    });

    test('a bundle of another service is checked by its policy, and refused without', async () => {
      const service = await sharedLogOn(engine);
      const { service: other } = await bareService();
      const { bundle } = await sealed(other);
      const unknown = await checked(service, bundle);
      assert.deepEqual(failed(unknown), ['inclusion', 'checkpoint_signature']);
      assert.deepEqual([unknown.type, unknown.verdict, unknown.log], [null, null, null]);
      const { vkeys } = await treeHead(other);
      const known = await checked(service, { ...bundle, policy: `log ${vkeys[0]}\nquorum none\n` });
      assert.deepEqual(failed(known), []);
      assert.match(known.means, /your policy trusts/);
    });
  });
}

test('single fields are shown without the others', async () => {
  const service = await sharedService();
  const claim = { statement: 'seven boxes', evidence_digests: ['ab'.repeat(32)] };
  const { bundle } = await sealed(service, claim);
  const { proof, seed } = bundle;
  const shown = disclose(claim, Buffer.from(seed, 'base64'), ['statement']);
  assert.deepEqual(failed(await checked(service, { proof, ...shown })), []);
  const { statement } = shown.disclosed as { statement: { value: unknown; salt: string } };
  const lie = { ...shown, disclosed: { statement: { ...statement, value: 'eight boxes' } } };
  assert.deepEqual(failed(await checked(service, { proof, ...lie })), ['disclosure']);
});

test('another claim, another id and another seed are not valid', async () => {
  const service = await sharedService();
  const { bundle } = await sealed(service);
  const { bundle: other } = await sealed(service, { statement: 'eight boxes' });
  assert.deepEqual(failed(await checked(service, { ...bundle, claim: other.claim })), ['claim_commitment']);
  assert.deepEqual(failed(await checked(service, { ...bundle, seed: other.seed })), ['claim_commitment']);
  const { attestation_id } = other;
  assert.deepEqual(failed(await checked(service, { ...bundle, attestation_id })), ['id_matches_leaf']);
});

test('what cannot be read is refused, and every bad field is named', async () => {
  const service = await sharedService();
  const { bundle } = await sealed(service);
  for (const [body, pointers] of [
    [{}, ['#/proof']],
    [{ ...bundle, proof: 5, entry: 5, attestation_id: 'x' }, ['#/proof', '#/entry', '#/attestation_id']],
    [{ ...bundle, proof: 'x', entry: '*', seed: 'AAAA', policy: 'x' }, ['#/proof', '#/entry', '#/seed', '#/policy']],
    [{ ...bundle, claim: [] }, ['#/claim']],
    [{ ...bundle, disclosed: {} }, ['#/commitments']],
    [{ ...bundle, commitments: { statement: 'x' } }, ['#/commitments/statement']],
    [{ ...bundle, disclosed: { statement: { value: 1 } }, commitments: {} }, ['#/disclosed/statement/salt']],
    [{ ...bundle, observations: [] }, ['#/observations']],
  ] as const) {
    const problem = expectProblem(await check(service, body), 400, 'invalid_parameters');
    const errors = problem['errors'] as { pointer: string }[];
    assert.deepEqual(errors.map(({ pointer }) => pointer).toSorted(), [...pointers].toSorted());
  }
  expectProblem(await check(service, 'x'), 400, 'malformed_json');
});

test('numbers of a claim that would be rounded are refused instead of compared', async () => {
  const service = await sharedService();
  const { bundle } = await sealed(service);
  const rounded = JSON.stringify({ ...bundle, claim: { n: 0 } }).replace('"n":0', '"n":9007199254740993');
  const problem = expectProblem(await check(service, rounded), 400, 'invalid_parameters');
  assert.deepEqual(
    (problem['errors'] as { pointer: string; code: string }[]).map(({ pointer, code }) => [pointer, code]),
    [['#/claim/n', 'number_not_exact']],
  );
});

test('other media, long bodies and many calls are refused', async () => {
  const service = await sharedService();
  const text = { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } };
  expectProblem(statuses.saw(await service.call(PATH, text)), 415, 'unsupported_media_type');
  expectProblem(await check(service, { proof: 'x'.repeat(262_145) }), 413, 'body_too_large');
  await expectLimited(statuses, (limited) => check(limited, {}));
});
