// A log and a witness that are processes of two parties: all the one knows of the other is a key and an address.
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { KeyDocument } from '#areas/discovery/operations.ts';
import { VerificationAnswer } from '#areas/attestation/verify-operations.ts';
import { verifyPolicyCheckpoint } from '#protocol/policy-checkpoint.ts';
import { verifyTlogProof } from '#protocol/tlog-proof.ts';
import { parsePolicy } from '#protocol/witness-policy.ts';
import { ChildService } from '../../support/child-service.ts';
import { expectProblem } from '../../support/client.ts';
import { ENGINES, freshDatabase, hasPostgres } from '../../support/databases.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { BEGUN, nowSeconds, sealRecord, treeHead } from '../../support/log.ts';

const WITNESS = 'witness.example/w1';
const root = await temporaryDirectory();
after(() => rm(root, { recursive: true, force: true }));

/** Ends with its scope. */
interface RunningWitness extends AsyncDisposable {
  readonly vkey: string;
  readonly url: string;
}

async function startWitness(directory: string, logVkey: string): Promise<RunningWitness> {
  const args = ['witness', '--name', WITNESS, '--data', directory, '--log', logVkey, '--port', '0'];
  const child = await ChildService.start({}, args);
  const vkey = /^vkey: (.*)$/m.exec(child.output.stdout)?.[1] ?? assert.fail(child.output.stdout);
  return { vkey, url: child.url, [Symbol.asyncDispose]: async () => void (await child.end('SIGKILL')) };
}

async function witnessedSize(service: TestService): Promise<number> {
  const answer = await service.call('/astralock/checkpoint.witnessed');
  return answer.status === 200 ? Number(answer.text.split('\n')[1]) : 0;
}

async function verification(service: TestService, id: unknown) {
  const found = VerificationAnswer.parse((await service.call(`/api/attest/verify/${String(id)}`)).json);
  return { found, witnesses: found.checks.find(({ name }) => name === 'witnesses') };
}

for (const engine of ENGINES) {
  suite(`a witness process beside a service on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('cosigns the growing log, and proofs are upgraded to what it cosigned', async () => {
      const data = { dataDir: join(root, engine), databaseUrl: await freshDatabase(engine) };
      let logVkey: string;
      {
        await using alone = await TestService.start(data);
        logVkey = (await treeHead(alone)).vkeys[0] as string;
        expectProblem(await alone.call('/astralock/checkpoint.witnessed'), 404, 'not_witnessed');
      }
      await using witness = await startWitness(join(root, `witness-of-${engine}`), logVkey);
      const file = join(root, `${engine}.policy`);
      await writeFile(file, `witness w1 ${witness.vkey} ${witness.url}\nquorum w1\n`);
      const env = { AVOUCH_WITNESS_POLICY_FILE: file, AVOUCH_WITNESS_EVERY_S: '60' };
      await using service = await TestService.start({ ...data, env });
      const { json: sealed } = await sealRecord(service, 'to be witnessed');
      const seq = Number(sealed['seq']);
      assert.ok(seq >= BEGUN);
      await until('the witness to cosign', async () => {
        await service.runNow('witness');
        return (await witnessedSize(service)) > seq;
      });

      const { text } = await service.call('/astralock/checkpoint.witnessed');
      const { policy } = KeyDocument.parse((await service.call('/.well-known/avouch-keys.json')).json);
      const { cosignatures } = verifyPolicyCheckpoint(text, parsePolicy(policy), nowSeconds());
      assert.deepEqual(
        cosignatures.map(({ key }) => key.name),
        [WITNESS],
      );
      const head = await treeHead(service);
      assert.deepEqual([head.witnessed_checkpoint, head.witnesses.map(({ name }) => name)], [text, [WITNESS]]);

      const { found, witnesses } = await verification(service, sealed['attestation_id']);
      assert.deepEqual(witnesses, { name: 'witnesses', ok: true, count: 1, quorum: 1 });
      assert.deepEqual([found.valid, found.checkpoint], [true, text]);
      assert.ok(!String(sealed['proof']).includes(WITNESS), 'the answer of the seal came before the witness');
      const strict = parsePolicy(`log ${logVkey}\nwitness w1 ${witness.vkey}\nquorum w1\n`);
      const entry = Buffer.from(found.entry, 'base64');
      const { index } = verifyTlogProof({ proof: found.proof, entry }, strict, nowSeconds());
      assert.equal(Number(index), seq);
      assert.throws(() => verifyTlogProof({ proof: String(sealed['proof']), entry }, strict, nowSeconds()));

      await witness[Symbol.asyncDispose]();
      const { json: later } = await sealRecord(service, 'while the witness is away');
      const unwitnessed = await verification(service, later['attestation_id']);
      assert.equal(unwitnessed.found.valid, true);
      assert.deepEqual([unwitnessed.witnesses?.ok, unwitnessed.witnesses?.state], [null, 'unwitnessed']);
    });
  });
}
