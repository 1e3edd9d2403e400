import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { Seal } from '#areas/attestation/seal-answer.ts';
import { isoTime } from '#kernel/clock.ts';
import { newApiKey } from '#kernel/ids.ts';
import { claimSha256 } from '#protocol/attestation/schema-document.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { lockDatabase, TestService } from '../../support/service.ts';
import { assertProven, policyOf, postSeal, sealRecord, treeHead } from '../../support/log.ts';
import { expectLimited } from '../../support/refusals.ts';
import { registeredAgent } from '../../support/wallet.ts';
import { limitedService, sharedLogOn, sharedService, SMALL_BURST } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('attest_seal');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const SOURCES = [{ source: 'kvk', query: '90000001' }];
const UNKNOWN_ID = `ATT-${'A'.repeat(52)}`;

async function seal(service: TestService, body: string | Record<string, unknown>): Promise<Answer> {
  return statuses.saw(await postSeal(service, body));
}

function pointersOf(problem: Record<string, unknown>): string[] {
  return (problem['errors'] as { pointer: string }[]).map(({ pointer }) => pointer).toSorted();
}

for (const engine of ENGINES) {
  suite(`attest_seal on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('an accepted claim is sealed with everything that proves it', async () => {
      const service = await sharedLogOn(engine);
      const { tree_size: before } = await treeHead(service);
      const claim = { statement: 'delivered \u{1f600}\0', evidence_digests: ['aB'.repeat(32)] };
      const answer = await seal(service, { schema_id: 'record.integrity.v1', claim });
      const sealed = Seal.parse(answer.json);
      assert.equal(answer.status, 201);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.deepEqual(
        [sealed.verdict, sealed.code, sealed.evidence_class, sealed.sandbox, sealed.replayed, sealed.seq],
        ['ACCEPT', null, 'R', true, false, before],
      );
      assert.deepEqual(sealed.claim, claim);
      assert.equal(sealed.claim_sha256, claimSha256(claim));
      assert.equal(sealed.sealed_at, isoTime(service.now()));
      assert.equal(Buffer.from(sealed.disclosure_seed ?? '', 'base64').length, 32);
      assert.deepEqual(
        [sealed.fee.fee_eurocents, sealed.fee.platform_fee_eurocents, sealed.fee.fee_status, sealed.fee.reference],
        [25, '0.25', 'invoiced_separately', sealed.attestation_id],
      );
      assert.equal(sealed.verify_url, `${service.url}/api/attest/verify/${sealed.attestation_id}`);
      const leaf = JSON.parse(Buffer.from(sealed.entry, 'base64').toString()) as Record<string, unknown>;
      assert.equal(leaf['claim_commitment'], sealed.claim_commitment);
      assert.equal('claim' in leaf, false);
      assertProven(answer, await policyOf(service));
    });

    test('a rejected claim is sealed too and costs nothing', async () => {
      const service = await sharedLogOn(engine);
      const fees = () => service.service.store.read('SELECT owner FROM seal_fee');
      const before = await fees();
      const answer = await seal(service, { schema_id: 'kvk.liveness.v1', claim: { kvk_number: 12 } });
      const sealed = Seal.parse(answer.json);
      assert.deepEqual([answer.status, sealed.verdict, sealed.code], [201, 'REJECT', 'kvk_format']);
      assert.deepEqual([sealed.fee.fee_eurocents, sealed.fee.fee_status], [0, 'not_applicable']);
      assert.deepEqual(await fees(), before);
    });

    test('a snapshot of the sanctions list seals which list was searched and whom it shows', async () => {
      const service = await sharedLogOn(engine);
      const sources = ['Anton Vymyslov', 'Voorbeeld Handel', 'ឈ្មោះ'].map((query) => ({ source: 'eu_fsf', query }));
      const answer = await seal(service, { schema_id: 'registry.snapshot.v1', claim: { sources } });
      const { verdict, observations } = Seal.parse(answer.json);
      const { registers } = (await service.call('/system/status')).json as { registers: Record<string, unknown>[] };
      const list = registers.at(-1)?.['list'];
      const found = observations.map(({ status, result }) => [status, result] as const);
      const candidate = { entity_id: 'EU.80001.11', weak: false };
      assert.equal(verdict, 'ACCEPT');
      assert.partialDeepStrictEqual(found, [
        ['answered', { list, candidates: [candidate] }],
        ['answered', { list, candidates: [] }],
        ['answered', { list, candidates: [], has_unread_letters: true }],
      ]);
      const [, read] = found[1] as [string, object];
      assert.ok(!('has_unread_letters' in read));
    });

    test('the profile of a company, which costs a fee, is only asked for an agent that is invoiced', async () => {
      const service = await sharedLogOn(engine);
      const { key } = await registeredAgent(service);
      const liveness = async (number: string, headers: Record<string, string>) => {
        const body = { schema_id: 'kvk.liveness.v1', claim: { kvk_number: number } };
        const answer = statuses.saw(await service.call('/api/attest/seal', { method: 'POST', body, headers }));
        const { code, observations } = Seal.parse(answer.json);
        return [code, observations[0]?.['result']];
      };
      const agent = { 'x-agent-key': key };
      assert.deepEqual(await liveness('11998877', agent), [null, { active: true }]);
      assert.deepEqual(await liveness('11998877', {}), [null, { active: null }]);
      assert.deepEqual(await liveness('11998879', {}), [null, { active: false }], 'the free search says that');
      assert.deepEqual(await liveness('90000009', agent), ['registry_unavailable', undefined], 'at odds with itself');
      assert.deepEqual(await liveness('90000009', {}), [null, { active: null }]);
    });

    test('a link must lead to an entry of the log', async () => {
      const service = await sharedLogOn(engine);
      const { json: first } = await sealRecord(service, 'first');
      const { tree_size: before } = await treeHead(service);
      const linked = (followsUp: unknown) =>
        seal(service, { schema_id: 'registry.snapshot.v1', claim: { sources: SOURCES, follows_up: followsUp } });
      assert.equal((await linked(first['attestation_id'])).status, 201);
      for (const wrong of [UNKNOWN_ID, 'x', '\0', '', 5, {}, [], true, `${String(first['attestation_id'])}\n`]) {
        const problem = expectProblem(await linked(wrong), 400, 'invalid_parameters');
        assert.deepEqual([...new Set(pointersOf(problem))], ['#/claim/follows_up'], JSON.stringify(wrong));
      }
      assert.equal((await treeHead(service)).tree_size, before + 1);
    });

    test('an unknown schema is 404, one of the service itself 403, and neither is sealed', async () => {
      const service = await sharedLogOn(engine);
      const { tree_size: before } = await treeHead(service);
      for (const id of ['x', '', '__proto__', 'record.integrity.v2']) {
        expectProblem(await seal(service, { schema_id: id, claim: {} }), 404, 'unknown_schema');
      }
      const claim = { statement: 'x' };
      expectProblem(await seal(service, { schema_id: 'protocol.statement.v1', claim }), 403, 'schema_not_open');
      assert.equal((await treeHead(service)).tree_size, before);
    });
  });
}

test('a repeated call with its Idempotency-Key is 200 with the first seal, with another content 409', async () => {
  const service = await sharedService();
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'the-key-of-attest-seal' };
  const sealed = async (statement: string) => {
    const body = { schema_id: 'record.integrity.v1', claim: { statement } };
    return statuses.saw(await service.call('/api/attest/seal', { method: 'POST', body, headers }));
  };
  const first = await sealed('a');
  const again = await sealed('a');
  assert.deepEqual([first.status, again.status], [201, 200]);
  assert.equal(again.json['attestation_id'], first.json['attestation_id']);
  expectProblem(await sealed('b'), 409, 'idempotency_conflict');
});

test('what is malformed is answered 400 with every fault, and is not sealed', async () => {
  const service = await sharedLogOn('sqlite');
  const { tree_size: before } = await treeHead(service);
  const claims = (claim: string) => `{"schema_id":"record.integrity.v1","claim":${claim}}`;
  const faults: [body: string, pointers: string[]][] = [
    ['{}', ['#/claim', '#/schema_id']],
    ['[]', ['#']],
    ['null', ['#']],
    [claims('[]'), ['#/claim']],
    [claims('"x"'), ['#/claim']],
    [claims('{"statement":"x","a":1,"b":2}'), ['#/claim/a', '#/claim/b']],
    [claims('{"statement":"\\ud800"}'), ['#/claim/statement']],
    [claims('{"statement":"x","__proto__":1}'), ['#/claim/__proto__']],
    [claims('{"statement":9007199254740993}'), ['#/claim/statement']],
    [claims('{"statement":1.00000000000000001}'), ['#/claim/statement']],
    ['{"schema_id":"record.integrity.v1","claim":{},"disclosure":"all","x":1}', ['#/disclosure', '#/x']],
    [
      '{"schema_id":"amh.handshake.v1","claim":{"amount_cents":1.5,"action":"fly"}}',
      ['#/claim/action', '#/claim/amount_cents'],
    ],
  ];
  for (const [body, pointers] of faults) {
    assert.deepEqual(pointersOf(expectProblem(await seal(service, body), 400, 'invalid_parameters')), pointers, body);
  }
  for (const body of ['', '{', '\xff', `${claims('{}')}x`, claims('['.repeat(100_000))]) {
    const problem = await seal(service, body);
    assert.equal(problem.status, 400, body.slice(0, 40));
  }
  const invalidUtf8 = Buffer.from(claims('{"statement":"\xff"}'), 'latin1');
  const headers = { 'content-type': 'application/json' };
  const answer = await service.call('/api/attest/seal', { method: 'POST', body: invalidUtf8, headers });
  expectProblem(answer, 400, 'malformed_json');
  assert.equal((await treeHead(service)).tree_size, before);
});

test('other media types and bodies over 256 KiB are refused', async () => {
  const service = await sharedService();
  const body = 'schema_id=record.integrity.v1';
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const form = await service.call('/api/attest/seal', { method: 'POST', body, headers });
  expectProblem(statuses.saw(form), 415, 'unsupported_media_type');
  const sized = (bytes: number) => {
    const empty = JSON.stringify({ schema_id: 'record.integrity.v1', claim: { statement: '' } });
    return JSON.stringify({
      schema_id: 'record.integrity.v1',
      claim: { statement: 'x'.repeat(bytes - empty.length) },
    });
  };
  expectProblem(await seal(service, sized(262_145)), 413, 'body_too_large');
  const longest = await seal(service, sized(262_144));
  assert.deepEqual([longest.status, longest.json['code']], [201, 'claim_too_long']);
});

test('a key is not needed, but one that is sent must be good', async () => {
  const service = await sharedService();
  const body = { schema_id: 'record.integrity.v1', claim: { statement: 'a' } };
  const call = (key: string) =>
    service.call('/api/attest/seal', { method: 'POST', body, headers: { 'x-agent-key': key } });
  expectProblem(statuses.saw(await call(newApiKey('agk_'))), 401, 'key_invalid');
});

test('seals have a rate class of their own', async () => {
  const { service } = await limitedService();
  const { tree_size: before } = await treeHead(service);
  await expectLimited(statuses, (limited) => sealRecord(limited, 'a'));
  assert.equal((await treeHead(service)).tree_size, before + SMALL_BURST);
});

test('without a key each query to a register counts as a call of the address, with one a seal counts once', async () => {
  const { service } = await limitedService();
  const { key } = await registeredAgent(service);
  const claim = { sources: Array.from({ length: 6 }, () => SOURCES[0]) };
  const snapshot = async (headers: Record<string, string> = {}) => {
    const body = { schema_id: 'registry.snapshot.v1', claim };
    const answer = await service.call('/api/attest/seal', { method: 'POST', body, headers });
    return [answer.status, /r=(\d+)/.exec(String(answer.headers['ratelimit']))?.[1]];
  };
  assert.deepEqual(await snapshot({ 'x-agent-key': key }), [201, String(SMALL_BURST - 1)]);
  assert.deepEqual(await snapshot(), [201, String(SMALL_BURST - 7)]);
  assert.deepEqual(await snapshot(), [429, '0']);
});

test('a snapshot is sealed however small the limit is, if nothing of it is used', async () => {
  await using service = await TestService.start({ env: { AVOUCH_RATE_ATTEST_SEAL: '1/min,3' } });
  const claim = { sources: Array.from({ length: 6 }, () => SOURCES[0]) };
  assert.equal((await seal(service, { schema_id: 'registry.snapshot.v1', claim })).status, 201);
  expectProblem(await sealRecord(service, 'a'), 429, 'slow_down');
});

test('while the database cannot be written a seal is answered 503, and works again afterwards', async () => {
  const service = await sharedService();
  {
    using _lock = lockDatabase(service.dataDir);
    expectProblem(statuses.saw(await sealRecord(service, 'a')), 503, 'storage_unavailable');
  }
  assert.equal((await sealRecord(service, 'a')).status, 201);
});
