import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { TreeHead } from '#areas/attestation/log/log-operations.ts';
import { verifyPolicyCheckpoint } from '#protocol/policy-checkpoint.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import type { TestService } from '../../support/service.ts';
import { assertContinues, nowSeconds, policyOf, sealRecord, treeHead } from '../../support/log.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedLogOn } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('log_head');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

async function head(service: TestService, query = ''): Promise<Answer> {
  return statuses.saw(await service.call(`/api/astralock/sth${query}`));
}

for (const engine of ENGINES) {
  suite(`log_head on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('the head is signed by the key that it names and by no witness', async () => {
      const service = await sharedLogOn(engine);
      const { json: sealed } = await sealRecord(service, 'a');
      const answer = await head(service);
      const { origin, tree_size: size, root_hash: root, ...rest } = TreeHead.parse(answer.json);
      const policy = await policyOf(service);
      const { checkpoint } = verifyPolicyCheckpoint(rest.checkpoint, policy, nowSeconds());
      assert.deepEqual(
        [checkpoint.origin, Number(checkpoint.size), Buffer.from(checkpoint.root).toString('hex')],
        [origin, size, root],
      );
      assert.equal(size, Number(sealed['seq']) + 1);
      assert.equal(rest.root_hash_b64, Buffer.from(root, 'hex').toString('base64'));
      assert.match(origin, /^sandbox\.invalid\/[0-9a-f]{16}\/astralock$/);
      assert.deepEqual([rest.witnesses, rest.consistency], [[], undefined]);
      assert.match(rest.witness_statement, /different views/);
      assert.deepEqual(
        rest.signatures.map(({ name, key_id: id, type }) => [`${name}+${id}`, type]),
        rest.vkeys.map((vkey) => [vkey.split('+', 2).join('+'), 'ed25519']),
      );
      const page = (await service.call(`/api/attest/ledger?from_seq=${size - 1}`)).json;
      const [last] = page['entries'] as { entry: { sealed_at: string } }[];
      assert.equal(rest.timestamp, last?.entry.sealed_at);
      assert.equal(rest.witnessed_checkpoint, null);
      assert.equal(rest.tiles, `${service.url}/astralock/`);
      assert.equal(answer.headers['cache-control'], 'no-store');
    });

    test('with a remembered size the head proves that it continues it', async () => {
      const service = await sharedLogOn(engine);
      const seen: string[] = [];
      for (let n = 0; n < 9; n += 1) {
        seen.push(String((await head(service)).json['checkpoint']));
        for (const earlier of seen) await assertContinues(service, earlier);
        await sealRecord(service, `s${n}`);
      }
      const empty = TreeHead.parse((await head(service, '?first=0')).json);
      assert.deepEqual(empty.consistency, { first: 0, second: empty.tree_size, hashes: [] });
    });

    test('a size that the log never had is 416', async () => {
      const service = await sharedLogOn(engine);
      const { tree_size: size } = await treeHead(service);
      assert.equal((await head(service, `?first=${size}`)).status, 200);
      const body = expectProblem(await head(service, `?first=${size + 1}`), 416, 'beyond_the_log');
      assert.equal(body['tree_size'], size);
    });
  });
}

test('bad parameters are refused and reads are limited', async () => {
  const service = await sharedLogOn('sqlite');
  for (const query of ['?first=-1', '?first=x', '?first=1&first=1', '?last=1']) {
    expectProblem(await head(service, query), 400, 'invalid_parameters');
  }
  await expectLimited(statuses, (limited) => head(limited));
});
