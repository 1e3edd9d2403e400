import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Seal } from '#areas/attestation/seal-answer.ts';
import { DAY_MS, ManualClock } from '#kernel/clock.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { TestService } from '../../support/service.ts';
import { assertProven, BEGUN, policyOf, treeHead } from '../../support/log.ts';

const KEY = 'key-of-one-call-0001';
/** Of each test its own: a service remembers them. */
let keys = 0;
const newKey = () => `key-of-one-call-${(keys += 1)}-of-many`;
const newReject = () => ({ schema_id: 'kvk.liveness.v1', claim: { kvk_number: `number ${(keys += 1)}` } });
const RECORD = { schema_id: 'record.integrity.v1', claim: { statement: 'delivered' } };
const REGISTERED = { schema_id: 'kvk.liveness.v1', claim: { kvk_number: '90000001' } };
const REJECTED = { schema_id: 'kvk.liveness.v1', claim: { kvk_number: 'twelve' } };

function seal(service: TestService, body: Record<string, unknown>, key?: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) };
  return service.call('/api/attest/seal', { method: 'POST', body, headers });
}

for (const engine of ENGINES) {
  suite(`repeated seals on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    const clock = new ManualClock();
    let service: TestService;
    before(async () => {
      service = await TestService.start({ engine, clock });
    });
    after(() => service[Symbol.asyncDispose]());

    test('the same form reject is sealed once and shown again to everybody, without its seed', async () => {
      const rejected = newReject();
      const { tree_size: had } = await treeHead(service);
      const first = Seal.parse((await seal(service, rejected)).json);
      await seal(service, RECORD);
      const again = await seal(service, { ...rejected, disclosure: 'public' });
      const replayed = Seal.parse(again.json);
      assert.deepEqual([again.status, replayed.replayed, replayed.disclosure_seed], [200, true, undefined]);
      for (const name of ['attestation_id', 'seq', 'code', 'entry', 'leaf_hash', 'sealed_at'] as const) {
        assert.equal(replayed[name], first[name], name);
      }
      assertProven(again, await policyOf(service));
      assert.equal((await treeHead(service)).tree_size, had + 2);
    });

    test('rejects of other claims, accepts and what a register was asked for are sealed each time', async () => {
      const rejected = newReject();
      const { tree_size: had } = await treeHead(service);
      const down = { schema_id: 'kvk.liveness.v1', claim: { kvk_number: '90000008' } };
      const other = { schema_id: 'kvk.liveness.v1', claim: { kvk_number: 'thirteen' } };
      for (const body of [RECORD, RECORD, REGISTERED, REGISTERED, down, down, rejected, other]) {
        const answer = await seal(service, body);
        assert.deepEqual([answer.status, answer.json['replayed']], [201, false], JSON.stringify(body));
      }
      assert.equal((await treeHead(service)).tree_size, had + 8);
    });

    for (const [what, body] of [
      ['a record', RECORD],
      ['a register’s answer', REGISTERED],
    ] as const) {
      test(`a repeated call with its Idempotency-Key gets the first seal of ${what} again, with the seed`, async () => {
        const key = newKey();
        const { tree_size: had } = await treeHead(service);
        const first = Seal.parse((await seal(service, body, key)).json);
        const again = await seal(service, body, key);
        const replayed = Seal.parse(again.json);
        assert.deepEqual([again.status, replayed.replayed], [200, true]);
        assert.deepEqual(
          [replayed.attestation_id, replayed.disclosure_seed, replayed.observations, replayed.claim],
          [first.attestation_id, first.disclosure_seed, first.observations, first.claim],
        );
        assertProven(again, await policyOf(service));
        assert.equal((await treeHead(service)).tree_size, had + 1);
      });

      test(`parallel calls with one Idempotency-Key make one seal of ${what}`, async () => {
        const key = newKey();
        const { tree_size: had } = await treeHead(service);
        const answers = await Promise.all(Array.from({ length: 20 }, () => seal(service, body, key)));
        for (const answer of answers) {
          if (answer.status === 409) expectProblem(answer, 409, 'idempotency_in_flight');
          else Seal.parse(answer.json);
        }
        const made = answers.filter(({ status }) => status === 201);
        assert.equal(made.length, 1);
        assert.equal((await treeHead(service)).tree_size, had + 1);
        assert.equal((await seal(service, body, key)).json['attestation_id'], made[0]?.json['attestation_id']);
      });
    }

    test('a key with another content is a conflict and seals nothing', async () => {
      const key = newKey();
      const rejected = newReject();
      const { tree_size: had } = await treeHead(service);
      await seal(service, RECORD, key);
      const others = [
        { ...RECORD, disclosure: 'public' },
        { ...RECORD, claim: { statement: 'delivered!' } },
        REGISTERED,
        rejected,
      ];
      for (const other of others) expectProblem(await seal(service, other, key), 409, 'idempotency_conflict');
      assert.equal((await treeHead(service)).tree_size, had + 1);
    });

    test('a key that met a replayed reject never shows the seed of its first caller', async () => {
      const key = newKey();
      const rejected = newReject();
      await seal(service, rejected);
      for (const _ of [1, 2]) {
        const { status, json } = await seal(service, rejected, key);
        assert.deepEqual([status, json['replayed'], json['disclosure_seed']], [200, true, undefined]);
      }
    });

    test('after an erasure the seal is shown without seed, and the same reject is sealed anew', async () => {
      const key = newKey();
      const rejected = newReject();
      const erase = (sealed: Record<string, unknown>) =>
        service.call('/api/attest/erase', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: { attestation_id: sealed['attestation_id'], disclosure_seed: sealed['disclosure_seed'] },
        });
      const indexed = () => service.service.store.read('SELECT key FROM rejects_index ORDER BY key');
      const indexedBefore = await indexed();
      const kept = (await seal(service, RECORD, key)).json;
      const reject = (await seal(service, rejected)).json;
      assert.deepEqual([(await erase(kept)).status, (await erase(reject)).status], [200, 200]);
      const replayed = await seal(service, RECORD, key);
      assert.deepEqual(
        [replayed.status, replayed.json['attestation_id'], replayed.json['disclosure_seed']],
        [200, kept['attestation_id'], undefined],
      );
      assert.deepEqual(await indexed(), indexedBefore);
      assert.equal((await seal(service, rejected)).status, 201);
    });

    test('a key is forgotten after a day, and swept from the database', async () => {
      const key = newKey();
      await seal(service, RECORD, key);
      clock.advance(DAY_MS - 1);
      assert.equal((await seal(service, RECORD, key)).status, 200);
      clock.advance(1);
      assert.equal((await seal(service, RECORD, key)).status, 201);
      await service.heartbeat();
      assert.equal((await service.service.store.read('SELECT at FROM seal_idempotency')).length, 1);
    });
  });
}

test('replays outlive a restart, and the tables hold neither key nor claim nor a plain hash of them', async () => {
  const dataDir = await temporaryDirectory();
  {
    await using service = await TestService.start({ dataDir });
    await seal(service, RECORD, KEY);
    await seal(service, REJECTED);
    const rows = JSON.stringify([
      await service.service.store.read('SELECT * FROM rejects_index'),
      await service.service.store.read('SELECT * FROM seal_idempotency'),
    ]);
    assert.doesNotMatch(rows, /twelve|delivered|key-of-one-call/);
  }
  await using service = await TestService.start({ dataDir });
  assert.equal((await seal(service, RECORD, KEY)).status, 200);
  assert.equal((await seal(service, REJECTED)).status, 200);
});

test('a key of the wrong form is refused, and the body has no such member', async () => {
  await using service = await TestService.start();
  for (const key of ['short', 'x'.repeat(256), 'with a blank inside it', 'ümlaut-and-then-some-more']) {
    const problem = expectProblem(await seal(service, RECORD, key), 400, 'invalid_parameters');
    assert.deepEqual((problem['errors'] as { pointer: string }[])[0]?.pointer, '#/idempotency_key');
  }
  const inBody = await seal(service, { ...RECORD, idempotency_key: KEY });
  const problem = expectProblem(inBody, 400, 'invalid_parameters');
  assert.deepEqual((problem['errors'] as { code: string }[])[0]?.code, 'unknown_parameter');
  assert.equal((await treeHead(service)).tree_size, BEGUN + 0);
});
