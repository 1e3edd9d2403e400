import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { encodeFunctionData, type Hex } from 'viem';
import { domainSeparator } from '#protocol/payment/authorization-digest.ts';
import { hexOf } from '#protocol/payment/hex.ts';
import {
  type Authorization,
  authorization,
  BATCH_ABI,
  batchMember,
  chainForTest,
  clientsOf,
  payee,
  payer,
  receiptOf,
  settler,
  settlerTransaction,
  signed,
  signedCancel,
  TOKEN_ABI,
  transferCall,
} from './_chain.ts';
import { callRpc } from './rpc-client.ts';
import { SANDBOX_BATCH_SETTLE, SANDBOX_CHAIN_ID, SANDBOX_TOKEN, SANDBOX_TOKEN_NAME } from './sandbox-contracts.ts';
import { SandboxMoney } from './sandbox-money.ts';

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

test('a first and a second transfer cost the gas that they cost on other nodes', async () => {
  await using chain = await chainForTest();
  await new SandboxMoney(chain.rpcUrl).mint(payer.address, 10n ** 9n);
  const gasUsed: number[] = [];
  for (const nonce of [0, 1]) {
    const message = authorization({ nonce: `0x${String(nonce + 1).repeat(64)}` });
    const raw = await settlerTransaction(nonce, SANDBOX_TOKEN, transferCall(message, await signed(message)));
    const receipt = await receiptOf(chain.rpcUrl, await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', [raw]));
    gasUsed.push(Number(receipt.gasUsed));
  }
  assert.deepEqual(gasUsed, [88_199, 71_111]);
});

suite('the sandbox token', () => {
  let chain: Awaited<ReturnType<typeof chainForTest>>;
  let clients: ReturnType<typeof clientsOf>;
  before(async () => {
    chain = await chainForTest();
    clients = clientsOf(chain.rpcUrl);
    await new SandboxMoney(chain.rpcUrl).mint(payer.address, 5_000_000n);
  });
  after(() => chain[Symbol.asyncDispose]());

  const token = { address: SANDBOX_TOKEN, abi: TOKEN_ABI } as const;
  const balanceOf = (account: Hex) => new SandboxMoney(chain.rpcUrl).balance(account);
  const isUsed = (nonce: Hex) =>
    clients.reads.readContract({ ...token, functionName: 'authorizationState', args: [payer.address, nonce] });

  async function send(message: Authorization, signature?: Hex): Promise<void> {
    const data = transferCall(message, signature ?? (await signed(message)));
    const hash = await clients.wallet(settler).sendTransaction({ to: SANDBOX_TOKEN, data });
    assert.equal((await receiptOf(chain.rpcUrl, hash)).status, '0x1');
  }

  /** What the token answers to a call that it refuses. */
  async function refusal(message: Authorization, signature?: Hex): Promise<string> {
    const data = transferCall(message, signature ?? (await signed(message)));
    const call = clients.reads.call({ to: SANDBOX_TOKEN, data, account: settler.address });
    const error = await call.then(
      () => assert.fail('the token took it'),
      (thrown: Error) => thrown,
    );
    return error.message;
  }

  test('name, version, decimals and domain are those that payers sign', async () => {
    const read = (functionName: 'name' | 'version' | 'decimals' | 'DOMAIN_SEPARATOR') =>
      clients.reads.readContract({ ...token, functionName });
    assert.equal(await read('name'), SANDBOX_TOKEN_NAME);
    assert.equal(await read('version'), '2');
    assert.equal(await read('decimals'), 6);
    const domain = { name: SANDBOX_TOKEN_NAME, version: '2', chainId: SANDBOX_CHAIN_ID };
    assert.equal(
      await read('DOMAIN_SEPARATOR'),
      hexOf(domainSeparator({ ...domain, verifyingContract: SANDBOX_TOKEN })),
    );
  });

  test('the token is named once', async () => {
    const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'init', args: ['USD Coin'] });
    await assert.rejects(clients.reads.call({ to: SANDBOX_TOKEN, data }), /already initialised/);
  });

  test('a signed authorization moves the money once', async () => {
    const [payerBefore, payeeBefore] = [await balanceOf(payer.address), await balanceOf(payee)];
    const message = authorization();
    await send(message);
    assert.equal(await balanceOf(payer.address), payerBefore - 2000n);
    assert.equal(await balanceOf(payee), payeeBefore + 2000n);
    assert.equal(await isUsed(message.nonce), true);
    assert.match(await refusal(message), /FiatTokenV2: authorization is used or canceled/);
  });

  test('a transaction that the token refuses has a receipt without success and moves nothing', async () => {
    const earlier = await balanceOf(payer.address);
    const message = authorization({ value: 10n ** 12n });
    const data = transferCall(message, await signed(message));
    const hash = await clients.wallet(settler).sendTransaction({ to: SANDBOX_TOKEN, data, gas: 200_000n });
    const receipt = await receiptOf(chain.rpcUrl, hash);
    assert.equal(receipt.status, '0x0');
    assert.deepEqual(receipt.logs, []);
    assert.equal(await balanceOf(payer.address), earlier);
    assert.equal(await isUsed(message.nonce), false);
  });

  test('each fault has the text of the real token', async () => {
    const good = authorization();
    const signature = await signed(good);
    const s = CURVE_ORDER - BigInt(`0x${signature.slice(66, 130)}`);
    const v = signature.endsWith('1b') ? '1c' : '1b';
    const highS: Hex = `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}${v}`;
    assert.match(await refusal(authorization({ validAfter: 3_999_999_999n })), /authorization is not yet valid/);
    assert.match(await refusal(authorization({ validBefore: 1n })), /FiatTokenV2: authorization is expired/);
    assert.match(await refusal(good, await signed(authorization())), /FiatTokenV2: invalid signature/);
    assert.match(await refusal({ ...good, value: 1n }, signature), /FiatTokenV2: invalid signature/);
    assert.match(await refusal(good, highS), /ECRecover: invalid signature 's' value/);
    assert.match(await refusal(good, `${signature.slice(0, -2)}1d` as Hex), /ECRecover: invalid signature 'v' value/);
    assert.match(await refusal(good, `0x${'00'.repeat(64)}1b`), /ECRecover: invalid signature/);
    assert.match(await refusal(good, '0x1234'), /ECRecover: invalid signature length/);
    assert.match(await refusal(authorization({ value: 10n ** 12n })), /ERC20: transfer amount exceeds balance/);
  });

  test('a cancelled authorization pays nobody', async () => {
    const message = authorization();
    const args = [payer.address, message.nonce, await signedCancel(message.nonce)] as const;
    const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'cancelAuthorization', args });
    const hash = await clients.wallet(settler).sendTransaction({ to: SANDBOX_TOKEN, data });
    assert.equal((await receiptOf(chain.rpcUrl, hash)).status, '0x1');
    assert.match(await refusal(message), /authorization is used or canceled/);
  });

  test('only the payee may receive by authorization', async () => {
    const message = authorization();
    const signature = await signed(message, 'ReceiveWithAuthorization');
    const { from, to, value, validAfter, validBefore, nonce } = message;
    const args = [from, to, value, validAfter, validBefore, nonce, signature] as const;
    const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'receiveWithAuthorization', args });
    const callAs = (account: Hex) => clients.reads.call({ to: SANDBOX_TOKEN, data, account });
    await assert.rejects(callAs(settler.address), /caller must be the payee/);
    await callAs(payee);
  });

  test('of a batch only the tampered members fail, and fifty cost at most 39,000 gas each', async () => {
    const members = await Promise.all(Array.from({ length: 50 }, () => batchMember()));
    const tampered = members.map((member, i) =>
      i === 7 || i === 31 ? { ...member, value: member.value + 1n } : member,
    );
    const earlier = await balanceOf(payee);
    const args = [SANDBOX_TOKEN, tampered] as const;
    const data = encodeFunctionData({ abi: BATCH_ABI, functionName: 'settle', args });
    const hash = await clients.wallet(settler).sendTransaction({ to: SANDBOX_BATCH_SETTLE, data, gas: 4_600_000n });
    const receipt = await clients.reads.waitForTransactionReceipt({ hash });
    assert.equal(await balanceOf(payee), earlier + 48n * 2000n);
    const failed = await clients.reads.getContractEvents({
      abi: BATCH_ABI,
      address: SANDBOX_BATCH_SETTLE,
      eventName: 'Failed',
      fromBlock: receipt.blockNumber,
    });
    const indexes = failed.map(({ args: { index, nonce } }) => [Number(index), nonce]);
    assert.deepEqual(
      indexes,
      [7, 31].map((i) => [i, members[i]?.nonce]),
    );
    assert.ok(receipt.gasUsed / 50n <= 39_000n, `${receipt.gasUsed / 50n} gas each`);
  });
});
