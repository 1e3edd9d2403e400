import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import {
  payee,
  payer,
  signedCancel,
  clientsOf,
  settler as settlerAccount,
  TOKEN_ABI,
  transferCall,
} from '#sandbox/chain/_chain.ts';
import { SANDBOX_FAUCET_KEY, SANDBOX_TOKEN } from '#sandbox/chain/sandbox-contracts.ts';
import { ManualClock } from '#kernel/clock.ts';
import { until } from '../../../test/support/until.ts';
import {
  clock,
  FaultyNode,
  inSeconds,
  openWorld,
  paidTo,
  payment,
  settleable,
  settlerOn,
  tampered,
} from './_settlement.ts';
import type { Settleable, Settlement } from './settlement.ts';

const stranger = privateKeyToAccount(SANDBOX_FAUCET_KEY);
const world = await openWorld();
after(() => world[Symbol.asyncDispose]());

function outcomes(settlements: readonly Settlement[]): string[] {
  return settlements.map((one) => (one.outcome === 'failed' ? one.reason : one.outcome));
}

suite('settling on the chain', () => {
  test('a payment is confirmed with its transaction and log, and the money has moved', async () => {
    const paid = await paidTo(payee, world);
    await using settler = settlerOn(world.chain.rpcUrl, world.store);
    const one = await payment({ value: 2000n });
    const settled = await settler.settle(one);
    assert.equal(settled.outcome, 'confirmed');
    assert.equal(await paid(), 2000n);
    assert.deepEqual(await settler.reconcile(one), settled);
    assert.deepEqual(await settler.settle(one), settled, 'settling again finds the same place');
    assert.equal(await paid(), 2000n);
  });

  test('64 payments at once are all settled, few transactions carry them and no nonce is refused', async () => {
    const paid = await paidTo(payee, world);
    await using settler = settlerOn(world.chain.rpcUrl, world.store);
    const payments = await Promise.all(Array.from({ length: 64 }, () => payment({ value: 10n })));
    const settled = await Promise.all(payments.map((one) => settler.settle(one)));
    assert.deepEqual(new Set(outcomes(settled)), new Set(['confirmed']));
    assert.equal(await paid(), 640n);
    const places = settled.map((one) => one.outcome === 'confirmed' && `${one.transaction}/${one.logIndex}`);
    assert.equal(new Set(places).size, 64, 'each payment has a place of its own');
    const transactions = new Set(settled.map((one) => one.outcome === 'confirmed' && one.transaction));
    assert.ok(transactions.size < 8, `${transactions.size} transactions`);
    assert.deepEqual(await world.store.read('SELECT * FROM settle_batch'), []);
  });

  test('tampered members of a batch fail alone', async () => {
    const paid = await paidTo(payee, world);
    await using settler = settlerOn(world.chain.rpcUrl, world.store);
    const payments = await Promise.all(Array.from({ length: 20 }, () => payment({ value: 10n })));
    const sent = payments.map((one, i) => (i % 5 === 3 ? tampered(one) : one));
    const settled = outcomes(await Promise.all(sent.map((one) => settler.settle(one))));
    const expected = sent.map((_, i) => (i % 5 === 3 ? 'invalid_exact_evm_signature' : 'confirmed'));
    assert.deepEqual(settled, expected);
    assert.equal(await paid(), 160n);
  });

  test('a member without the money or out of its time fails with that reason', async () => {
    const poor = privateKeyToAccount(generatePrivateKey());
    await world.money.mint(poor.address, 100n);
    await using settler = settlerOn(world.chain.rpcUrl, world.store);
    const cases: readonly (readonly [Settleable, string])[] = [
      [await payment({ value: 101n }, poor), 'invalid_exact_evm_insufficient_balance'],
      [
        await payment({ value: 1n, validBefore: inSeconds(-5) }, poor),
        'invalid_exact_evm_payload_authorization_valid_before',
      ],
      [
        await payment({ value: 1n, validAfter: inSeconds(9_000) }, poor),
        'invalid_exact_evm_payload_authorization_valid_after',
      ],
      [await payment({ value: 1n }, poor), 'confirmed'],
    ];
    const settled = await Promise.all(cases.map(([one]) => settler.settle(one)));
    assert.deepEqual(
      outcomes(settled),
      cases.map(([, expected]) => expected),
    );
  });

  test('a payment that somebody else broadcasts first is confirmed where it stands', async () => {
    const paid = await paidTo(payee, world);
    await using settler = settlerOn(world.chain.rpcUrl, world.store);
    const one = await payment();
    const data = transferCall(one.authorization, one.payload.payload.signature);
    const { wallet, reads } = clientsOf(world.chain.rpcUrl);
    const hash = await wallet(stranger).sendTransaction({ to: SANDBOX_TOKEN, data });
    await reads.waitForTransactionReceipt({ hash });
    const settled = await settler.settle(one);
    assert.deepEqual(settled, { outcome: 'confirmed', transaction: hash, logIndex: 0 });
    assert.equal(await paid(), 2000n);
  });

  test('a payment that its payer cancels first has failed and moves nothing', async () => {
    const paid = await paidTo(payee, world);
    await using settler = settlerOn(world.chain.rpcUrl, world.store);
    const one = await payment();
    await cancel(world.chain.rpcUrl, one);
    assert.deepEqual(await settler.settle(one), { outcome: 'failed', reason: 'invalid_exact_evm_nonce_already_used' });
    assert.equal(await paid(), 0n);
  });

  test('a nonce that the payer spends on another transfer beside a real payment does not count twice', async () => {
    const paid = await paidTo(payee, world);
    await using settler = settlerOn(world.chain.rpcUrl, world.store);
    const claimed = await payment({ value: 50n });
    const toHimself = await payment({ value: 50n, nonce: claimed.authorization.nonce, to: stranger.address });
    const real = await payment({ value: 50n });
    const [, settledReal] = await Promise.all([settler.settle(toHimself), settler.settle(real)]);
    assert.equal(settledReal.outcome, 'confirmed');
    assert.deepEqual(await settler.settle(claimed), {
      outcome: 'failed',
      reason: 'invalid_exact_evm_transfer_event_mismatch',
    });
    assert.equal(await paid(), 50n);
  });

  test('a signature that no batch can take goes out alone', async () => {
    await using settler = settlerOn(world.chain.rpcUrl, world.store);
    const one = await payment();
    const wallet = settleable(one.authorization, `${one.payload.payload.signature}00` as `0x${string}`);
    const settled = await Promise.all([settler.settle(wallet), settler.settle(await payment())]);
    assert.equal(settled[0].outcome, 'failed');
    assert.equal(settled[1].outcome, 'confirmed');
  });
});

suite('settling with a chain that fails', () => {
  test('a lost answer to a broadcast is found out by the hash', async () => {
    const paid = await paidTo(payee, world);
    await using node = await FaultyNode.before(world.chain.rpcUrl);
    await using settler = settlerOn(node.url, world.store);
    node.fault = (method) => (method === 'eth_sendRawTransaction' ? 'lose_answer' : 'pass');
    assert.equal((await settler.settle(await payment())).outcome, 'confirmed');
    assert.equal((await settler.settle(await payment())).outcome, 'confirmed');
    assert.equal(await paid(), 4000n);
  });

  test('a broadcast that never arrived is sent again', async () => {
    await using node = await FaultyNode.before(world.chain.rpcUrl);
    await using settler = settlerOn(node.url, world.store);
    node.fault = (method, before) => (method === 'eth_sendRawTransaction' && before === 0 ? 'drop' : 'pass');
    assert.equal((await settler.settle(await payment())).outcome, 'confirmed');
  });

  test('a refused transaction does not wedge the sender', async () => {
    await using node = await FaultyNode.before(world.chain.rpcUrl);
    // Its time stands still: what is refused is not sent again while it is given up.
    await using settler = settlerOn(node.url, world.store, { clock: new ManualClock(clock.now()) });
    node.fault = (method, before) => (method === 'eth_sendRawTransaction' && before < 2 ? 'refuse' : 'pass');
    const one = await payment();
    assert.deepEqual(await settler.settle(one), { outcome: 'unknown', transaction: null });
    assert.deepEqual(await settler.reconcile(one), { outcome: 'unused' });
    assert.equal((await settler.settle(one)).outcome, 'unknown');
    const settled = await Promise.all([settler.settle(one), settler.settle(await payment())]);
    assert.deepEqual(outcomes(settled), ['confirmed', 'confirmed']);
  });

  test('another user of the key takes nonces away and nothing is lost', async () => {
    const paid = await paidTo(payee, world);
    await using settler = settlerOn(world.chain.rpcUrl, world.store);
    assert.equal((await settler.settle(await payment())).outcome, 'confirmed');
    const { wallet, reads } = clientsOf(world.chain.rpcUrl);
    for (let i = 0; i < 3; i++) {
      const hash = await wallet(settlerAccount).sendTransaction({ to: payee, value: 1n });
      await reads.waitForTransactionReceipt({ hash });
    }
    assert.equal((await settler.settle(await payment())).outcome, 'confirmed');
    assert.equal(await paid(), 4000n);
  });

  test('without a chain the outcome is unknown, and settling works as soon as there is one again', async () => {
    await using node = await FaultyNode.before(world.chain.rpcUrl);
    await using settler = settlerOn(node.url, world.store);
    const one = await payment();
    for (const fault of ['drop', 'html', 'redirect'] as const) {
      node.fault = () => fault;
      assert.deepEqual(await settler.settle(one), { outcome: 'unknown', transaction: null }, fault);
      assert.deepEqual(await settler.reconcile(one), { outcome: 'unknown' });
      await assert.rejects(settler.payerFacts(one.authorization), { name: 'ChainUnavailableError' });
      assert.equal(settler.status().state, 'down');
    }
    node.fault = () => 'pass';
    assert.equal((await settler.settle(one)).outcome, 'confirmed');
    assert.deepEqual(settler.status(), { state: 'up', detail: null });
  });

  test('a receipt that does not come in time leaves the outcome unknown with the transaction, and it settles later', async () => {
    await using node = await FaultyNode.before(world.chain.rpcUrl);
    await using settler = settlerOn(node.url, world.store, { unknownAfterMs: 50 });
    const one = await payment();
    node.fault = (method) => (method === 'eth_getTransactionReceipt' ? 'refuse' : 'pass');
    const settled = await settler.settle(one);
    assert.equal(settled.outcome, 'unknown');
    assert.match((settled as { transaction: string }).transaction, /^0x[0-9a-f]{64}$/);
    node.fault = () => 'pass';
    const found = await settler.reconcile(one);
    assert.equal(found.outcome, 'confirmed');
    assert.equal((found as { transaction: string }).transaction, (settled as { transaction: string }).transaction);
  });

  test('little gas money is said in the status', async () => {
    await using settler = settlerOn(world.chain.rpcUrl, world.store, { minBalanceWei: 10n ** 30n });
    await settler.settle(await payment());
    await until('a look at the balance', () => settler.status().state !== 'up');
    const { state, detail } = settler.status();
    assert.equal(state, 'degraded');
    const { wei = 0n, minWei = 0n } = settler.gas() ?? {};
    assert.ok(wei > 0n && wei < minWei && minWei === 10n ** 30n);
    assert.match(String(detail), new RegExp(settlerAccount.address.toLowerCase()));
  });
});

async function cancel(rpcUrl: string, { authorization: { nonce } }: Settleable): Promise<void> {
  const { wallet, reads } = clientsOf(rpcUrl);
  const args = [payer.address, nonce, await signedCancel(nonce)] as const;
  const call = { address: SANDBOX_TOKEN, abi: TOKEN_ABI, functionName: 'cancelAuthorization', args } as const;
  const hash = await wallet(stranger).writeContract(call);
  await reads.waitForTransactionReceipt({ hash });
}
