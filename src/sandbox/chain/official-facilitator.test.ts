import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { x402Client } from '@x402/core/client';
import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme as PayerScheme } from '@x402/evm/exact/client';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import type { Hex } from 'viem';
import { staticRefusal } from '#protocol/payment/static-checks.ts';
import { PaymentPayload, type PaymentRequirements } from '#protocol/payment/wire.ts';
import { chainForTest, clientsOf, payee, payer, settler } from './_chain.ts';
import { SANDBOX_TOKEN } from './sandbox-contracts.ts';
import { SandboxMoney } from './sandbox-money.ts';

const NETWORK = 'eip155:8453';
const required: PaymentRequirements = {
  scheme: 'exact',
  network: NETWORK,
  amount: '2000',
  asset: SANDBOX_TOKEN,
  payTo: payee,
  maxTimeoutSeconds: 120,
  extra: { name: 'Sandbox USDC', version: '2' },
};

function facilitatorOn({ reads, wallet }: ReturnType<typeof clientsOf>) {
  const writes = wallet(settler);
  const signer = toFacilitatorEvmSigner({
    address: settler.address,
    readContract: (args: never) => reads.readContract(args),
    verifyTypedData: (args: never) => reads.verifyTypedData(args),
    writeContract: (args: never) => writes.writeContract(args),
    sendTransaction: (args: never) => writes.sendTransaction(args),
    waitForTransactionReceipt: (args: { hash: Hex }) => reads.waitForTransactionReceipt(args),
    getCode: (args: { address: Hex }) => reads.getCode(args),
  });
  return new x402Facilitator().register(NETWORK, new ExactEvmScheme(signer));
}

/** A payment made by the unmodified client against a challenge. */
async function paid(change: Partial<PaymentRequirements> = {}) {
  const client = new x402Client().register(NETWORK, new PayerScheme(payer));
  const accepts = [{ ...required, ...change }];
  const challenge = { x402Version: 2, resource: { url: 'http://127.0.0.1/' }, accepts };
  return PaymentPayload.parse(await client.createPaymentPayload(challenge as never));
}

suite('the official client and facilitator on the sandbox chain', () => {
  let chain: Awaited<ReturnType<typeof chainForTest>>;
  let facilitator: ReturnType<typeof facilitatorOn>;
  before(async () => {
    chain = await chainForTest();
    facilitator = facilitatorOn(clientsOf(chain.rpcUrl));
    await new SandboxMoney(chain.rpcUrl).mint(payer.address, 10_000n);
  });
  after(() => chain[Symbol.asyncDispose]());

  test('an unmodified payment passes our checks, verifies and settles', async () => {
    const payload = await paid();
    const nowSeconds = BigInt(Math.floor(Date.now() / 1000));
    assert.equal(staticRefusal(payload, required, nowSeconds), undefined);
    const verified = await facilitator.verify(payload as never, required as never);
    assert.equal(verified.isValid, true, JSON.stringify(verified));
    const settled = await facilitator.settle(payload as never, required as never);
    assert.equal(settled.success, true, JSON.stringify(settled));
    assert.equal(await new SandboxMoney(chain.rpcUrl).balance(payee), 2000n);
    const again = await facilitator.verify(payload as never, required as never);
    assert.equal(again.invalidReason, 'invalid_exact_evm_nonce_already_used');
  });

  test('a payment beyond the balance is named as such', async () => {
    const more = { amount: '999999' };
    const verified = await facilitator.verify((await paid(more)) as never, { ...required, ...more } as never);
    assert.equal(verified.invalidReason, 'invalid_exact_evm_insufficient_balance');
  });

  test('a changed value is named as a bad signature', async () => {
    const payload = structuredClone(await paid()) as { payload: { authorization: { value: string } } };
    payload.payload.authorization.value = '2001';
    const more = { ...required, amount: '2001' };
    const verified = await facilitator.verify({ ...payload, accepted: more } as never, more as never);
    assert.equal(verified.invalidReason, 'invalid_exact_evm_signature');
  });
});
