// Services as processes of their own on one store, with one chain in the parent, which kills them between any two steps.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { TransferAuthorization } from '#protocol/payment/authorization-digest.ts';
import { passedOn } from '../support/child-service.ts';
import { Buyer, challengeOf } from '../support/buyer.ts';
import { type Answer, Client } from '../support/client.ts';
import { type EngineName, freshDatabase } from '../support/databases.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serviceEnv } from '../support/service.ts';
import { until } from '../support/until.ts';
import { MemoryChain } from '../support/memory-chain.ts';

const CHILD = fileURLToPath(new URL('./paid-child.ts', import.meta.url));
/** Between any two durable points: where the parent kills the child. */
export const KILL_POINTS = ['reserved', 'stored', 'moved', 'answered', 'settled'] as const;
type KillPoint = (typeof KILL_POINTS)[number];
/** Another process on PostgreSQL may still be at work: what a dead one began is taken over when its time is up. */
const TAKEN_OVER_MS = 80_000;
const AT_ONCE = 4;

export class PaidChildren implements AsyncDisposable {
  readonly #engine: EngineName;
  readonly #dataDir: string;
  readonly #databaseUrl: string | undefined;
  readonly #children: ChildProcess[] = [];
  readonly #client = new Client();
  readonly chain = new MemoryChain(() => Math.floor(this.nowMs / 1000));
  readonly buyer = new Buyer();
  killAt: KillPoint | undefined;
  #aheadMs = 0;
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void this.#answer(request.url ?? '', chunks).then((text) => response.end(text)));
  });

  private constructor(engine: EngineName, dataDir: string, databaseUrl: string | undefined) {
    this.#engine = engine;
    this.#dataDir = dataDir;
    this.#databaseUrl = databaseUrl;
  }

  static async open(engine: EngineName): Promise<PaidChildren> {
    const children = new PaidChildren(engine, await temporaryDirectory(), await freshDatabase(engine));
    await once(children.#server.listen(0, '127.0.0.1'), 'listening');
    return children;
  }

  get nowMs(): number {
    return Date.now() + this.#aheadMs;
  }

  async start(): Promise<string> {
    const env = {
      ...serviceEnv(this.#dataDir, this.#databaseUrl),
      AVOUCH_TEST_CHAIN: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`,
      AVOUCH_TEST_AHEAD_MS: String(this.#aheadMs),
      ...passedOn(),
    };
    const child = spawn(process.execPath, [CHILD], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#children.push(child);
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

  /** Kills what is left, and lets the time pass after which another process takes over. */
  async restart(): Promise<string> {
    await this.#killAll();
    if (this.#engine === 'postgres') this.#aheadMs += TAKEN_OVER_MS;
    return this.start();
  }

  /** Signs what the call asks for; gives a function that pays it at a service. */
  async purchase(url: string, path: string): Promise<(url: string) => Promise<Answer>> {
    const challenge = challengeOf(await this.#client.call(url, path));
    const { header } = await this.buyer.sign(challenge, { nowSeconds: Math.floor(this.nowMs / 1000) });
    return (at) => this.#client.call(at, path, { headers: { 'payment-signature': header } });
  }

  async rows(): Promise<{ readonly state: string; readonly amount: number }[]> {
    const sql = 'SELECT state, amount FROM payment';
    if (this.#databaseUrl === undefined) {
      using database = new DatabaseSync(join(this.#dataDir, 'avouch.db'));
      return database.prepare(sql).all() as { state: string; amount: number }[];
    }
    const client = new pg.Client({ connectionString: this.#databaseUrl });
    await client.connect();
    try {
      const { rows } = await client.query<{ state: string; amount: string }>(sql);
      return rows.map(({ state, amount }) => ({ state, amount: Number(amount) }));
    } finally {
      await client.end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#killAll();
    this.#client.close();
    this.#server.closeAllConnections();
    this.#server.close();
    await rm(this.#dataDir, { recursive: true, force: true });
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
    if (this.#children.at(-1)?.killed === true) return '{}';
    const outcome = await this.chain.settle(settleable);
    this.#killIf('moved');
    if (this.killAt === 'answered') setImmediate(() => this.#killIf('answered'));
    return JSON.stringify(outcome);
  }

  #killIf(point: KillPoint): void {
    if (this.killAt !== point) return;
    this.killAt = undefined;
    this.#children.at(-1)?.kill('SIGKILL');
  }

  async #killAll(): Promise<void> {
    this.killAt = undefined;
    for (const child of this.#children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
  }
}

export interface PaymentKillsReport {
  readonly engine: EngineName;
  readonly kills: number;
  readonly payments: number;
  readonly transfers: number;
  readonly states: Readonly<Record<string, number>>;
  readonly movedAtomic: string;
  readonly settledAtomic: string;
}

/** Buys while the service is killed, each time at the next point, with some payments under way beside the one that is there. */
export async function paymentKills(engine: EngineName, kills: number): Promise<PaymentKillsReport> {
  await using children = await PaidChildren.open(engine);
  let url = await children.start();
  for (let kill = 0; kill < kills; kill += 1) {
    const point = KILL_POINTS[kill % KILL_POINTS.length] as KillPoint;
    const paths = Array.from(
      { length: AT_ONCE },
      (_, index) => `/v1/spend-fuse?amount_usd=1&agent=scout-1&intent_id=${kill}-${index}`,
    );
    const purchases = await Promise.all(paths.map((path) => children.purchase(url, path)));
    children.killAt = point;
    const first = await Promise.all(purchases.map((pay) => pay(url).catch(() => undefined)));
    if (point === 'settled') assert.deepEqual(new Set(first.map((answer) => answer?.status)), new Set([200]));
    url = await children.restart();
    const answers = await Promise.all(purchases.map((pay) => untilAnswered(() => pay(url))));
    for (const [index, { text, json }] of answers.entries()) {
      if (first[index]?.status === 200) assert.equal(text, first[index].text, point);
      assert.deepEqual((json['result'] as { stops: string[] }).stops, [], `${point}: met its own intent`);
      assert.equal((await purchases[index]?.(url))?.text, text);
    }
    assert.equal(children.chain.transfers.size, (kill + 1) * AT_ONCE, point);
  }
  const rows = await children.rows();
  const transfers = [...children.chain.transfers.values()];
  return {
    engine,
    kills,
    payments: rows.length,
    transfers: transfers.length,
    states: Object.fromEntries(
      [...Map.groupBy(rows, ({ state }) => state)].map(([state, list]) => [state, list.length]),
    ),
    movedAtomic: String(transfers.reduce((sum, { value }) => sum + value, 0n)),
    settledAtomic: String(rows.reduce((sum, { amount }) => sum + amount, 0)),
  };
}

/** As a buyer does: the same request again while it is told to wait, and never a new payment. */
async function untilAnswered(pay: () => Promise<Answer>): Promise<Answer> {
  let answer = await pay();
  await until('the answer to a payment', async () => {
    if (answer.status === 200) return true;
    assert.equal(answer.status, 503, answer.text);
    answer = await pay();
    return false;
  });
  return answer;
}
