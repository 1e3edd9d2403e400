import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { TransferAuthorization } from '#protocol/payment/authorization-digest.ts';
import { Buyer, challengeOf } from '../_buyer.ts';
import { type Answer, Client, serviceEnv, temporaryDirectory } from '../_harness.ts';
import { MemoryChain } from '../_settlement.ts';

const CHILD = fileURLToPath(new URL('../_paid-child.ts', import.meta.url));
/** Between any two durable points: where the parent kills the child. */
const KILL_AT = ['reserved', 'stored', 'moved', 'answered', 'settled'] as const;
type KillPoint = (typeof KILL_AT)[number];
const ROUNDS = 2;

class Parent implements AsyncDisposable {
  readonly chain = new MemoryChain(() => Math.floor(Date.now() / 1000));
  killAt: KillPoint | undefined;
  child: ChildProcess | undefined;
  readonly dataDir: string;
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void this.#answer(request.url ?? '', chunks).then((text) => response.end(text)));
  });

  constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  async #answer(url: string, chunks: Buffer[]): Promise<string> {
    const authorization = JSON.parse(Buffer.concat(chunks).toString(), (_, value: unknown) =>
      typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
    ) as TransferAuthorization;
    const settleable = { authorization } as never;
    if (url === '/facts') {
      this.#killIf('reserved');
      const facts = await this.chain.payerFacts(authorization);
      return JSON.stringify({ ...facts, balance: String(facts.balance) });
    }
    if (url === '/reconcile') return JSON.stringify(await this.chain.reconcile(settleable));
    this.#killIf('stored');
    if (this.child?.killed === true) return '{}';
    const outcome = await this.chain.settle(settleable);
    this.#killIf('moved');
    if (this.killAt === 'answered') setImmediate(() => this.#killIf('answered'));
    return JSON.stringify(outcome);
  }

  #killIf(point: KillPoint): void {
    if (this.killAt !== point) return;
    this.killAt = undefined;
    this.child?.kill('SIGKILL');
  }

  async start(): Promise<string> {
    if (!this.#server.listening) await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    const chain = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    const env = { ...serviceEnv(this.dataDir, undefined), AVOUCH_TEST_CHAIN: chain, PATH: process.env['PATH'] ?? '' };
    const child = spawn(process.execPath, [CHILD], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    this.child = child;
    return new Promise((resolve, reject) => {
      let output = '';
      child.stdout.on('data', (chunk) => {
        output += String(chunk);
        const url = /listens on (\S+)/.exec(output)?.[1];
        if (url !== undefined) resolve(url);
      });
      child.once('exit', (code) => reject(new Error(`exit ${code} before it was ready`)));
    });
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.#server.closeAllConnections();
    this.#server.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

test('killed between any two durable points, every payment ends with one transfer and its one stored answer', async () => {
  await using parent = new Parent(await temporaryDirectory());
  const client = new Client();
  const buyer = new Buyer();
  let bought = 0;
  let url = await parent.start();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const point of KILL_AT) {
      const path = `/v1/spend-fuse?amount_usd=1&agent=scout-1&intent_id=${point}-${round}`;
      const challenge = challengeOf(await client.call(url, path));
      const { header } = await buyer.sign(challenge, { nowSeconds: Math.floor(Date.now() / 1000) });
      const pay = () => client.call(url, path, { headers: { 'payment-signature': header } });
      parent.killAt = point;
      const first = await pay().catch(() => undefined);
      if (point === 'settled') assert.equal(first?.status, 200);
      await parent.stop();
      parent.killAt = undefined;
      url = await parent.start();
      const answer = await untilAnswered(pay);
      bought += 1;
      if (first?.status === 200) assert.equal(answer.text, first.text);
      assert.deepEqual((answer.json['result'] as { stops: string[] }).stops, [], `${point}: met its own intent`);
      assert.equal((await pay()).text, answer.text);
      assert.equal(parent.chain.transfers.size, bought, point);
    }
  }
  client.close();
  await parent.stop();
  using database = new DatabaseSync(join(parent.dataDir, 'avouch.db'));
  const rows = database.prepare('SELECT state, amount FROM payment').all() as { state: string; amount: number }[];
  assert.deepEqual([...new Set(rows.map(({ state }) => state))], ['settled']);
  const moved = [...parent.chain.transfers.values()].reduce((sum, { value }) => sum + value, 0n);
  assert.equal(moved, BigInt(rows.reduce((sum, { amount }) => sum + amount, 0)));
});

/** As a buyer does: the same request again while it is told to wait, and never a new payment. */
async function untilAnswered(pay: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = await pay();
    if (answer.status === 200) return answer;
    assert.equal(answer.status, 503, answer.text);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('no answer after 200 tries');
}
