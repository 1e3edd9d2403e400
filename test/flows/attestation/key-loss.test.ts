// Drills: a key or the server secret is lost for ever, and the service goes on with everything that it had proven.
import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { VerificationAnswer } from '#areas/attestation/verify-operations.ts';
import { KeyDocument } from '#areas/discovery/operations.ts';
import { verifyConsistency, verifySealAnswer } from '../../../verify/avouch-verify.mjs';
import { TestService } from '../../support/service.ts';
import { sealRecord, treeHead } from '../../support/log.ts';
import { newPlace, type Place, removePlaces, run } from '../../support/recovery.ts';
import { registeredAgent } from '../../support/wallet.ts';
import { TestWitness, witnessedBy } from '../../support/witness.ts';

after(removePlaces);

suite('a service that lost', () => {
  let place: Place;
  let agentKey: string;
  let seal: Record<string, unknown>;
  let leased: Record<string, unknown>;
  let port = '0';
  const witness = new TestWitness(1);
  /** Always at one address: receipts name their issuer by it. */
  const start = () => {
    const { env, askWitness } = witnessedBy(place.dataDir, [witness], 1);
    return TestService.start({ ...place, env: { ...env, PORT: port }, askWitness });
  };
  before(async () => {
    place = await newPlace('sqlite');
    await using service = await start();
    ({ port } = new URL(service.url));
    const agent = await registeredAgent(service);
    await agent.fund(1_000_000);
    agentKey = agent.key;
    ({ json: seal } = await sealRecord(service, 'before'));
    ({ json: leased } = await service.call('/v1/claim?key=drill&agent=ab&receipt=yes'));
    assert.ok(leased['receipt'] !== undefined);
    for (const job of ['publish', 'witness']) await service.runNow(job);
    assert.equal((await verification(service)).witnesses, 1);
    // It learns the next key of the log by hand, and nobody tells it.
    witness.mood = 'silent';
  });

  async function lose(scope: string): Promise<void> {
    for (const name of await readdir(join(place.dataDir, 'keys'))) {
      if (name.startsWith(scope)) await rm(join(place.dataDir, 'keys', name));
    }
  }

  async function publishedOf(service: TestService, scope: string, alg = 'ed25519') {
    const { keys: all } = KeyDocument.parse((await service.call('/.well-known/avouch-keys.json')).json);
    return all.filter((key) => key.scope === scope && key.alg === alg);
  }

  async function verification(service: TestService) {
    const { json } = await service.call(`/api/attest/verify/${String(seal['attestation_id'])}`);
    const { valid, checks, proof } = VerificationAnswer.parse(json);
    const check = (name: string) => checks.find((one) => one.name === name);
    return { valid, proof, signedBy: check('checkpoint_signature')?.key, witnesses: check('witnesses')?.count };
  }

  async function statements(service: TestService): Promise<string> {
    return (await service.call('/api/attest/ledger?limit=1024')).text;
  }

  test('nothing refuses to replace a key whose file is there', async () => {
    await assert.rejects(run(['keys', 'replace', 'receipts'], place), /are here: rotate it instead/);
  });

  test('the key of receipts does not start; a replaced key signs, and old receipts still verify', async () => {
    await lose('receipts');
    await assert.rejects(start(), /belongs to receipts key \w+, whose file is not in/);
    await assert.rejects(run(['keys', 'rotate', 'receipts'], place), /whose file is not in/);
    assert.match(await run(['keys', 'replace', 'receipts'], place), /^Replaced\. Key \w+ signs from now on/m);
    await using service = await start();
    const { json } = await service.call('/v1/claim?key=drill-2&agent=ab&receipt=yes');
    for (const answered of [leased, json]) {
      const answer = await service.call('/v1/receipts/verify', { method: 'POST', body: { answer: answered } });
      assert.equal(answer.json['valid'], true, answer.text);
    }
    const [old, made] = await publishedOf(service, 'receipts');
    assert.deepEqual([old?.role, made?.role, old?.superseded_by], ['legacy', 'root', made?.declared_in]);
    assert.match(await statements(service), new RegExp(`key.lost receipts ${old?.key_id} replaced by ${made?.key_id}`));
  });

  test('the key of the log goes on with a new one: the same entries, and a consistency proof from the old head', async () => {
    const older = String(seal['checkpoint']);
    await lose('log-checkpoint');
    await assert.rejects(start(), /belongs to log-checkpoint key/);
    await run(['keys', 'replace', 'log-checkpoint'], place);
    await using service = await start();
    const vkeys = (await publishedOf(service, 'log-checkpoint')).map(({ vkey }) => vkey ?? '');
    assert.equal(vkeys.length, 2);
    const { checkpoint, consistency, vkeys: signing } = await treeHead(service, Number(older.split('\n')[1]));
    assert.deepEqual(signing, vkeys.slice(1));
    const joined = await verifyConsistency({ older, newer: checkpoint, hashes: consistency?.hashes ?? [] }, vkeys);
    assert.ok(joined.valid, JSON.stringify(joined.checks));
    const { json } = await sealRecord(service, 'after');
    for (const one of [seal, json]) assert.ok((await verifySealAnswer(one, vkeys)).valid);
    assert.deepEqual((await service.call('/api/astralock/audit')).json['problems'], []);
  });

  test('an entry whose newest witnessed checkpoint the lost key signed stays valid, and its page names that key', async () => {
    await using service = await start();
    const [lost] = (await publishedOf(service, 'log-checkpoint')).map(({ vkey }) => vkey ?? '');
    const { proof, ...answer } = await verification(service);
    assert.deepEqual(answer, { valid: true, signedBy: lost, witnesses: 1 });
    const { json } = await service.call('/api/attest/verify', { method: 'POST', body: { proof } });
    assert.equal(json['valid'], true);
    const page = await service.call(`/log/${String(seal['attestation_id'])}`, { headers: { accept: 'text/html' } });
    assert.equal(/--vkey &#39;([^&]+)&#39;/.exec(page.text)?.[1], lost);
  });

  test('the post-quantum key of the log replaces it likewise', async () => {
    await lose('log-cosign');
    await run(['keys', 'replace', 'log-cosign'], place);
    await using service = await start();
    assert.equal((await publishedOf(service, 'log-checkpoint', 'ml-dsa-44')).length, 2);
  });

  test('the server secret starts when a new one is accepted; keys of agents and balances stay', async () => {
    await rm(join(place.dataDir, 'server-secret'));
    await assert.rejects(start(), /server secret/);
    await run(['keys', 'accept-secret'], place);
    await using service = await start();
    const wallet = await service.call('/api/agents/wallet', { headers: { 'x-agent-key': agentKey } });
    assert.equal(wallet.json['available_eur'], '1.00', wallet.text);
    assert.equal((await service.call(`/api/attest/verify/${String(seal['attestation_id'])}`)).json['valid'], true);
  });
});
