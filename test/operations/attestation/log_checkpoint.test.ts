import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { KeyDocument } from '#areas/discovery/operations.ts';
import { verifyCheckpoint } from '#protocol/checkpoint.ts';
import { checkpointVerifier } from '#protocol/cosignature.ts';
import { parseVkey } from '#protocol/note-key.ts';
import { verifyPolicyCheckpoint } from '#protocol/policy-checkpoint.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { type TestService } from '../../support/service.ts';
import { nowSeconds, policyOf, publishedCheckpoint, sealRecord, treeHead } from '../../support/log.ts';
import { sharedLogOn } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('log_checkpoint');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

async function postQuantumKey(service: TestService): Promise<string> {
  const { keys } = KeyDocument.parse((await service.call('/.well-known/avouch-keys.json')).json);
  return keys.find(({ alg }) => alg === 'ml-dsa-44')?.vkey ?? '';
}

for (const engine of ENGINES) {
  suite(`log_checkpoint on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('the published checkpoint is the signed head with a post-quantum line, and follows every seal', async () => {
      const service = await sharedLogOn(engine);
      const { tree_size: before } = await treeHead(service);
      const policy = await policyOf(service);
      for (let size = before; size <= before + 2; size += 1) {
        const answer = statuses.saw(await publishedCheckpoint(service, size));
        assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
        assert.equal(answer.headers['cache-control'], 'public, max-age=1');
        assert.equal(answer.headers['access-control-allow-origin'], '*');
        const { checkpoint } = verifyPolicyCheckpoint(answer.text, policy, nowSeconds());
        assert.equal(Number(checkpoint.size), size);
        assert.ok(answer.text.startsWith((await treeHead(service)).checkpoint));
        const post = parseVkey(await postQuantumKey(service));
        const { verified } = verifyCheckpoint(answer.text, [checkpointVerifier(post, nowSeconds())]);
        assert.deepEqual(
          verified.map(({ key }) => key),
          [post],
        );
        await sealRecord(service, `s${size}`);
      }
    });
  });
}

test('the checkpoint takes no parameters, and an unchanged one is not sent again', async () => {
  const service = await sharedLogOn('sqlite');
  await publishedCheckpoint(service, (await treeHead(service)).tree_size);
  expectProblem(statuses.saw(await service.call('/astralock/checkpoint?size=1')), 400, 'invalid_parameters');
  const { headers } = await service.call('/astralock/checkpoint');
  const known = { headers: { 'if-none-match': String(headers['etag']) } };
  assert.equal((await service.call('/astralock/checkpoint', known)).status, 304);
  await sealRecord(service, 'a');
  await publishedCheckpoint(service, (await treeHead(service)).tree_size);
  assert.equal((await service.call('/astralock/checkpoint', known)).status, 200);
});
