// A node of Base with the real token and a facilitator for it on one address, for who only asks whether they answer.
import type { IncomingMessage } from 'node:http';
import { domainSeparator } from '#protocol/payment/authorization-digest.ts';
import { hexOf } from '#protocol/payment/hex.ts';
import { listenOnLoopback, type LoopbackServer } from '#sandbox/loopback.ts';

const USDC = {
  name: 'USD Coin',
  version: '2',
  chainId: 8453,
  verifyingContract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
} as const;

interface Call {
  readonly id: number;
  readonly method: string;
}

export class SettlementStub implements AsyncDisposable {
  readonly url: string;
  tokenName = 'USD Coin';
  network = 'eip155:8453';
  balanceWei = 10n ** 18n;
  isNodeUp = true;
  /** Of the facilitator's answers. */
  status = 200;
  /** What the facilitator answers in place of what it supports. */
  text: string | null = null;
  /** How far its clock is from ours. */
  aheadMs = 0;
  readonly #server: LoopbackServer;

  private constructor(server: LoopbackServer) {
    this.#server = server;
    this.url = server.url;
  }

  static async start(): Promise<SettlementStub> {
    const server = await listenOnLoopback(async (request, response) => {
      response.setHeader('date', new Date(Date.now() + stub.aheadMs).toUTCString());
      if (request.method === 'POST') {
        if (!stub.isNodeUp) return void response.destroy();
        return void response.end(JSON.stringify(await stub.#answer(request)));
      }
      response.statusCode = stub.status;
      response.end(stub.text ?? JSON.stringify(stub.#supported()));
    });
    const stub: SettlementStub = new SettlementStub(server);
    return stub;
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#server[Symbol.asyncDispose]();
  }

  #supported(): object {
    return { kinds: [{ x402Version: 2, scheme: 'exact', network: this.network }] };
  }

  async #answer(request: IncomingMessage): Promise<object> {
    let text = '';
    for await (const piece of request) text += String(piece);
    const calls = JSON.parse(text) as Call | Call[];
    return Array.isArray(calls) ? calls.map((call) => this.#resultOf(call)) : this.#resultOf(calls);
  }

  #resultOf({ id, method }: Call): object {
    const separator = hexOf(domainSeparator({ ...USDC, name: this.tokenName }));
    const result = method === 'eth_getBalance' ? `0x${this.balanceWei.toString(16)}` : separator;
    return { jsonrpc: '2.0', id, result };
  }
}
