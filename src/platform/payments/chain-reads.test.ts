import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { getContractAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { ManualClock } from '#kernel/clock.ts';
import { clientsOf, payee, payer } from '#sandbox/chain/_chain.ts';
import { SANDBOX_BATCH_SETTLE, SANDBOX_FAUCET_KEY, SANDBOX_TOKEN } from '#sandbox/chain/sandbox-contracts.ts';
import { ChainReads } from './chain-reads.ts';
import { RpcClient } from './rpc.ts';
import {
  clock,
  FaultyNode,
  inSeconds,
  openWorld,
  paidTo,
  PATIENT_MS,
  payment,
  settleable,
  settlerOn,
} from './_settlement.ts';

const world = await openWorld();
after(() => world[Symbol.asyncDispose]());

function readsOn(url: string, { minesOnDemand = true, timeoutMs = PATIENT_MS, time = clock } = {}): ChainReads {
  const rpc = new RpcClient({ url, timeoutMs });
  return new ChainReads({ rpc, token: SANDBOX_TOKEN, clock: time, minesOnDemand });
}

suite('what the chain says of a payer', () => {
  test('code, balance and nonce come in one round trip, and empty code is asked for once', async () => {
    const owner = privateKeyToAccount(generatePrivateKey());
    await world.money.mint(owner.address, 777n);
    await using node = await FaultyNode.before(world.chain.rpcUrl);
    const reads = readsOn(node.url);
    const one = await payment({ value: 7n }, owner);
    assert.deepEqual(await reads.payerFacts(one.authorization), { hasCode: false, balance: 777n, isNonceUsed: false });
    await using settler = settlerOn(world.chain.rpcUrl, world.store);
    await settler.settle(one);
    assert.deepEqual(await reads.payerFacts(one.authorization), { hasCode: false, balance: 770n, isNonceUsed: true });
    assert.deepEqual(node.calls, ['eth_call', 'eth_call', 'eth_getCode', 'eth_call', 'eth_call']);
  });

  test('a payer that is a contract is told apart every time', async () => {
    const reads = readsOn(world.chain.rpcUrl);
    const { authorization } = await payment({ from: SANDBOX_BATCH_SETTLE });
    for (let i = 0; i < 2; i++) assert.equal((await reads.payerFacts(authorization)).hasCode, true);
  });

  for (const fault of ['drop', 'html', 'redirect', 'refuse', 'endless'] as const) {
    test(`a node that answers with ${fault} counts as no chain`, async () => {
      await using node = await FaultyNode.before(world.chain.rpcUrl);
      node.fault = () => fault;
      const { authorization } = await payment();
      const reads = readsOn(node.url, fault === 'endless' ? { timeoutMs: 50 } : {});
      await assert.rejects(reads.payerFacts(authorization), { name: 'ChainUnavailableError' });
      assert.deepEqual(await reads.reconcile(authorization), { outcome: 'unknown' });
    });
  }
});

suite('what became of a payment', () => {
  test('unused and valid for a while: it may be settled again', async () => {
    const reads = readsOn(world.chain.rpcUrl);
    const { authorization } = await payment({ validBefore: inSeconds(3_600) });
    assert.deepEqual(await reads.reconcile(authorization), { outcome: 'unused' });
  });

  test('unused near or shortly past its end: too early to tell', async () => {
    const time = new ManualClock(clock.now());
    await using still = await openWorld({ chain: { clock: time }, funds: 0n });
    const reads = readsOn(still.chain.rpcUrl, { time });
    const nowSeconds = BigInt(Math.floor(time.now() / 1000));
    for (const seconds of [5n, 0n, -10n]) {
      const { authorization } = await payment({ validBefore: nowSeconds + seconds });
      assert.deepEqual(await reads.reconcile(authorization), { outcome: 'unknown' }, `${seconds} s`);
    }
  });

  test('unused a minute past its end by the time of a block: it has failed', async () => {
    const time = new ManualClock(clock.now() - 300_000);
    await using late = await openWorld({ chain: { clock: time }, funds: 0n });
    const { authorization } = await payment({ validBefore: inSeconds(-100) });
    const stopped = await readsOn(late.chain.rpcUrl, { minesOnDemand: false }).reconcile(authorization);
    assert.deepEqual(stopped, { outcome: 'unknown' }, 'the time of the last block decides, not our clock');
    time.set(clock.now());
    assert.deepEqual(await readsOn(late.chain.rpcUrl).reconcile(authorization), {
      outcome: 'failed',
      reason: 'invalid_exact_evm_payload_authorization_valid_before',
    });
  });

  test('used: only the exact transfer to the payee counts as paid', async () => {
    await using settler = settlerOn(world.chain.rpcUrl, world.store);
    const reads = readsOn(world.chain.rpcUrl);
    const one = await payment({ value: 30n });
    const settled = await settler.settle(one);
    assert.deepEqual(await reads.reconcile(one.authorization), settled);
    const changes = [{ value: 31n }, { to: payer.address }];
    for (const change of changes) {
      const other = await reads.reconcile({ ...one.authorization, ...change });
      assert.equal(other.outcome, 'failed', JSON.stringify(Object.keys(change)));
    }
    const sameNonceOtherPayer = { ...one.authorization, from: payee, validBefore: inSeconds(3_600) };
    assert.deepEqual(await reads.reconcile(sameNonceOtherPayer), { outcome: 'unused' });
  });
});

suite('a wallet that is a contract', () => {
  /** Takes every signature: returns the selector of isValidSignature (ERC-1271) to whatever it is asked. */
  const YES_WALLET = '631626ba7e60e01b5f5260205ff3';
  const deployer = privateKeyToAccount(SANDBOX_FAUCET_KEY);

  test('is judged by the token, and its payment is settled alone', async () => {
    const { rpcUrl } = world.chain;
    const arrived = await paidTo(payee, world);
    const { reads: chain, wallet } = clientsOf(rpcUrl);
    const nonce = await chain.getTransactionCount({ address: deployer.address });
    const walletAddress = getContractAddress({ from: deployer.address, nonce: BigInt(nonce) });
    const reads = readsOn(rpcUrl);
    await using settler = settlerOn(rpcUrl, world.store);
    const { authorization } = await payment({ from: walletAddress, value: 7n });
    const paid = settleable(authorization, `0x${'ab'.repeat(70)}`);
    assert.deepEqual(await reads.verifySlow(paid), { valid: false, reason: 'invalid_exact_evm_signature' });
    const hash = await wallet(deployer).sendTransaction({ data: `0x600e600c600039600e6000f3${YES_WALLET}` });
    assert.equal((await chain.waitForTransactionReceipt({ hash })).status, 'success');
    assert.deepEqual(await reads.verifySlow(paid), { valid: false, reason: 'invalid_exact_evm_insufficient_balance' });
    await world.money.mint(walletAddress, 7n);
    assert.deepEqual(await settler.verifySlow(paid), { valid: true });
    assert.equal((await settler.settle(paid)).outcome, 'confirmed');
    assert.deepEqual(await reads.verifySlow(paid), { valid: false, reason: 'invalid_exact_evm_nonce_already_used' });
    assert.equal(await arrived(), 7n);
  });

  test('is not judged when the node has too much to do', async () => {
    await using node = await FaultyNode.before(world.chain.rpcUrl);
    node.fault = () => 'refuse';
    await assert.rejects(readsOn(node.url).verifySlow(await payment()), { name: 'ChainUnavailableError' });
  });
});
