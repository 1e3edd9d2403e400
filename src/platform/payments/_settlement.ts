// A chain with money on it and a store, and payments for a settler.
import type { AddressInfo } from 'node:net';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { Hex } from '#protocol/payment/hex.ts';
import {
  authorization,
  type Authorization,
  chainForTest,
  payer,
  signed,
  type TestChainOptions,
} from '#sandbox/chain/_chain.ts';
import { SandboxMoney } from '#sandbox/chain/sandbox-money.ts';
import { openStore } from '../../../test/support/engines.ts';
import { clock, settleable } from './_settler.ts';
import type { Settleable } from './settlement.ts';

export { clock, NETWORK, PATIENT_MS, settleable, settlerOn } from './_settler.ts';

/** A payment that its payer signed. */
export async function payment(change: Partial<Authorization> = {}, by = payer): Promise<Settleable> {
  const message = authorization({ from: by.address, ...change });
  return settleable(message, await signed(message, 'TransferWithAuthorization', by));
}

/** The same payment with one bit of its signature turned. */
export function tampered({ authorization: message, payload }: Settleable): Settleable {
  const { signature } = payload.payload;
  const last = Number.parseInt(signature.slice(40, 42), 16) ^ 1;
  const changed = `${signature.slice(0, 40)}${last.toString(16).padStart(2, '0')}${signature.slice(42)}` as Hex;
  return settleable(message, changed);
}

export function inSeconds(seconds: number): bigint {
  return BigInt(Math.floor(clock.now() / 1000) + seconds);
}

export interface WorldOptions {
  readonly chain?: TestChainOptions;
  readonly engine?: 'sqlite' | 'postgres';
  /** The payer's money; enough for everything unless said otherwise. */
  readonly funds?: bigint;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** A fresh chain with a funded payer, and a store. */
export async function openWorld({ chain: options = {}, engine = 'sqlite', funds = 1_000_000_000n }: WorldOptions = {}) {
  await using stack = new AsyncDisposableStack();
  const chain = stack.use(await chainForTest(options));
  const opened = await openStore(engine);
  stack.defer(async () => {
    await opened.store.close();
    await opened[Symbol.asyncDispose]();
  });
  const money = new SandboxMoney(chain.rpcUrl);
  if (funds > 0n) await money.mint(payer.address, funds);
  const kept = stack.move();
  return { chain, opened, store: opened.store, money, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** What a payee gets from now on. */
export async function paidTo(account: Hex, { money }: Pick<World, 'money'>): Promise<() => Promise<bigint>> {
  const before = await money.balance(account);
  return async () => (await money.balance(account)) - before;
}

type Fault = 'pass' | 'refuse' | 'lose_answer' | 'drop' | 'redirect' | 'html' | 'endless';

/** A way to a node that can be disturbed, method by method. */
export class FaultyNode implements AsyncDisposable {
  readonly url: string;
  readonly calls: string[] = [];
  /** What happens to a call of the method; told how often it was called before. */
  fault: (method: string, before: number) => Fault = () => 'pass';
  readonly #server: ReturnType<typeof createServer>;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async before(target: string): Promise<FaultyNode> {
    const server = createServer((request, response) => void node.#handle(target, request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const node: FaultyNode = new FaultyNode(server);
    return node;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #handle(target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const asked = JSON.parse(body) as { id: number; method: string } | { id: number; method: string }[];
    const faults = [asked].flat().map(({ method }) => {
      const before = this.calls.filter((one) => one === method).length;
      this.calls.push(method);
      return this.fault(method, before);
    });
    const fault = faults.find((one) => one !== 'pass') ?? 'pass';
    if (fault === 'drop') return void request.socket.destroy();
    if (fault === 'redirect') return void response.writeHead(307, { location: target }).end();
    if (fault === 'html') return void response.end('<html>busy</html>');
    if (fault === 'endless') return void response.write('[');
    if (fault === 'refuse') {
      const refused = [asked]
        .flat()
        .map(({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32005, message: 'limit exceeded' } }));
      return void response.end(JSON.stringify(Array.isArray(asked) ? refused : refused[0]));
    }
    const answer = await fetch(target, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    const text = await answer.text();
    if (fault === 'lose_answer') return void request.socket.destroy();
    response.end(text);
  }
}
