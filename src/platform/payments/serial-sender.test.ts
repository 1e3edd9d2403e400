import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite, test } from 'node:test';
import { parseTransaction, type TransactionSerializableEIP1559 } from 'viem';
import { ManualClock } from '#kernel/clock.ts';
import type { Hex } from '#protocol/payment/hex.ts';
import { SANDBOX_SETTLER_KEY, SANDBOX_TOKEN } from '#sandbox/chain/sandbox-contracts.ts';
import { accountOf } from '#protocol/payment/account.ts';
import { chooseRecoverEngine } from '#protocol/payment/recover-engine.ts';
import { openStore } from '../../../test/support/engines.ts';
import { PATIENT_MS } from './_settler.ts';
import { RpcClient } from './rpc.ts';
import { SerialSender } from './serial-sender.ts';

const engine = await chooseRecoverEngine();
const CALL = { to: SANDBOX_TOKEN, data: '0xc0ffee', gas: 190_000n } as const;

/** A node whose pool never makes a block unless it is told so. */
class IdleNode implements AsyncDisposable {
  latest = 0;
  pending = 0;
  baseFee = 1_000_000_000n;
  refusal: string | undefined;
  /** Nonces below are spent by somebody else. */
  taken = 0;
  readonly sent: TransactionSerializableEIP1559[] = [];
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as { id: number; method: string; params: string[] };
      const answers = [asked]
        .flat()
        .map(({ id, method, params }) => ({ jsonrpc: '2.0', id, ...this.#answer(method, params) }));
      response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
    });
  });

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(
    method: string,
    params: readonly string[],
  ): { result: unknown } | { error: { code: number; message: string } } {
    const hex = (value: bigint | number) => `0x${value.toString(16)}`;
    switch (method) {
      case 'eth_getTransactionCount':
        return { result: hex(params[1] === 'latest' ? this.latest : Math.max(this.pending, this.taken)) };
      case 'eth_getBlockByNumber':
        return { result: { baseFeePerGas: hex(this.baseFee) } };
      case 'eth_maxPriorityFeePerGas':
        return { result: hex(1000) };
      case 'eth_sendRawTransaction': {
        const transaction = parseTransaction(params[0] as `0x02${string}`);
        const isRefused = this.taken === 0 || (transaction.nonce ?? 0) < this.taken;
        if (this.refusal !== undefined && isRefused) return { error: { code: -32000, message: this.refusal } };
        this.sent.push(transaction);
        return { result: params[0] };
      }
      default:
        return { error: { code: -32601, message: 'no such method' } };
    }
  }
}

async function openSender() {
  await using stack = new AsyncDisposableStack();
  const clock = new ManualClock();
  const opened = stack.use(await openStore('sqlite', { injectedClock: clock }));
  const node = stack.use(new IdleNode());
  const signer = accountOf(SANDBOX_SETTLER_KEY, engine);
  const rpc = new RpcClient({ url: await node.listen(), timeoutMs: PATIENT_MS });
  const sender = new SerialSender({ rpc, store: opened.store, clock, signer, chainId: 8453, chain: 'test' });
  const kept = stack.move();
  return { clock, node, sender, store: opened.store, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

suite('transactions of one key', () => {
  test('go out under growing nonces without waiting for a block', async () => {
    await using world = await openSender();
    world.node.pending = 5;
    const sent = await Promise.all([1, 2, 3].map(() => world.sender.send(CALL, ['key'])));
    assert.deepEqual(
      sent.map(({ nonce }) => nonce),
      [5, 6, 7],
    );
    assert.deepEqual(
      world.node.sent.map(({ nonce }) => nonce),
      [5, 6, 7],
    );
  });

  test('that wait are sent again as they were, and after a while for more', async () => {
    await using world = await openSender();
    const { clock, node, sender } = world;
    const { hash } = await sender.send(CALL, ['key']);
    node.pending = 1;
    await sender.tend();
    assert.equal(node.sent.length, 1, 'it is too early');
    clock.advance(3000);
    await sender.tend();
    assert.deepEqual(node.sent[1], node.sent[0]);
    clock.advance(15_000);
    node.baseFee = 3_000_000_000n;
    const [open] = await sender.tend();
    assert.equal(open?.hashes[0], hash);
    const [first, , dearer] = node.sent as [TransactionSerializableEIP1559, unknown, TransactionSerializableEIP1559];
    assert.deepEqual([dearer.nonce, dearer.data, dearer.to], [first.nonce, first.data, first.to]);
    assert.ok((dearer.maxFeePerGas ?? 0n) >= 6_000_000_000n, 'it follows the market');
    assert.ok((dearer.maxPriorityFeePerGas ?? 0n) * 10n >= (first.maxPriorityFeePerGas ?? 0n) * 11n);
    assert.equal((await sender.tend())[0]?.hashes.length, 2, 'both may be mined');
  });

  test('that are spent are closed', async () => {
    await using world = await openSender();
    await world.sender.send(CALL, ['key']);
    world.node.latest = world.node.pending = 1;
    await world.sender.tend();
    assert.deepEqual(await world.sender.tend(), []);
  });

  test('of a chain that forgot its last blocks are given up, and the chain counts', async () => {
    await using world = await openSender();
    const { node, sender, clock } = world;
    node.pending = node.latest = 9;
    await sender.send(CALL, ['key']);
    node.pending = node.latest = 4;
    clock.advance(11_000);
    assert.deepEqual(await sender.tend(), []);
    assert.equal((await sender.send(CALL, ['key'])).nonce, 4);
  });

  test('take the nonce of the chain where somebody else used the key', async () => {
    await using world = await openSender();
    const { node, sender, store } = world;
    await sender.send(CALL, ['key']);
    node.refusal = 'nonce too low';
    node.taken = 12;
    assert.equal((await sender.send(CALL, ['other'])).nonce, 12);
    const rows = await store.read('SELECT nonce FROM settle_batch ORDER BY nonce');
    assert.deepEqual(
      rows.map((row) => row['nonce']),
      [0, 12],
    );
  });

  test('that the node refuses give their nonce back', async () => {
    await using world = await openSender();
    const { node, sender, store } = world;
    node.refusal = 'insufficient funds for gas * price + value';
    await assert.rejects(sender.send(CALL, ['key']), { name: 'SendRefusedError' });
    assert.deepEqual(await store.read('SELECT nonce FROM settle_batch'), []);
    node.refusal = undefined;
    assert.equal((await sender.send(CALL, ['key'])).nonce, 0);
  });

  test('that the node already has are under way', async () => {
    await using world = await openSender();
    world.node.refusal = 'already known';
    const { hash } = await world.sender.send(CALL, ['key']);
    assert.match(hash satisfies Hex, /^0x[0-9a-f]{64}$/);
  });
});
