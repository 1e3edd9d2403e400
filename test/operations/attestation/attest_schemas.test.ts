import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { SCHEMAS } from '#protocol/attestation/schemas.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { postSeal } from '../../support/log.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('attest_schemas');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

interface ShownSchema extends Record<string, unknown> {
  readonly schema_id: string;
  readonly schema_digest: string;
}

test('all eight schemas are shown with the digest that seals under them carry', async () => {
  const service = await sharedService();
  const answer = statuses.saw(await service.call('/api/attest/schemas'));
  const { schemas } = answer.json as { schemas: ShownSchema[] };
  assert.deepEqual(
    schemas.map(({ schema_id: id }) => id),
    SCHEMAS.map(({ id }) => id),
  );
  for (const { schema_digest: digest, ...document } of schemas)
    assert.equal(sha256Hex(canonicalJson(document)), digest);
  assert.equal(answer.headers['cache-control'], 'public, max-age=300');
  const { json } = await postSeal(service, { schema_id: 'kvk.liveness.v1', claim: {} });
  const leaf = JSON.parse(Buffer.from(String(json['entry']), 'base64').toString()) as ShownSchema;
  assert.equal(leaf.schema_digest, schemas.find(({ schema_id: id }) => id === leaf.schema_id)?.schema_digest);
});

test('an unchanged list is not sent again', async () => {
  const service = await sharedService();
  const { headers } = await service.call('/api/attest/schemas');
  const again = await service.call('/api/attest/schemas', { headers: { 'if-none-match': String(headers['etag']) } });
  assert.deepEqual([again.status, again.text], [304, '']);
});

test('the digest of an entry finds the document that it was sealed under, and no other digest does', async () => {
  const service = await sharedService();
  for (const { id, digest } of SCHEMAS) {
    const { json } = statuses.saw(await service.call(`/api/attest/schemas?digest=${digest}`));
    const { schemas } = json as { schemas: ShownSchema[] };
    assert.deepEqual(
      schemas.map((schema) => [schema.schema_id, schema.schema_digest]),
      [[id, digest]],
    );
  }
  const unknown = statuses.saw(await service.call(`/api/attest/schemas?digest=${'0'.repeat(64)}`));
  expectProblem(unknown, 404, 'unknown_schema_digest');
  for (const digest of ['', '0', '0'.repeat(63), 'A'.repeat(64)]) {
    expectProblem(await service.call(`/api/attest/schemas?digest=${digest}`), 400, 'invalid_parameters');
  }
});

test('bad parameters are refused and reads are limited', async () => {
  const service = await sharedService();
  expectProblem(statuses.saw(await service.call('/api/attest/schemas?a=b')), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call('/api/attest/schemas'));
});
