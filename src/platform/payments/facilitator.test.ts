import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { payee } from '#sandbox/chain/_chain.ts';
import { SANDBOX_TOKEN } from '#sandbox/chain/sandbox-contracts.ts';
import { FACILITATOR_MODES, type FacilitatorMode } from '#sandbox/facilitator/mode.ts';
import { FacilitatorSimulator } from '#sandbox/facilitator/simulator.ts';
import { AMOUNT, runFacilitatorMode } from './_facilitator-run.ts';
import { clock, NETWORK, openWorld, paidTo, PATIENT_MS, payment } from './_settlement.ts';
import { ChainReads } from './chain-reads.ts';
import { FacilitatorBackend } from './facilitator.ts';
import { RpcClient } from './rpc.ts';

const CALLS = 4;
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

async function openFacilitator(change: Partial<{ authorization: string; network: string }> = {}) {
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
