import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MinimalSeal, Seal } from '#areas/attestation/seal-answer.ts';
import { newCommandId } from '#kernel/ids.ts';
import { verifySealAnswer, verifyTlogProof } from '../../../verify/avouch-verify.mjs';
import { type Answer, expectProblem } from '../../support/client.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { treeHead } from '../../support/log.ts';
import type { TestService } from '../../support/service.ts';
import { sharedServiceOn } from '../../support/shared-service.ts';

const MINIMAL = 'return=minimal';
const RECORD = { schema_id: 'record.integrity.v1', claim: { statement: 'delivered \u{1f600}' } };
const REGISTERED = { schema_id: 'kvk.liveness.v1', claim: { kvk_number: '90000001' } };
const LEFT_OUT = ['claim', 'entry', 'leaf_hash', 'inclusion', 'checkpoint', 'promise', 'not_promised'];

function seal(service: TestService, body: object, headers: Record<string, string | string[]> = {}): Promise<Answer> {
  return service.call('/api/attest/seal', { method: 'POST', body: { ...body }, headers });
}

function appliedIn({ headers }: Answer) {
  return [headers['preference-applied'], headers.vary];
}

function assertMinimal(answer: Answer): void {
  MinimalSeal.parse(answer.json);
  assert.deepEqual(appliedIn(answer), [MINIMAL, 'Prefer']);
}

function assertWhole(answer: Answer): void {
  Seal.parse(answer.json);
  assert.deepEqual(appliedIn(answer), [undefined, 'Prefer']);
}

for (const engine of ENGINES) {
  suite(`minimal seals on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('with return=minimal a seal leaves out what its proof, its caller or its schema has', async () => {
      const { service } = await sharedServiceOn(engine);
      const minimal = await seal(service, RECORD, { prefer: MINIMAL });
      const whole = await seal(service, RECORD);
      assert.deepEqual([minimal.status, whole.status], [201, 201]);
      assertMinimal(minimal);
      assertWhole(whole);
      const left = Object.keys(whole.json).filter((name) => !(name in minimal.json));
      assert.deepEqual(left.toSorted(), LEFT_OUT.toSorted());
      assert.ok(minimal.text.length < 0.65 * whole.text.length, `${minimal.text.length} of ${whole.text.length}`);
    });

    test('a minimal seal verifies with the keys of the log alone, and with the claim put back all of it does', async () => {
      const { service } = await sharedServiceOn(engine);
      const { vkeys } = await treeHead(service);
      for (const body of [RECORD, REGISTERED]) {
        const { json } = await seal(service, body, { prefer: MINIMAL });
        const { valid, attestationId } = await verifySealAnswer(json, vkeys);
        assert.deepEqual([valid, attestationId], [true, json['attestation_id']]);
        assert.ok((await verifyTlogProof(json['proof'], vkeys, { attestationId })).valid);
        const whole = await verifySealAnswer({ ...json, claim: body.claim }, vkeys);
        assert.deepEqual(
          whole.checks.filter(({ ok }) => ok !== true),
          [],
        );
        const lie = await verifySealAnswer({ ...json, claim: { ...body.claim, statement: 'lost' } }, vkeys);
        assert.equal(lie.valid, false);
      }
    });

    test('what a minimal seal leaves out can be fetched without a key', async () => {
      const { service } = await sharedServiceOn(engine);
      const { json } = await seal(service, RECORD, { prefer: MINIMAL });
      const { json: fetched } = await service.call(new URL(String(json['verify_url'])).pathname);
      const { json: listed } = await service.call('/api/attest/schemas');
      const schema = (listed['schemas'] as Record<string, unknown>[]).find(
        (one) => one['schema_id'] === json['schema_id'],
      );
      assert.equal(typeof fetched['entry'], 'string');
      assert.deepEqual([typeof schema?.['promise'], typeof schema?.['not_promised']], ['string', 'string']);
      const bundle = { proof: json['proof'], attestation_id: json['attestation_id'], claim: RECORD.claim };
      const body = { ...bundle, seed: json['disclosure_seed'] };
      const verified = await service.call('/api/attest/verify', { method: 'POST', body });
      assert.equal(verified.json['valid'], true);
    });

    test('a repeated call gets the form that it prefers, whatever the first one preferred', async () => {
      const { service } = await sharedServiceOn(engine);
      for (const body of [RECORD, REGISTERED]) {
        const key = { 'idempotency-key': newCommandId() };
        const answers = [
          await seal(service, body, { ...key, prefer: MINIMAL }),
          await seal(service, body, key),
          await seal(service, body, { ...key, prefer: MINIMAL }),
        ];
        assert.deepEqual(
          answers.map(({ status, json }) => [status, json['replayed']]),
          [
            [201, false],
            [200, true],
            [200, true],
          ],
        );
        const [first, whole, minimal] = answers as [Answer, Answer, Answer];
        assertMinimal(first);
        assertWhole(whole);
        assertMinimal(minimal);
        for (const name of ['attestation_id', 'seq', 'disclosure_seed', 'claim_sha256', 'observations'] as const) {
          assert.deepEqual([whole.json[name], minimal.json[name]], [first.json[name], first.json[name]], name);
        }
      }
    });

    test('a reject that was sealed before is shown in the preferred form, without its seed', async () => {
      const { service } = await sharedServiceOn(engine);
      const rejected = { schema_id: 'kvk.liveness.v1', claim: { kvk_number: newCommandId() } };
      await seal(service, rejected);
      const again = await seal(service, rejected, { prefer: MINIMAL });
      assertMinimal(again);
      assert.deepEqual([again.status, 'disclosure_seed' in again.json], [200, false]);
    });
  });
}

test('Prefer is read as RFC 7240 says, and is never a reason to refuse', async () => {
  const { service } = await sharedServiceOn('sqlite');
  const minimal = [MINIMAL, 'RETURN="minimal"; a=b', 'respond-async, return=minimal', ['wait=5', MINIMAL]];
  const whole = ['return=representation', 'handling=strict', 'return=minimal, "', 'r\u00e9turn=minimal', ''];
  for (const prefer of minimal) assertMinimal(await seal(service, RECORD, { prefer }));
  for (const prefer of whole) assertWhole(await seal(service, RECORD, { prefer }));
});

test('refusals are the same with and without the preference', async () => {
  const { service } = await sharedServiceOn('sqlite');
  const faults = [
    [{ ...RECORD, schema_id: 'x' }, 404, 'unknown_schema'],
    [{ ...RECORD, prefer: MINIMAL }, 400, 'invalid_parameters'],
    [{ ...RECORD, claim: { statement: 1.5, x: 1 } }, 400, 'invalid_parameters'],
  ] as const;
  for (const [body, status, code] of faults) {
    const answers = [await seal(service, body), await seal(service, body, { prefer: MINIMAL })];
    const [plain, preferred] = answers.map((answer) => expectProblem(answer, status, code));
    assert.deepEqual(preferred, plain);
    for (const answer of answers) assert.deepEqual(appliedIn(answer), [undefined, 'Accept']);
  }
});

test('pages of other origins may send the preference and read that it was applied', async () => {
  const { service } = await sharedServiceOn('sqlite');
  const origin = 'https://shop.example';
  const method = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'prefer' };
  const asked = await service.call('/api/attest/seal', { method: 'OPTIONS', headers: { origin, ...method } });
  assert.match(String(asked.headers['access-control-allow-headers']), /\bprefer\b/);
  const answer = await seal(service, RECORD, { origin, prefer: MINIMAL });
  assert.match(String(answer.headers['access-control-expose-headers']), /\bPreference-Applied\b/);
});
