import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { systemClock } from '#kernel/clock.ts';
import { chainForTest } from '#sandbox/chain/_chain.ts';
import { ensureBuyerKey, payWithTestMoney } from '#sandbox/chain/buyer.ts';
import { FacilitatorSimulator } from '#sandbox/facilitator/simulator.ts';
import { payment } from '../../../src/platform/payments/_settlement.ts';
import { openRealSettlement, type SettlementOptions } from '#platform/payments/open-settlement.ts';
import { openChainSettlement } from '#sandbox/chain/open-chain-settlement.ts';
import { ChildService } from '../../support/child-service.ts';
import { Client, expectProblem } from '../../support/client.ts';
import { hasPostgres } from '../../support/databases.ts';
import { openStore } from '../../support/engines.ts';
import { serviceEnv, TestService } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { SettlementStub } from '../../support/settlement-stub.ts';
import { until } from '../../support/until.ts';
import { sha256Hex } from '#kernel/ids.ts';

const clock = systemClock();
/** A busy machine is no outage of the chain. */
const patience = 30;

async function productionParts(change: Record<string, string | undefined>) {
  const dataDir = await temporaryDirectory();
  const passphrase = join(dataDir, 'passphrase');
  const serverSecret = join(dataDir, 'server-secret');
  writeFileSync(passphrase, 'a passphrase of production');
  writeFileSync(serverSecret, sha256Hex('a secret'));
  const config = readConfig({
    AVOUCH_PROFILE: 'production',
    BASE_URL: 'https://avouch.example',
    AVOUCH_OPERATOR_NAME: 'Example BV',
    AVOUCH_OPERATOR_CONTACT: 'https://avouch.example/contact',
    AVOUCH_KEY_PASSPHRASE_FILE: passphrase,
    AVOUCH_SERVER_SECRET_FILE: serverSecret,
    AVOUCH_REGISTERS: 'off',
    AVOUCH_WALLET_TOPUP: 'off',
    AVOUCH_PAY_TO: '0x2b5ad5c4795c026514f8317c7a215e218dccd6cf',
    AVOUCH_FX_USD_EUR: '0.92',
    AVOUCH_FX_AS_OF: '2026-11-01',
    AVOUCH_MAIL: 'off',
    DATA_DIR: dataDir,
    ...change,
  });
  const opened = await openStore('sqlite');
  return { config, secrets: readSecrets(config), store: opened.store, clock, runsChain: true, patience };
}

/** As the settings say. */
const openSettlement = (options: SettlementOptions) =>
  options.config.settlement === null
    ? openChainSettlement(options)
    : openRealSettlement(options, options.config.settlement);

suite('production', () => {
  test('refuses a chain whose token is not the real one', async () => {
    await using chain = await chainForTest();
    await using simulator = await FacilitatorSimulator.start({ rpcUrl: chain.rpcUrl, network: 'eip155:8453' });
    const parts = await productionParts({ AVOUCH_RPC_URL: chain.rpcUrl, AVOUCH_FACILITATOR_URL: simulator.url });
    await assert.rejects(openSettlement(parts), /the token on the chain is not USD Coin/);
  });

  test('starts without an answer of the chain, says so, and takes no payment until it has checked it', async () => {
    const nowhere = 'http://127.0.0.1:1';
    const parts = await productionParts({ AVOUCH_RPC_URL: nowhere, AVOUCH_FACILITATOR_URL: nowhere });
    await using opened = await openSettlement(parts);
    assert.equal(opened.sandbox, null);
    const { backend } = opened;
    assert.equal(backend?.name, 'facilitator');
    assert.equal(backend?.status().state, 'down');
    const one = await payment();
    await assert.rejects(backend?.payerFacts(one.authorization) ?? Promise.resolve(), {
      name: 'ChainUnavailableError',
    });
    assert.deepEqual(await backend?.settle(one), { outcome: 'unknown', transaction: null });
    assert.deepEqual(await backend?.reconcile(one), { outcome: 'unknown' });
  });

  const hiccups: readonly (readonly [what: string, status: number, text: string | null])[] = [
    ['that it has too many requests', 429, null],
    ['HTML', 200, '<html>back soon</html>'],
    ['not found', 404, '{"error":"not found"}'],
    ['that it settles nothing', 200, '{"kinds":[]}'],
    ['that the credential is wrong', 401, null],
  ];
  for (const [what, status, text] of hiccups) {
    test(`asks the facilitator again, and then takes payments, where its first response was ${what}`, async () => {
      await using stub = await SettlementStub.start();
      stub.isNodeUp = false;
      const parts = await productionParts({ AVOUCH_RPC_URL: stub.url, AVOUCH_FACILITATOR_URL: stub.url });
      await using opened = await openSettlement(parts);
      const { authorization } = await payment();
      const facts = async () => opened.backend?.payerFacts(authorization);
      Object.assign(stub, { isNodeUp: true, status, text });
      await assert.rejects(facts(), { name: 'ChainUnavailableError' });
      Object.assign(stub, { status: 200, text: null });
      assert.equal((await facts())?.hasCode, true);
      assert.equal(opened.backend?.status().state, 'up');
    });
  }

  for (const [what, status, text] of hiccups.slice(0, 3)) {
    test(`starts without payments where the response of the facilitator is ${what}`, async () => {
      await using stub = await SettlementStub.start();
      Object.assign(stub, { status, text });
      const parts = await productionParts({ AVOUCH_RPC_URL: stub.url, AVOUCH_FACILITATOR_URL: stub.url });
      await using opened = await openSettlement(parts);
      assert.equal(opened.backend?.status().state, 'down');
    });
  }

  test('settles with its own key when told so', async () => {
    const key = join(await temporaryDirectory(), 'key');
    writeFileSync(key, `0x${'1'.repeat(64)}\n`);
    const parts = await productionParts({
      AVOUCH_SETTLEMENT: 'chain',
      AVOUCH_RPC_URL: 'http://127.0.0.1:1',
      AVOUCH_SETTLER_KEY_FILE: key,
      AVOUCH_BATCH_CONTRACT: `0x${'a'.repeat(40)}`,
    });
    await using opened = await openSettlement(parts);
    assert.equal(opened.backend?.name, 'chain');
  });
});

suite('the sandbox', () => {
  test('settles a payment on its own chain, which is the same one after a restart', async () => {
    const dataDir = await temporaryDirectory();
    const config = readConfig({ DATA_DIR: dataDir });
    const instances: string[] = [];
    for (let i = 0; i < 2; i++) {
      const { store } = await openStore('sqlite');
      await using opened = await openSettlement({
        config,
        secrets: readSecrets(config),
        store,
        clock,
        runsChain: true,
        patience,
      });
      instances.push(opened.chainInstance);
      const { sandbox, backend } = opened;
      const one = await payment();
      await sandbox?.money.mint(one.authorization.from, 2000n);
      assert.equal((await backend?.settle(one))?.outcome, 'confirmed');
      assert.equal(await sandbox?.money.balance(one.authorization.to), BigInt(2000 * (i + 1)));
    }
    assert.equal(instances[0], instances[1]);
  });

  test('without the binary of its chain says what to do, and serves everything but paid calls', async () => {
    const dataDir = await temporaryDirectory();
    const service = await ChildService.start({
      ...serviceEnv(dataDir, undefined, { AVOUCH_LOG_LEVEL: 'warn' }),
      NAPI_RS_NATIVE_LIBRARY_PATH: join(dataDir, 'no-such-binary.node'),
    });
    const client = new Client();
    try {
      // Nothing is known of the chain in the first seconds.
      const refused = await until('a call that quotes no price', async () => {
        const answer = await client.call(service.url, '/v1/agent-coordination-audit?system=demo');
        return answer.status !== 402 && answer;
      });
      assert.equal(expectProblem(refused, 503, 'chain_unavailable')['charged'], false);
      assert.equal((await client.call(service.url, '/v1/check?amount_usd=0.05')).status, 200);
      const line =
        /"msg":"component state change","component":"settlement","from":"up","to":"down".*npm install --no-save --omit=dev/;
      await until('what it says', () => line.test(service.output.stderr));
    } finally {
      client.close();
      assert.equal(await service.end('SIGTERM'), 0);
    }
  });

  test('has after a kill the balances of before, and takes payments', async () => {
    const dataDir = await temporaryDirectory();
    const buyer = ensureBuyerKey(dataDir);
    const client = new Client();
    const balances: unknown[] = [];
    try {
      for (const system of ['one', 'two']) {
        const { url, ...service } = await ChildService.start(serviceEnv(dataDir, undefined));
        try {
          const path = `/v1/agent-coordination-audit?system=${system}`;
          const balance = async () => (await client.call(url, `/sandbox/balance/${buyer.address}`)).json['balance'];
          balances.push(await balance());
          const challenge = String((await client.call(url, path)).headers['payment-required']);
          const header = await payWithTestMoney(challenge, buyer, clock.now());
          const headers = { 'payment-signature': header };
          // A settlement that takes too long on a busy machine is waited for by the same payment again.
          const paid = await until('the paid answer', async () => {
            const answer = await client.call(url, path, { headers });
            return answer.status !== 503 && answer;
          });
          assert.equal(paid.status, 200, paid.text);
          balances.push(await balance());
        } finally {
          service.process.kill('SIGKILL');
          await once(service.process, 'exit');
        }
      }
    } finally {
      client.close();
    }
    assert.deepEqual(balances, ['100000000', '99950000', '99950000', '99900000']);
  });

  test('has one chain for all processes on its data directory', async (context) => {
    if (!(await hasPostgres())) return context.skip('no PostgreSQL here');
    await using first = await TestService.start({ engine: 'postgres', opensSettlement: true });
    const { dataDir, databaseUrl } = first;
    await using second = await TestService.start({ dataDir, databaseUrl, opensSettlement: true });
    const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    await second.call('/sandbox/faucet', { method: 'POST', body: { address } });
    assert.equal((await first.call(`/sandbox/balance/${address}`)).json['balance'], '5000000');
    assert.equal(await first.service.buyer(), await second.service.buyer());
  });
});
