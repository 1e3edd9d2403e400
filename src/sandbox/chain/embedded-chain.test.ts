import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'node:test';
import { encodeFunctionData, type Hex } from 'viem';
import {
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
import { callRpc } from './rpc-client.ts';
import { startSandboxChain } from './sandbox-chain.ts';
import { SANDBOX_TOKEN } from './sandbox-contracts.ts';
import { SandboxMoney } from './sandbox-money.ts';
import { serveChain } from './served-chain.ts';

const mintData = (value: bigint) =>
  encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [payer.address, value] });
const mintTransaction = (nonce: number, value = 1n, fee?: bigint) =>
  settlerTransaction(nonce, SANDBOX_TOKEN, mintData(value), fee);

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
  await assert.rejects(send(mintTransaction(2, 3n)), /already imported/);
  await assert.rejects(send(mintTransaction(2, 4n, 10_500_000_000n)), /replacement transaction underpriced/);
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
  await assert.rejects(send(await payer.signTransaction(base)), /Insufficient funds/);
  await assert.rejects(send(await settler.signTransaction({ ...base, chainId: 1 })), /invalid chain id/);
  await assert.rejects(send(await settler.signTransaction({ ...base, gas: 20_999n })), /intrinsic gas too low/);
  await assert.rejects(send(await settler.signTransaction({ ...base, gas: 400_000_001n })), /block gas limit/);
  await assert.rejects(send(await settler.signTransaction({ ...base, maxFeePerGas: 1n })), /less than block base fee/);
  await assert.rejects(send('0x1234'), /cannot be decoded/);
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
    ]),
  )) as { id: number; result?: unknown; error?: { code: number; message: string; data?: string } }[];
  assert.deepEqual(
    batch.map(({ id, error }) => [id, error?.code]),
    [
      [1, undefined],
      [2, 3],
      [3, -32601],
      [4, -32602],
      [5, -32602],
      [6, undefined],
    ],
  );
  assert.match(batch[1]?.error?.message ?? '', /execution reverted: ERC20: transfer amount exceeds balance/);
  assert.match(batch[1]?.error?.data ?? '', /^0x08c379a0/);
  assert.match(String(batch[5]?.result), /^avouch-evm\//);
  for (const body of ['', '{', '[]', 'null', '{"id":1}', '{"id":1,"method":7}', '{"method":"eth_call","params":{}}']) {
    assert.ok('error' in ((await post(body)) as object), body);
  }
});

test('with a block time, blocks come by themselves and a transaction waits for one', async () => {
  await using chain = await chainForTest({ blockTimeMs: 200 });
  const { reads } = clientsOf(chain.rpcUrl);
  const first = await reads.getBlockNumber();
  const hash = await new SandboxMoney(chain.rpcUrl).mint(payer.address, 1n);
  while ((await reads.getBlockNumber()) < first + 3n) await pause(20);
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
  appendFileSync(join(directory, 'blocks.ndjson'), '0xabcdef {"number":');

  await using again = await startSandboxChain({ directory, kind: 'embedded' });
  assert.equal(again.chainInstance, chain.chainInstance);
  assert.deepEqual(await receiptOf(again.rpcUrl, hash), receipt);
  assert.deepEqual(await callRpc(again.rpcUrl, 'eth_getBlockByNumber', ['latest', true]), head);
  const later = new SandboxMoney(again.rpcUrl);
  await later.mint(payer.address, 1n);
  assert.equal(await later.balance(payer.address), 1235n);
  await again.close();

  await using third = await startSandboxChain({ directory, kind: 'embedded' });
  assert.equal(await new SandboxMoney(third.rpcUrl).balance(payer.address), 1235n);
});

test('a file that became long is cut down at the start: balances and the newest blocks stay, and the chain goes on', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'avouch-chain-')), 'blocks.ndjson');
  const kept = { path, keptBlocks: 4 };
  const heads: unknown[] = [];
  const hashes: Hex[] = [];
  for (const [minted, knownAfter] of [
    [9n, 9],
    [1n, 5],
    [1n, 6],
  ] as const) {
    await using chain = await serveChain(kept);
    const money = new SandboxMoney(chain.rpcUrl);
    const head = await callRpc(chain.rpcUrl, 'eth_getBlockByNumber', ['latest', true]);
    if (heads.length > 0) assert.deepEqual(head, heads.at(-1));
    for (let i = 0n; i < minted; i++) hashes.push(await money.mint(payer.address, 1n));
    assert.equal(await money.balance(payer.address), BigInt(hashes.length));
    heads.push(await callRpc(chain.rpcUrl, 'eth_getBlockByNumber', ['latest', true]));
    const receipts = hashes.map((hash) => callRpc(chain.rpcUrl, 'eth_getTransactionReceipt', [hash]));
    const known = (await Promise.all(receipts)).filter((receipt) => receipt !== null);
    assert.equal(known.length, knownAfter);
  }
  const lines = readFileSync(path, 'utf8').split('\n');
  assert.equal(lines.length - 1, 6);
  lines[0] = lines[0]?.replace('"number":', '"number": ') ?? '';
  writeFileSync(path, lines.join('\n'));
  await assert.rejects(serveChain(kept), /damaged/);
  rmSync(dirname(path), { recursive: true });
});

test('a changed block is found when the chain is opened', async () => {
  await using chain = await chainForTest();
  const { directory } = chain;
  await chain.close();
  const path = join(directory, 'blocks.ndjson');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"timestampSeconds":1', '"timestampSeconds":2'));
  const opening = startSandboxChain({ directory, kind: 'embedded' });
  await assert.rejects(opening, /damaged at block 0/);
});

test('a chain whose file is gone is another chain', async () => {
  await using one = await chainForTest();
  await using other = await chainForTest();
  assert.notEqual(one.chainInstance, other.chainInstance);
});
