import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { encodeFunctionData, type Hex } from 'viem';
import { HOUR_MS, ManualClock } from '#kernel/clock.ts';
import {
  type Authorization,
  authorization,
  chainForTest,
  clientsOf,
  payee,
  payer,
  receiptOf,
  settler,
  settlerTransaction,
  signed,
  TOKEN_ABI,
  transferCall,
} from './_chain.ts';
import { until } from '../../../test/support/until.ts';
import { callRpc } from './rpc-client.ts';
import { CHAIN_FILE, chainInstanceIn } from './chain-instance.ts';
import { startSandboxChain } from './sandbox-chain.ts';
import { SANDBOX_TOKEN } from './sandbox-contracts.ts';
import { SandboxMoney } from './sandbox-money.ts';

const mintData = (value: bigint) =>
  encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [payer.address, value] });
const mintTransaction = (nonce: number, value = 1n, fee?: bigint) =>
  settlerTransaction(nonce, SANDBOX_TOKEN, mintData(value), fee);

/** Ten transactions: an entry that is emptied again, a contract that nobody here knows, and mints. */
async function livedThrough(rpcUrl: string): Promise<Hex[]> {
  const transfer = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args: [payee, 5n] });
  const mint = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [settler.address, 5n] });
  const fees = { maxFeePerGas: 2_000_000_000n, gas: 200_000n };
  const stores42: Hex = '0x602a5f556001601060003960016000f300';
  const raws = [
    settlerTransaction(0, SANDBOX_TOKEN, mint),
    settlerTransaction(1, SANDBOX_TOKEN, transfer),
    settler.signTransaction({ type: 'eip1559', chainId: 8453, nonce: 2, data: stores42, ...fees }),
    ...[3, 4, 5, 6, 7, 8, 9].map((nonce) => mintTransaction(nonce)),
  ];
  const hashes: Hex[] = [];
  for (const raw of raws) hashes.push((await callRpc(rpcUrl, 'eth_sendRawTransaction', [await raw])) as Hex);
  return hashes;
}

/** What every node on which the same came to pass agrees about, and which of the transactions it still knows. */
async function standOf(rpcUrl: string, hashes: readonly Hex[]) {
  const head = (await callRpc(rpcUrl, 'eth_getBlockByNumber', ['latest', false])) as Record<
    'number' | 'stateRoot',
    Hex
  >;
  const receipts = hashes.map((hash) => callRpc(rpcUrl, 'eth_getTransactionReceipt', [hash]));
  const statuses = (await Promise.all(receipts)).map((receipt) => (receipt as { status: Hex } | null)?.status);
  return { number: head.number, stateRoot: head.stateRoot, statuses };
}

test('blocks, transactions and receipts read through viem as on any chain', async () => {
  await using chain = await chainForTest();
  const { reads, wallet } = clientsOf(chain.rpcUrl);
  assert.equal(await reads.getChainId(), 8453);
  const hash = await wallet(settler).sendTransaction({ to: SANDBOX_TOKEN, data: mintData(7n) });
  const receipt = await reads.waitForTransactionReceipt({ hash });
  const [block, transaction] = [
    await reads.getBlock({ blockHash: receipt.blockHash, includeTransactions: true }),
    await reads.getTransaction({ hash }),
  ];
  assert.equal(receipt.status, 'success');
  assert.equal(receipt.logs.length, 1);
  assert.deepEqual(block.transactions, [transaction]);
  assert.equal(transaction.from, settler.address.toLowerCase());
  assert.equal(transaction.blockNumber, receipt.blockNumber);
  assert.equal(block.gasUsed, receipt.gasUsed);
  const parent = await reads.getBlock({ blockNumber: block.number - 1n });
  assert.equal(block.parentHash, parent.hash);
  assert.ok(block.timestamp >= parent.timestamp);
  assert.equal(await reads.getBlock({ blockNumber: 9999n }).catch(() => 'none'), 'none');
});

test('legacy transactions and plain transfers of ether cost what they cost everywhere', async () => {
  await using chain = await chainForTest();
  const { reads, wallet } = clientsOf(chain.rpcUrl);
  const [before, gasPrice] = [await reads.getBalance({ address: settler.address }), 2_000_000_000n];
  const hash = await wallet(settler).sendTransaction({ type: 'legacy', to: payee, value: 5n, gasPrice });
  const receipt = await reads.waitForTransactionReceipt({ hash });
  assert.equal(receipt.gasUsed, 21_000n);
  assert.equal(await reads.getBalance({ address: payee }), 5n);
  assert.equal(await reads.getBalance({ address: settler.address }), before - 5n - 21_000n * gasPrice);
});

test('an estimate of gas suffices, and a reverting call has none', async () => {
  await using chain = await chainForTest();
  const { reads, wallet } = clientsOf(chain.rpcUrl);
  await new SandboxMoney(chain.rpcUrl).mint(payer.address, 10_000n);
  const message = authorization();
  const data = transferCall(message, await signed(message));
  const gas = await reads.estimateGas({ account: settler, to: SANDBOX_TOKEN, data });
  const hash = await wallet(settler).sendTransaction({ to: SANDBOX_TOKEN, data, gas });
  const receipt = await reads.waitForTransactionReceipt({ hash });
  assert.equal(receipt.status, 'success');
  assert.ok(gas < receipt.gasUsed + receipt.gasUsed / 20n, `${gas} for ${receipt.gasUsed}`);
  await assert.rejects(reads.estimateGas({ account: settler, to: SANDBOX_TOKEN, data }), /used or canceled/);
});

test('nonces are kept in order: too low is refused, a gap waits, a repeat and a cheap replacement are refused', async () => {
  await using chain = await chainForTest();
  const send = async (raw: Promise<Hex>) => callRpc(chain.rpcUrl, 'eth_sendRawTransaction', [await raw]);
  const count = async (tag: string) =>
    Number(await callRpc(chain.rpcUrl, 'eth_getTransactionCount', [settler.address, tag]));
  const first = await send(mintTransaction(0));
  await receiptOf(chain.rpcUrl, first);
  await assert.rejects(send(mintTransaction(0, 2n)), /nonce too low/);
  const gapped = await send(mintTransaction(2, 3n));
  assert.equal(await callRpc(chain.rpcUrl, 'eth_getTransactionReceipt', [gapped]), null);
  assert.deepEqual([await count('latest'), await count('pending')], [1, 1]);
  await assert.rejects(send(mintTransaction(2, 3n)), /Known transaction/);
  await assert.rejects(send(mintTransaction(2, 4n, 10_500_000_000n)), /Replacement transaction underpriced/);
  const replaced = await send(mintTransaction(2, 4n, 11_000_000_000n));
  await send(mintTransaction(1));
  await receiptOf(chain.rpcUrl, replaced);
  assert.equal(await callRpc(chain.rpcUrl, 'eth_getTransactionByHash', [gapped]), null);
  assert.deepEqual([await count('latest'), await count('pending')], [3, 3]);
});

test('a transaction that cannot pay, is for another chain or has too little gas is refused', async () => {
  await using chain = await chainForTest();
  const send = async (raw: Hex) => callRpc(chain.rpcUrl, 'eth_sendRawTransaction', [raw]);
  const base = {
    type: 'eip1559',
    chainId: 8453,
    nonce: 0,
    to: payee,
    maxFeePerGas: 2_000_000_000n,
    gas: 21_000n,
  } as const;
  await assert.rejects(send(await payer.signTransaction(base)), /doesn't have enough funds/);
  await assert.rejects(send(await settler.signTransaction({ ...base, chainId: 1 })), /invalid chainId/);
  await assert.rejects(send(await settler.signTransaction({ ...base, gas: 20_999n })), /requires at least 21000 gas/);
  await assert.rejects(send(await settler.signTransaction({ ...base, gas: 400_000_001n })), /block gas limit/);
  await assert.rejects(send('0x1234'), /Invalid transaction type/);
});

test('64 transactions that come at once and out of order all succeed', async () => {
  await using chain = await chainForTest();
  await new SandboxMoney(chain.rpcUrl).mint(payer.address, 64n * 2000n);
  const raws = await Promise.all(
    Array.from({ length: 64 }, async (_, nonce) => {
      const message = authorization();
      return settlerTransaction(nonce, SANDBOX_TOKEN, transferCall(message, await signed(message)));
    }),
  );
  const hashes = await Promise.all(
    raws.toReversed().map((raw) => callRpc(chain.rpcUrl, 'eth_sendRawTransaction', [raw])),
  );
  const receipts = await Promise.all(hashes.map((hash) => receiptOf(chain.rpcUrl, hash)));
  assert.deepEqual(new Set(receipts.map(({ status }) => status)), new Set(['0x1']));
  assert.equal(await new SandboxMoney(chain.rpcUrl).balance(payee), 64n * 2000n);
  const places = receipts.flatMap(({ logs }) => logs.map((log) => JSON.stringify(log)));
  assert.equal(new Set(places).size, 128, 'every log has a place of its own');
});

test('logs are found by address, topics and range', async () => {
  await using chain = await chainForTest();
  const { reads } = clientsOf(chain.rpcUrl);
  const money = new SandboxMoney(chain.rpcUrl);
  await money.mint(payer.address, 10_000n);
  const [message, other] = [authorization(), authorization()];
  for (const [nonce, one] of [message, other].entries()) {
    const raw = await settlerTransaction(nonce, SANDBOX_TOKEN, transferCall(one, await signed(one)));
    await receiptOf(chain.rpcUrl, await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', [raw]));
  }
  const event = { address: SANDBOX_TOKEN, abi: TOKEN_ABI, eventName: 'AuthorizationUsed', fromBlock: 0n } as const;
  const used = (args: object) => reads.getContractEvents({ ...event, args });
  assert.equal((await used({})).length, 2);
  const [found, ...more] = await used({ authorizer: payer.address, nonce: message.nonce });
  assert.equal(found?.args.nonce, message.nonce);
  assert.equal(more.length, 0);
  assert.equal((await used({ authorizer: payee })).length, 0);
  assert.equal((await reads.getLogs({ address: payee, fromBlock: 0n })).length, 0);
  assert.equal((await reads.getLogs({ address: SANDBOX_TOKEN, fromBlock: found?.blockNumber ?? 0n })).length, 4);
});

test('calls come alone or in a batch, and a wrong one is told what is wrong', async () => {
  await using chain = await chainForTest();
  const post = async (body: string) => (await fetch(chain.rpcUrl, { method: 'POST', body })).json() as Promise<unknown>;
  const call = (id: number, method: string, params: unknown = []) => ({ jsonrpc: '2.0', id, method, params });
  const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args: [payee, 1n] });
  const batch = (await post(
    JSON.stringify([
      call(1, 'eth_chainId'),
      call(2, 'eth_call', [{ to: SANDBOX_TOKEN, from: payer.address, data }, 'latest']),
      call(3, 'eth_unknown'),
      call(4, 'eth_getBalance', ['nobody', 'latest']),
      call(5, 'eth_getBalance', [payee, '0x0']),
      call(6, 'web3_clientVersion'),
      call(7, 'hardhat_setBalance', [payee, '0x1']),
      call(8, 'eth_sendRawTransaction'),
    ]),
  )) as { id: number; result?: unknown; error?: { code: number; message: string; data?: string } }[];
  assert.deepEqual(
    batch.map(({ id, error }) => [id, error?.code]),
    [
      [1, undefined],
      [2, 3],
      [3, -32004],
      [4, -32602],
      [5, undefined],
      [6, undefined],
      [7, -32601],
      [8, -32602],
    ],
  );
  assert.match(batch[1]?.error?.message ?? '', /execution reverted .*ERC20: transfer amount exceeds balance/);
  assert.match(batch[1]?.error?.data ?? '', /^0x08c379a0/);
  assert.match(String(batch[5]?.result), /^edr\//);
  for (const body of ['', '{', '[]', 'null', '{"id":1}', '{"id":1,"method":7}', '{"method":"eth_call","params":{}}']) {
    assert.ok('error' in ((await post(body)) as object), body);
  }
});

test('with a block time, blocks come by themselves and a transaction waits for one', async () => {
  await using chain = await chainForTest({ blockTimeMs: 200 });
  const { reads } = clientsOf(chain.rpcUrl);
  const first = await reads.getBlockNumber();
  const hash = await new SandboxMoney(chain.rpcUrl).mint(payer.address, 1n);
  await until('three blocks', async () => (await reads.getBlockNumber()) >= first + 3n);
  assert.ok((await reads.getTransactionReceipt({ hash })).blockNumber > first);
});

test('a chain that is opened again has its balances, blocks and receipts, and goes on', async () => {
  await using chain = await chainForTest();
  const { directory } = chain;
  const money = new SandboxMoney(chain.rpcUrl);
  const hash = await money.mint(payer.address, 1234n);
  const receipt = await receiptOf(chain.rpcUrl, hash);
  const head = await callRpc(chain.rpcUrl, 'eth_getBlockByNumber', ['latest', true]);
  await chain.close();
  appendFileSync(join(directory, CHAIN_FILE), 'abcdef{"raw":');

  await using again = await startSandboxChain({ directory });
  assert.equal(again.chainInstance, chain.chainInstance);
  assert.deepEqual(await receiptOf(again.rpcUrl, hash), receipt);
  assert.deepEqual(await callRpc(again.rpcUrl, 'eth_getBlockByNumber', ['latest', true]), head);
  const later = new SandboxMoney(again.rpcUrl);
  await later.mint(payer.address, 1n);
  assert.equal(await later.balance(payer.address), 1235n);
  await again[Symbol.asyncDispose]();

  await using third = await startSandboxChain({ directory });
  assert.equal(await new SandboxMoney(third.rpcUrl).balance(payer.address), 1235n);
});

test('a transaction below the base fee waits until a dearer one takes its place', async () => {
  await using chain = await chainForTest();
  const send = async (raw: Promise<Hex>) => callRpc(chain.rpcUrl, 'eth_sendRawTransaction', [await raw]);
  const cheap = await send(mintTransaction(0, 1n, 900_000_000n));
  assert.equal(await callRpc(chain.rpcUrl, 'eth_getTransactionReceipt', [cheap]), null);
  const dear = await send(mintTransaction(0, 2n));
  assert.equal((await receiptOf(chain.rpcUrl, dear)).status, '0x1');
});

test('a call runs at the time of now, however old the newest block is', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 15));
  await using chain = await chainForTest({ clock });
  await new SandboxMoney(chain.rpcUrl).mint(payer.address, 10_000n);
  clock.advance(HOUR_MS);
  const nowSeconds = BigInt(clock.now() / 1000);
  const { reads } = clientsOf(chain.rpcUrl);
  const call = async (change: Partial<Authorization>) => {
    const message = authorization(change);
    return reads.call({
      to: SANDBOX_TOKEN,
      data: transferCall(message, await signed(message)),
      account: settler.address,
    });
  };
  await call({ validAfter: nowSeconds - 600n, validBefore: nowSeconds + 600n });
  await assert.rejects(call({ validAfter: nowSeconds + 5n }), /not yet valid/);
  await assert.rejects(call({ validBefore: nowSeconds - 5n }), /is expired/);
});

test('time-limited payments that passed in their time pass again at every later start', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 15));
  await using chain = await chainForTest({ clock });
  const firstSeconds = BigInt(clock.now() / 1000);
  await new SandboxMoney(chain.rpcUrl).mint(payer.address, 10_000n);
  const messages = [
    authorization({ validBefore: firstSeconds + 60n }),
    authorization({ validAfter: firstSeconds + 3_500n, validBefore: firstSeconds + 3_700n }),
    authorization({ validBefore: firstSeconds + 7_000n }),
  ];
  const statuses: unknown[] = [];
  for (const [nonce, message] of messages.entries()) {
    const raw = await settlerTransaction(nonce, SANDBOX_TOKEN, transferCall(message, await signed(message)));
    const hash = await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', [raw]);
    statuses.push((await receiptOf(chain.rpcUrl, hash)).status);
    clock.advance(HOUR_MS);
  }
  assert.deepEqual(statuses, ['0x1', '0x1', '0x0']);
  const head = await callRpc(chain.rpcUrl, 'eth_getBlockByNumber', ['latest', true]);
  await chain.close();
  await using again = await startSandboxChain({ directory: chain.directory, clock });
  assert.deepEqual(await callRpc(again.rpcUrl, 'eth_getBlockByNumber', ['latest', true]), head);
  assert.equal(await new SandboxMoney(again.rpcUrl).balance(payee), 4000n);
});

test('a file that became long is cut: state and newest receipts stay, and the chain goes on', async () => {
  await using uncut = await chainForTest();
  await using chain = await chainForTest({ cutAfter: 4 });
  const { directory } = chain;
  const hashes = await livedThrough(uncut.rpcUrl);
  assert.deepEqual(await livedThrough(chain.rpcUrl), hashes);
  const whole = await standOf(uncut.rpcUrl, hashes);
  assert.deepEqual(new Set(whole.statuses), new Set(['0x1']));
  const statuses = hashes.map((_, i) => (i < 4 ? undefined : '0x1'));
  assert.deepEqual(await standOf(chain.rpcUrl, hashes), { ...whole, statuses });
  await chain.close();

  await using again = await startSandboxChain({ directory, cutAfter: 4 });
  assert.deepEqual(await standOf(again.rpcUrl, hashes), { ...whole, statuses });
  const money = new SandboxMoney(again.rpcUrl);
  await money.mint(payer.address, 1n);
  assert.equal(await money.balance(payer.address), 8n);
  assert.equal(await money.balance(payee), 5n);
});

test('a changed line is found when the chain is opened', async () => {
  await using chain = await chainForTest();
  await new SandboxMoney(chain.rpcUrl).mint(payer.address, 1n);
  const { directory } = chain;
  await chain.close();
  const path = join(directory, CHAIN_FILE);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"seconds":1', '"seconds":2'));
  await assert.rejects(startSandboxChain({ directory }), /damaged at byte 0/);
});

test('a chain whose file is gone is another chain, and its name is known before it begins', async () => {
  await using chain = await chainForTest();
  const { directory } = chain;
  assert.equal(chainInstanceIn(directory), chain.chainInstance);
  await chain.close();
  assert.equal(chainInstanceIn(directory), chain.chainInstance);
  rmSync(join(directory, CHAIN_FILE));
  const promised = chainInstanceIn(directory);
  assert.notEqual(promised, chain.chainInstance);
  await using next = await startSandboxChain({ directory });
  assert.equal(next.chainInstance, promised);
});

test('a directory of the chain of an earlier version opens with a new chain', async () => {
  await using chain = await chainForTest();
  const { directory } = chain;
  await chain.close();
  rmSync(join(directory, CHAIN_FILE));
  for (const file of ['instance', 'instance.next']) writeFileSync(join(directory, file), 'earlier');
  writeFileSync(join(directory, 'blocks.ndjson'), '0xabc {"number":0}\n');
  await using next = await startSandboxChain({ directory });
  assert.notEqual(next.chainInstance, 'earlier');
});
