import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import type { SettlementConfig } from '#platform/config/settlement.ts';
import { ed25519PrivateKeyFromSeed } from '#protocol/ed25519.ts';
import type { ListingAnswer } from '#protocol/payment/extension-responses.ts';
import { facilitatorSecret, facilitatorToken } from '#protocol/payment/facilitator-token.ts';
import { payee } from '#sandbox/chain/_chain.ts';
import { SANDBOX_TOKEN } from '#sandbox/chain/sandbox-contracts.ts';
import { FACILITATOR_MODES, type FacilitatorMode } from '#sandbox/facilitator/mode.ts';
import { FacilitatorSimulator, type SimulatorOptions } from '#sandbox/facilitator/simulator.ts';
import { TokenCheck } from '#sandbox/facilitator/token-check.ts';
import { Buyer, challengeOf } from '../../../test/support/buyer.ts';
import { ENGINES, hasPostgres } from '../../../test/support/databases.ts';
import { type Answer, expectProblem } from '../../../test/support/client.ts';
import { openStore } from '../../../test/support/engines.ts';
import { TestService } from '../../../test/support/service.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { until } from '../../../test/support/until.ts';
import { AMOUNT, runFacilitatorMode } from './_facilitator-run.ts';
import { clock, NETWORK, openWorld, paidTo, PATIENT_MS, payment } from './_settlement.ts';
import { ChainReads } from './chain-reads.ts';
import { FacilitatorBackend } from './facilitator.ts';
import { LISTINGS, listingKeeper } from './listing.ts';
import { openFacilitator as openReal } from './real-settlement.ts';
import { RpcClient } from './rpc.ts';

const CALLS = 4;
const noPostgres = !(await hasPostgres());
const world = await openWorld();
after(() => world[Symbol.asyncDispose]());

/** What settle says of every call in a mode, and what the chain says afterwards where settle could not know. */
const EXPECTED: Readonly<
  Record<FacilitatorMode, { settle: 'confirmed' | 'failed' | 'unknown'; chain: 'confirmed' | 'unused' }>
> = {
  clean: { settle: 'confirmed', chain: 'confirmed' },
  slow_answer: { settle: 'confirmed', chain: 'confirmed' },
  accept_then_timeout: { settle: 'unknown', chain: 'confirmed' },
  '5xx_after_settle': { settle: 'unknown', chain: 'confirmed' },
  double_402: { settle: 'unknown', chain: 'confirmed' },
  pending_then_refused: { settle: 'unknown', chain: 'unused' },
  reconcile_unavailable: { settle: 'unknown', chain: 'confirmed' },
  bad_json: { settle: 'unknown', chain: 'confirmed' },
  dropped_connection: { settle: 'unknown', chain: 'confirmed' },
  declared_safe: { settle: 'failed', chain: 'unused' },
  redirect: { settle: 'unknown', chain: 'unused' },
  success_false_with_200: { settle: 'unknown', chain: 'unused' },
  lying_success: { settle: 'unknown', chain: 'unused' },
};

suite('a facilitator in every mode', () => {
  for (const mode of FACILITATOR_MODES) {
    const { settle, chain } = EXPECTED[mode];
    test(`${mode}: settle is ${settle}, and the chain shows ${chain}`, async () => {
      const run = await runFacilitatorMode(world, mode, CALLS);
      assert.deepEqual(run.settlements, { [settle]: CALLS });
      assert.deepEqual(run.reconciled, settle === 'unknown' ? { [chain]: CALLS } : {});
      assert.equal(run.paidOnChain, chain === 'confirmed' ? CALLS : 0);
      assert.equal(run.wrong, 0);
      assert.equal(run.moved, BigInt(run.paidOnChain) * AMOUNT, 'nobody is charged twice');
    });
  }
});

async function openFacilitator(change: Partial<SimulatorOptions> = {}) {
  const { rpcUrl } = world.chain;
  const simulator = await FacilitatorSimulator.start({ rpcUrl, network: NETWORK, ...change });
  const reads = new ChainReads({
    rpc: new RpcClient({ url: rpcUrl, timeoutMs: PATIENT_MS }),
    token: SANDBOX_TOKEN,
    clock,
  });
  const options = {
    url: simulator.url,
    network: NETWORK,
    reads,
    clock,
    authorization: null,
    pollEveryMs: 20,
    timeoutMs: PATIENT_MS,
  };
  return { simulator, options, [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose]() };
}

suite('a facilitator at the start', () => {
  test('must settle exact payments of version 2 on the network', async () => {
    await using opened = await openFacilitator({ network: 'eip155:84532' });
    const backend = new FacilitatorBackend(opened.options);
    await assert.rejects(backend.requireSupport(), { name: 'SettlementRefusedError' });
    await new FacilitatorBackend({ ...opened.options, network: 'eip155:84532' }).requireSupport();
  });

  test('that does not answer may be asked again later', async () => {
    await using opened = await openFacilitator();
    const backend = new FacilitatorBackend({ ...opened.options, url: 'http://127.0.0.1:1' });
    await assert.rejects(backend.requireSupport(), { name: 'ChainUnavailableError' });
  });

  test('gets the credential with every call', async () => {
    await using opened = await openFacilitator({ authorization: 'Bearer right' });
    await assert.rejects(new FacilitatorBackend(opened.options).requireSupport(), { name: 'SettlementRefusedError' });
    const backend = new FacilitatorBackend({ ...opened.options, authorization: () => 'Bearer right' });
    await backend.requireSupport();
    assert.equal((await backend.settle(await payment())).outcome, 'confirmed');
  });
});

/** The seed of RFC 8032, test 1, and its public key. */
const SECRET = 'nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2DXWpgBgrEKt9VL/tPJZAc6DuFy89qmIyWvAhpo9wdRGg==';
const KEY = { keyId: 'key-1', privateKey: facilitatorSecret(SECRET) ?? assert.fail('not a secret') };
const BAZAAR_EXTENSION = { info: { input: { type: 'http' } }, schema: {} };
const LISTING = { operationId: 'eu_vat_check', bazaar: BAZAAR_EXTENSION };

/** A facilitator that takes a token once, for the call that it names. */
async function openTokenFacilitator() {
  const check = new TokenCheck({ keyId: 'key-1', publicKey: Buffer.from(SECRET, 'base64').subarray(32), clock });
  const opened = await openFacilitator({ authorization: check });
  const config = { facilitatorUrl: opened.simulator.url } as SettlementConfig;
  const { reads } = opened.options;
  const parts = { reads, clock, timeoutMs: PATIENT_MS };
  return { ...opened, check, backend: openReal(config, { facilitatorAuth: null, facilitatorKey: KEY }, parts) };
}

suite('a facilitator that wants a token for each call', () => {
  test('takes supported and settle, each with a token of its own', async () => {
    await using opened = await openTokenFacilitator();
    await opened.backend.requireSupport();
    assert.equal((await opened.backend.settle(await payment())).outcome, 'confirmed');
    await opened.backend.requireSupport();
  });

  test('refuses the token of another call, of another time, of another key, and one that was used', async () => {
    await using opened = await openTokenFacilitator();
    const { check, options } = opened;
    const nowSeconds = Math.floor(clock.now() / 1000);
    const settle = { method: 'POST', url: `${options.url}/settle`, nonce: '0'.repeat(32), nowSeconds } as const;
    const supported = { ...settle, method: 'GET', url: `${options.url}/supported` } as const;
    const fault = (token: string, { method, url }: { method: string; url: string }) =>
      check.fault(`Bearer ${token}`, method, url);
    assert.equal(fault(facilitatorToken(KEY, settle), supported), 'uri');
    assert.equal(fault(facilitatorToken(KEY, supported), settle), 'uri');
    assert.equal(fault(facilitatorToken(KEY, { ...settle, nowSeconds: nowSeconds - 121 }), settle), 'time');
    assert.equal(fault(facilitatorToken(KEY, { ...settle, nowSeconds: nowSeconds + 90 }), settle), 'time');
    assert.equal(fault(facilitatorToken({ ...KEY, keyId: 'key-2' }, settle), settle), 'key');
    const stranger = { ...KEY, privateKey: ed25519PrivateKeyFromSeed(new Uint8Array(32)) };
    assert.equal(fault(facilitatorToken(stranger, settle), settle), 'signature');
    assert.equal(fault(facilitatorToken(KEY, settle), settle), null);
    assert.equal(fault(facilitatorToken(KEY, settle), settle), 'reused');
    const swapped = (_method: string, url: string) =>
      `Bearer ${facilitatorToken(KEY, url.endsWith('settle') ? supported : settle)}`;
    const backend = new FacilitatorBackend({ ...options, authorization: swapped });
    await assert.rejects(backend.requireSupport(), {
      name: 'SettlementRefusedError',
      message: 'the facilitator refuses the credential (401): check its key and the clock',
    });
    const one = await payment();
    assert.deepEqual(await backend.settle(one), { outcome: 'unknown', transaction: null });
    assert.equal(backend.status().detail, 'the facilitator refuses the credential (401)');
    assert.equal((await backend.reconcile(one)).outcome, 'unused');
  });

  test('shows neither token nor secret in logs, answers, metrics or stored data', async (t) => {
    await using opened = await openTokenFacilitator();
    const lines: string[] = [];
    t.mock.method(process.stderr, 'write', (line: string) => lines.push(line) > 0);
    const dataDir = await temporaryDirectory();
    const env = { AVOUCH_LOG_LEVEL: 'debug' };
    const service = await TestService.start({ settlement: opened.backend, dataDir, env });
    const seen: string[] = [];
    try {
      const path = '/v1/agent-coordination-audit?system=demo';
      const buy = async () => {
        // A client that echoes nothing.
        const { extensions: _, ...asked } = challengeOf(await service.call(path));
        const buyer = new Buyer();
        await world.money.mint(buyer.address, 1_000_000n);
        const { header } = await buyer.sign(asked, { nowSeconds: Math.floor(Date.now() / 1000) });
        return service.call(path, { headers: { 'payment-signature': header } });
      };
      const paid = await buy();
      assert.equal(paid.status, 200);
      const [settled] = opened.simulator.asked;
      assert.ok(settled?.paymentPayload.extensions?.['bazaar'] !== undefined);
      opened.simulator.mode = '5xx_after_settle';
      seen.push(paid.text, (await buy()).text);
      for (const address of ['/system/status', '/metrics', '/openapi.json'])
        seen.push((await service.call(address)).text);
    } finally {
      await service[Symbol.asyncDispose]();
      t.mock.restoreAll();
    }
    for (const file of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
      if (file.isFile()) seen.push(readFileSync(join(file.parentPath, file.name), 'latin1'));
    }
    assert.ok(lines.length > 0);
    const secrets = [
      SECRET,
      SECRET.slice(0, 40),
      'Bearer ey',
      Buffer.from('{"alg":"EdDSA","kid":"key-1"').toString('base64url'),
    ];
    for (const secret of secrets) {
      assert.ok(!lines.some((line) => line.includes(secret)), `a log line has ${secret}`);
      assert.ok(!seen.some((text) => text.includes(secret)), `stored or answered: ${secret}`);
    }
  });
});

suite('the catalogue of a facilitator', () => {
  test('gets our bazaar where the client left it out, and what the client echoed where not', async () => {
    await using opened = await openFacilitator();
    const backend = new FacilitatorBackend(opened.options);
    const plain = await payment();
    await backend.settle({ ...plain, listing: LISTING });
    const echoed = await payment();
    const extensions = { bazaar: { info: 'echoed' } };
    await backend.settle({ ...echoed, payload: { ...echoed.payload, extensions }, listing: LISTING });
    assert.deepEqual(
      opened.simulator.asked.map(({ paymentPayload }) => paymentPayload.extensions),
      [{ bazaar: BAZAAR_EXTENSION }, extensions],
    );
  });

  test('says what it did with a call; a rejection does not touch the payment', async () => {
    const told: [string, ListingAnswer][] = [];
    for (const listing of [
      { bazaar: { status: 'rejected', rejectedReason: 'schema' } },
      { bazaar: { status: 'success' } },
      { bazaar: 7 },
    ]) {
      await using opened = await openFacilitator({ listing });
      const onListing = (operationId: string, answer: ListingAnswer) => void told.push([operationId, answer]);
      const backend = new FacilitatorBackend({ ...opened.options, onListing });
      assert.equal((await backend.settle({ ...(await payment()), listing: LISTING })).outcome, 'confirmed');
    }
    assert.deepEqual(told, [
      ['eu_vat_check', { status: 'rejected', reason: 'schema' }],
      ['eu_vat_check', { status: 'success', reason: '' }],
    ]);
  });

  for (const name of ENGINES) {
    test(`is remembered for each call on ${name}: its newest answer`, {
      skip: name === 'postgres' && noPostgres,
    }, async () => {
      await using opened = await openStore(name);
      const times = new ManualClock(1_000);
      const keep = listingKeeper(opened.store, times);
      await keep('a', { status: 'processing', reason: '' });
      await keep('b', { status: 'success', reason: '' });
      times.advance(1_000);
      await keep('a', { status: 'rejected', reason: 'schema' });
      await keep('b', { status: 'success', reason: '' });
      assert.deepEqual(await opened.store.read(LISTINGS), [
        { operationId: 'a', status: 'rejected', reason: 'schema', atMs: 2_000 },
        { operationId: 'b', status: 'success', reason: '', atMs: 1_000 },
      ]);
    });
  }
});

suite('a settlement that may be under way', () => {
  /** A service, and one purchase that its buyer repeats. */
  const openPurchase = async () => {
    await using stack = new AsyncDisposableStack();
    const { simulator, options } = stack.use(await openFacilitator());
    const service = stack.use(await TestService.start({ settlement: new FacilitatorBackend(options) }));
    const path = '/v1/agent-coordination-audit?system=demo';
    const buyer = new Buyer();
    await world.money.mint(buyer.address, 1_000_000n);
    const nowSeconds = Math.floor(Date.now() / 1000);
    const { header, nonce } = await buyer.sign(challengeOf(await service.call(path)), { nowSeconds });
    const send = () => service.call(path, { headers: { 'payment-signature': header } });
    const kept = stack.move();
    return { simulator, nonce, send, [Symbol.asyncDispose]: () => kept.disposeAsync() };
  };
  const verdictOf = (send: () => Promise<Answer>) =>
    until('a verdict', async () => {
      const answer = await send();
      if (answer.status !== 200) expectProblem(answer, 503, 'settlement_pending');
      return answer.status === 200;
    });

  test('is not called failed when the facilitator calls it pending and refuses it afterwards', async () => {
    await using purchase = await openPurchase();
    const { simulator, nonce, send } = purchase;
    simulator.mode = 'pending_then_refused';
    const { payment: told } = expectProblem(await send(), 503, 'settlement_pending');
    // The simulator gives the nonce as the hash of a transaction that it did not send.
    assert.equal((told as { transaction: unknown }).transaction, nonce);
    await verdictOf(send);
  });

  test('is not called failed when its first response was lost and the facilitator refuses a repeat', async () => {
    await using purchase = await openPurchase();
    const { simulator, send } = purchase;
    simulator.mode = 'redirect';
    expectProblem(await send(), 503, 'settlement_pending');
    simulator.mode = 'declared_safe';
    const before = simulator.asked.length;
    await until('a repeat', async () => {
      expectProblem(await send(), 503, 'settlement_pending');
      return simulator.asked.length > before;
    });
    expectProblem(await send(), 503, 'settlement_pending');
    simulator.mode = 'clean';
    await verdictOf(send);
  });
});

suite('what a facilitator says', () => {
  test('a used authorization is never called failed, whatever the facilitator gives as its reason', async () => {
    await using opened = await openFacilitator();
    const paid = await paidTo(payee, world);
    const backend = new FacilitatorBackend(opened.options);
    const one = await payment();
    assert.equal((await backend.settle(one)).outcome, 'confirmed');
    opened.simulator.mode = 'declared_safe';
    assert.equal((await backend.settle(one)).outcome, 'unknown');
    assert.equal((await backend.reconcile(one)).outcome, 'confirmed');
    assert.equal(await paid(), 2000n);
  });

  test('the transaction of another payment proves nothing for this one', async () => {
    await using opened = await openFacilitator();
    const backend = new FacilitatorBackend(opened.options);
    const first = await payment();
    const settled = await backend.settle(first);
    assert.equal(settled.outcome, 'confirmed');
    const reads = opened.options.reads;
    const other = await payment();
    const { transaction } = settled as { transaction: `0x${string}` };
    assert.equal(await reads.paidIn(transaction, other.authorization), undefined);
    assert.notEqual(await reads.paidIn(transaction, first.authorization), undefined);
  });

  test('a mode is switched over HTTP', async () => {
    await using opened = await openFacilitator();
    const post = (mode: string) =>
      fetch(`${opened.simulator.url}/mode`, { method: 'POST', body: JSON.stringify({ mode }) });
    assert.equal((await post('bad_json')).status, 200);
    assert.equal(opened.simulator.mode, 'bad_json');
    assert.equal((await post('none')).status, 400);
  });
});

test('a probe asks the facilitator and the node: without either no payment can be taken', async () => {
  await using opened = await openFacilitator();
  await new FacilitatorBackend(opened.options).probe();
  const silent = 'http://127.0.0.1:1';
  const lost = new ChainReads({ rpc: new RpcClient({ url: silent }), token: SANDBOX_TOKEN, clock });
  const answer = { name: 'ChainUnavailableError', message: 'the chain does not respond' };
  await assert.rejects(new FacilitatorBackend({ ...opened.options, reads: lost }).probe(), answer);
  const message = 'the facilitator does not respond';
  await assert.rejects(new FacilitatorBackend({ ...opened.options, url: silent }).probe(), { ...answer, message });
});
