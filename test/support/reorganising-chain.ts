// A real chain whose newest blocks can be replaced, a facilitator before it, and a service that is paid through both.
import assert from 'node:assert/strict';
import type { Clock } from '#kernel/clock.ts';
import { ChainReads } from '#platform/payments/chain-reads.ts';
import { FacilitatorBackend } from '#platform/payments/facilitator.ts';
import { RpcClient } from '#platform/payments/rpc.ts';
import { chooseRecoverEngine } from '#protocol/payment/recover-engine.ts';
import type { PaymentPayload } from '#protocol/payment/wire.ts';
import { type ChainAnswer as RpcAnswer, type Edr, startEdr } from '#sandbox/chain/edr.ts';
import { serveRpc } from '#sandbox/chain/rpc-server.ts';
import { SANDBOX_CHAIN_ID, SANDBOX_TOKEN, sandboxGenesis } from '#sandbox/chain/sandbox-contracts.ts';
import { SandboxMoney } from '#sandbox/chain/sandbox-money.ts';
import { Relay } from '#sandbox/facilitator/relay.ts';
import { FacilitatorSimulator } from '#sandbox/facilitator/simulator.ts';
import { NETWORK } from '../../src/platform/payments/_settlement.ts';
import { TestService } from './service.ts';

/** Says only that it hung. */
const HUNG_MS = 60_000;
/** A facilitator that lies is waited for until then. */
const LIED_TO_MS = 300;
const POLL_MS = 20;
const NODE_DOWN = { code: -32005, message: 'the node is down' };

/** Time that passes by itself and can be moved on. */
class MovedClock implements Clock {
  #movedMs = 0;

  now(): number {
    return Date.now() + this.#movedMs;
  }

  monotonicMs(): number {
    return performance.now() + this.#movedMs;
  }

  advance(byMs: number): void {
    this.#movedMs += byMs;
  }
}

/** Names the block up to which a chain stays as it is. */
export type Mark = string & { readonly mark: unique symbol };

export class ReorganisingChain implements AsyncDisposable {
  readonly clock = new MovedClock();
  readonly url: string;
  readonly money: SandboxMoney;
  isDown = false;
  /** Questions that came while it was down. */
  refusals = 0;
  readonly #edr: Edr;
  readonly #stack: AsyncDisposableStack;
  readonly #seconds = () => Math.floor(this.clock.now() / 1000);

  private constructor(edr: Edr, url: string, stack: AsyncDisposableStack) {
    this.#edr = edr;
    this.url = url;
    this.money = new SandboxMoney(url);
    this.#stack = stack;
  }

  static async start(): Promise<ReorganisingChain> {
    await using stack = new AsyncDisposableStack();
    const edr = await startEdr(SANDBOX_CHAIN_ID, Math.floor(Date.now() / 1000), sandboxGenesis());
    const { url } = stack.use(await serveRpc((method, params) => chain.#ask(method, params)));
    const chain: ReorganisingChain = new ReorganisingChain(edr, url, stack.move());
    return chain;
  }

  async mark(): Promise<Mark> {
    return (await this.#edr('evm_snapshot', [])).result as Mark;
  }

  /** Replaces every block since the mark by more blocks, which hold nothing but what `instead` sends. */
  async reorganise(mark: Mark, instead: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    assert.equal((await this.#edr('evm_revert', [mark])).result, true);
    await instead();
    for (let blocks = 0; blocks < 5; blocks += 1) await this.#edr('evm_mine', [this.#seconds()]);
  }

  /** Brings a signed transfer to the chain, as anybody may. */
  async bring(payload: PaymentPayload): Promise<string> {
    const relay = new Relay(this.url, await chooseRecoverEngine());
    const { transaction, isPaid } = await relay.settle(payload);
    assert.ok(isPaid);
    return transaction;
  }

  async hasTransaction(hash: unknown): Promise<boolean> {
    return (await this.#edr('eth_getTransactionReceipt', [hash])).result !== null;
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#stack.disposeAsync();
  }

  /** A block with every transaction, as the sandbox chain makes them. */
  async #ask(method: string, params: unknown): Promise<RpcAnswer> {
    if (this.isDown) {
      this.refusals += 1;
      return { error: NODE_DOWN };
    }
    if (method === 'evm_mine') return this.#edr(method, [this.#seconds()]);
    const answer = await this.#edr(method, params);
    if (method === 'eth_sendRawTransaction') await this.#edr('evm_mine', [this.#seconds()]);
    return answer;
  }
}

/** A service that a facilitator settles for; the facilitator can be replaced by one that lies. */
export class FacilitatedService implements AsyncDisposable {
  readonly service: TestService;
  simulator: FacilitatorSimulator;
  readonly #stack: AsyncDisposableStack;

  private constructor(service: TestService, simulator: FacilitatorSimulator, stack: AsyncDisposableStack) {
    this.service = service;
    this.simulator = simulator;
    this.#stack = stack;
  }

  static async start(chain: ReorganisingChain): Promise<FacilitatedService> {
    await using stack = new AsyncDisposableStack();
    const simulator = stack.use(await FacilitatorSimulator.start({ rpcUrl: chain.url, network: NETWORK }));
    const { clock } = chain;
    const rpc = new RpcClient({ url: chain.url, timeoutMs: HUNG_MS });
    const settlement = new FacilitatorBackend({
      get url() {
        return facilitated.simulator.url;
      },
      get timeoutMs() {
        return facilitated.simulator.mode === 'lying_success' ? LIED_TO_MS : HUNG_MS;
      },
      network: NETWORK,
      reads: new ChainReads({ rpc, token: SANDBOX_TOKEN, clock, minesOnDemand: true }),
      clock,
      authorization: null,
      pollEveryMs: POLL_MS,
    });
    const service = stack.use(await TestService.start({ clock, settlement }));
    const facilitated: FacilitatedService = new FacilitatedService(service, simulator, stack.move());
    return facilitated;
  }

  /** Another facilitator at its place: one that knows nothing of the blocks before, in that mode. */
  async replaceFacilitator(chain: ReorganisingChain, mode: FacilitatorSimulator['mode']): Promise<void> {
    this.simulator = this.#stack.use(await FacilitatorSimulator.start({ rpcUrl: chain.url, network: NETWORK, mode }));
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#stack.disposeAsync();
  }
}
