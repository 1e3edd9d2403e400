import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, suite, test } from 'node:test';
import { KeyDocument } from '#areas/discovery/operations.ts';
import { Status } from '#areas/discovery/status-answer.ts';
import { verifyPolicyCheckpoint } from '#protocol/policy-checkpoint.ts';
import { parsePolicy } from '#protocol/witness-policy.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { TestService } from '../../support/service.ts';
import { BEGUN, nowSeconds, publishedCheckpoint, sealRecord, treeHead } from '../../support/log.ts';
import { TestWitness, witnessedBy } from '../../support/witness.ts';
import { sharedService } from '../../support/shared-service.ts';
import { until } from '../../support/until.ts';

const statuses = new PromisedStatuses('log_witnessed_checkpoint');
const folder = await temporaryDirectory();
after(async () => {
  await rm(folder, { recursive: true });
  assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw');
});

async function witnessed(service: TestService, query = ''): Promise<Answer> {
  return statuses.saw(await service.call(`/astralock/checkpoint.witnessed${query}`));
}

async function askWitnesses(service: TestService): Promise<void> {
  await service.runNow('publish');
  await service.runNow('witness');
}

/** The witnessed checkpoint once it covers that size. */
async function witnessedFrom(service: TestService, size: number): Promise<Answer> {
  let answer = await witnessed(service);
  await until(`a witnessed log of ${size}`, async () => {
    await askWitnesses(service);
    answer = await witnessed(service);
    return answer.status === 200 && Number(answer.text.split('\n')[1]) >= size;
  });
  return answer;
}

async function stateOfWitnesses(service: TestService): Promise<string | undefined> {
  await service.heartbeat();
  const { components } = Status.parse((await service.call('/system/status')).json);
  return components.find(({ id }) => id === 'witnesses')?.status;
}

for (const engine of ENGINES) {
  suite(`log_witnessed_checkpoint on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('a checkpoint that enough witnesses cosigned verifies under the published policy, and goes on with the log', async () => {
      const witnesses = [new TestWitness(1), new TestWitness(2), new TestWitness(3)] as const;
      witnesses[2].mood = 'silent';
      await using service = await TestService.start({ engine, ...witnessedBy(folder, witnesses, 2) });
      for (const size of [BEGUN, BEGUN + 1, BEGUN + 4]) {
        while ((await treeHead(service)).tree_size < size) await sealRecord(service, 'a');
        const answer = await witnessedFrom(service, size);
        assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
        assert.equal(answer.headers['cache-control'], 'public, max-age=1');
        const { policy } = KeyDocument.parse((await service.call('/.well-known/avouch-keys.json')).json);
        const { cosignatures } = verifyPolicyCheckpoint(answer.text, parsePolicy(policy), nowSeconds());
        assert.deepEqual(cosignatures.map(({ key }) => key.name).toSorted(), ['w1.example', 'w2.example']);
      }
      const head = await treeHead(service);
      assert.equal(head.witnessed_checkpoint, (await witnessed(service)).text);
      assert.deepEqual(head.witnesses.map(({ name }) => name).toSorted(), ['w1.example', 'w2.example']);
      assert.match(head.witness_statement, /reached the quorum with 2 witnesses .* independent of the operator/);
      assert.equal(await stateOfWitnesses(service), 'up');
    });

    test('without a quorum nothing is witnessed, sealing goes on, and the service says so', async () => {
      const witnesses = [new TestWitness(1), new TestWitness(2)] as const;
      witnesses[1].mood = 'lying';
      await using service = await TestService.start({ engine, ...witnessedBy(folder, witnesses, 2) });
      assert.equal((await sealRecord(service, 'a')).status, 201);
      let { text: cosigned } = await publishedCheckpoint(service, BEGUN + 1);
      await until('the cosignature of one', async () => {
        await askWitnesses(service);
        cosigned = (await service.call('/astralock/checkpoint')).text;
        return cosigned.includes('— w1.example ');
      });
      assert.ok(!cosigned.includes('w2.example'), 'a cosignature that does not verify is never published');
      expectProblem(await witnessed(service), 404, 'not_witnessed');
      const head = await treeHead(service);
      assert.deepEqual([head.witnessed_checkpoint, head.witnesses], [null, []]);
      assert.match(head.witness_statement, /2 witnesses are configured, but no checkpoint has reached their quorum/);
      assert.equal(await stateOfWitnesses(service), 'degraded');
      assert.equal((await service.call('/api/v1/health')).status, 200);
    });
  });
}

test('without witnesses there is none, and it takes no parameters', async () => {
  const service = await sharedService();
  const answer = await witnessed(service);
  expectProblem(answer, 404, 'not_witnessed');
  assert.equal(answer.headers['cache-control'], 'no-store');
  expectProblem(await witnessed(service, '?a=b'), 400, 'invalid_parameters');
});
