import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { seedOfEntry } from '#platform/log/public-log.ts';
import { paidFees } from '#areas/attestation/unit.ts';
import { Executions } from '#areas/capabilities/executions.ts';
import { HeavyWork } from '#areas/capabilities/outside/heavy-work.ts';
import { ModelClient } from '#areas/capabilities/outside/model-client.ts';
import { type PriceTable, readPriceTable } from '#areas/capabilities/prices.ts';
import { CapabilityWork } from '#areas/capabilities/work.ts';
import { ManualClock, systemClock } from '#kernel/clock.ts';
import { ledger, walletOf } from '#platform/ledger/steps.ts';
import { MODEL_SIMULATOR, ModelSimulator } from '#sandbox/model-provider/simulator.ts';
import type { Store } from '#platform/storage/store.ts';
import { type Buyer, buyer, withProvider } from '../../support/capabilities.ts';
import { openStore } from '../../support/engines.ts';
import { ChildService } from '../../support/child-service.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { serviceEnv, TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { fund } from '../../support/wallet.ts';

const AGENT = 'agt_0123456789abcdefghjkmnpqrs';
const { provider: NAME, model: MODEL } = MODEL_SIMULATOR.price;
const INPUT = {
  capability: 'text.translate',
  input: { text: 'Dag', to: 'en' },
  inputs: undefined,
  options: { mode: 'auto' as const, model: null, max_charge_eur: null, max_output_tokens: 100 },
  idempotency_key: 'once',
  agent_key: undefined,
};

/** The executions of one process, with its own clock. */
function processOf(store: Store, name: string, url: string, nowMs: () => number): Executions {
  const clock = { now: nowMs };
  const prices = readPriceTable('{"version":"1","prices":[]}', [MODEL_SIMULATOR.price]) as PriceTable;
  const models = [{ id: MODEL, does: ['text'] as const }];
  const provider = {
    name: NAME,
    kind: 'openai_compatible' as const,
    baseUrl: `${url}/v1`,
    apiKey: null,
    models,
    auto: true,
  };
  const work = new CapabilityWork({
    clock,
    prices,
    fxMicro: 1_000_000,
    hasExtra: (extra) => extra !== 'ocr',
    heavy: new HeavyWork({ clock: systemClock() }),
    models: new ModelClient([provider]),
    fetch: () => assert.fail('nothing is fetched here'),
  });
  const caller = async () => ({ agentId: AGENT, keyId: 'key_1', name: 'buyer', scopes: [] });
  return new Executions({
    store,
    clock,
    work,
    prices,
    paidFees,
    seedOf: (id) => seedOfEntry(store, id),
    process: name,
    fx: { rate: '1', asOf: '2026-11-15' },
    authenticate: caller,
    recognise: caller,
    notary: { sandbox: true, receipt: ({ signed }) => signed as never },
  });
}

async function balanceOf(store: Store): Promise<readonly unknown[]> {
  const [row] = await store.read('SELECT posted, held FROM ledger_account WHERE id = $1', [walletOf(AGENT)]);
  return [row?.['posted'], row?.['held']];
}

/** Resolves when the provider is next asked. */
function asked(provider: ModelSimulator): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  provider.onRequest = async () => resolve();
  return promise;
}

suite('what a process that is gone had begun', () => {
  for (const engine of ENGINES) {
    test(`is given up when its time is over, and never charged, on ${engine}`, async (context) => {
      if (engine === 'postgres' && !(await hasPostgres())) return context.skip('no PostgreSQL here');
      await using opened = await openStore(engine);
      await using provider = await ModelSimulator.start();
      const { store } = opened;
      await fund(store, AGENT, 1_000_000);
      let nowMs = Date.now();
      const [gone, alive] = ['gone', 'alive'].map((name) => processOf(store, name, provider.url, () => nowMs)) as [
        Executions,
        Executions,
      ];
      provider.fault = 'timeout';
      const isAsked = asked(provider);
      const lost = gone.execute(INPUT);
      await isAsked;
      assert.notDeepEqual(await balanceOf(store), [1_000_000, 0]);
      assert.equal(await alive.recover(false), 0, 'another process may still be at it');
      nowMs += 120_001;
      assert.equal(await alive.recover(false), 1);
      assert.deepEqual(await balanceOf(store), [1_000_000, 0]);
      gone.stop();
      assert.equal(((await lost) as { type?: { code: string } }).type?.code, 'provider_failed');
      provider.fault = null;
      const again = (await alive.execute(INPUT)) as { price: { charged_eur: string } };
      assert.equal(again.price.charged_eur, '0.01', 'the key was free again');
      assert.deepEqual(await balanceOf(store), [990_000, 0]);
      assert.equal(await alive.recover(true), 0);
    });
  }

  test('an answer that comes after its execution was given up is not charged', async () => {
    await using opened = await openStore('sqlite');
    await using provider = await ModelSimulator.start();
    const { store } = opened;
    await fund(store, AGENT, 1_000_000);
    const slow = processOf(store, 'slow', provider.url, () => Date.now());
    const other = processOf(store, 'other', provider.url, () => Date.now());
    provider.onRequest = () => other.recover(true).then(() => undefined);
    const late = (await slow.execute(INPUT)) as { type?: { code: string } };
    assert.equal(late.type?.code, 'provider_failed');
    assert.deepEqual(await balanceOf(store), [1_000_000, 0]);
  });

  test('a charge whose hold expired under it is taken all the same', async () => {
    const injectedClock = new ManualClock(Date.now());
    await using opened = await openStore('sqlite', { injectedClock });
    await using provider = await ModelSimulator.start();
    const { store } = opened;
    await fund(store, AGENT, 1_000_000);
    provider.onRequest = async () => {
      injectedClock.advance(600_000);
      await store.runAll([ledger.expire({ dueBeforeMs: injectedClock.now() })]);
    };
    const executed = (await processOf(store, 'one', provider.url, () => injectedClock.now()).execute(INPUT)) as {
      price: object;
    };
    assert.ok(executed.price);
    assert.deepEqual(await balanceOf(store), [990_000, 0]);
  });
});

test('a killed service gives back at its next start what it held', async () => {
  await using provider = await ModelSimulator.start();
  const directory = await temporaryDirectory();
  const [providers, prices, dataDir] = ['providers.json', 'prices.json', 'data'].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  writeFileSync(
    providers,
    JSON.stringify([{ name: NAME, kind: 'openai_compatible', base_url: `${provider.url}/v1`, models: [MODEL] }]),
  );
  writeFileSync(prices, JSON.stringify({ version: '1', prices: [MODEL_SIMULATOR.price] }));
  const env = { AVOUCH_CAPABILITY_PROVIDERS: providers, AVOUCH_PRICES_FILE: prices };
  let agent: Buyer;
  {
    await using service = await TestService.start({ dataDir, env });
    agent = await buyer(service);
  }
  provider.fault = 'timeout';
  const child = await ChildService.start(serviceEnv(dataDir, undefined, env));
  const headers = { 'x-agent-key': agent.key, 'idempotency-key': 'killed', 'content-type': 'application/json' };
  const body = JSON.stringify({ capability: 'text.translate', input: { text: 'Dag', to: 'en' } });
  const isAsked = asked(provider);
  const lost = fetch(`${child.url}/capabilities/execute`, { method: 'POST', headers, body }).catch(() => 'lost');
  await isAsked;
  await child.end('SIGKILL');
  assert.equal(await lost, 'lost');
  provider.fault = null;
  await using service = await TestService.start({ dataDir, env });
  const own = { headers: { 'x-agent-key': agent.key } };
  const wallet = (await service.call('/api/agents/wallet', own)).json;
  assert.deepEqual([wallet['posted_eur'], wallet['held_eur']], ['10.00', '0.00']);
  const again = await service.call('/capabilities/execute', { method: 'POST', body, headers });
  assert.equal(again.status, 200, again.text);
});

test('an execution that a stop meets is finished and answered', async () => {
  await using held = await withProvider();
  const { service, provider } = held;
  const agent = await buyer(service);
  let stopped: Promise<void> | undefined;
  provider.onRequest = async () => {
    stopped ??= Promise.resolve(service.service[Symbol.asyncDispose]());
    // The request that is answered here is under way on a connection of its own.
    const isRefused = () =>
      fetch(`${service.url}/livez`).then(
        () => false,
        () => true,
      );
    await until('a service that takes no more calls', isRefused);
  };
  const headers = { 'x-agent-key': agent.key, 'content-type': 'application/json' };
  const body = JSON.stringify({ capability: 'text.translate', input: { text: 'Dag', to: 'en' } });
  const answer = await fetch(`${service.url}/capabilities/execute`, { method: 'POST', headers, body });
  assert.equal(answer.status, 200, await answer.text());
  await stopped;
});
