// Buys through the gate while the facilitator behind it misbehaves in one mode, and counts what became of every purchase.
import assert from 'node:assert/strict';
import type { Hex } from '#protocol/payment/hex.ts';
import { authorizationOf } from '#protocol/payment/static-checks.ts';
import { ChainReads } from '#payments/chain-reads.ts';
import { FacilitatorBackend } from '#payments/facilitator.ts';
import { RpcClient } from '#payments/rpc.ts';
import { chainForTest } from '#sandbox/chain/_chain.ts';
import { SANDBOX_TOKEN } from '#sandbox/chain/sandbox-contracts.ts';
import { SandboxMoney } from '#sandbox/chain/sandbox-money.ts';
import type { FacilitatorMode } from '#sandbox/facilitator/mode.ts';
import { FacilitatorStandIn } from '#sandbox/facilitator/stand-in.ts';
import { clock, NETWORK } from '../src/payments/_settlement.ts';
import { Buyer, challengeOf, type SignedPayment } from './_buyer.ts';
import { type Answer, TestService } from './_harness.ts';

const AT_ONCE = 16;
const TIMEOUT_MS = 2000;
/** In the mode itself; then the facilitator works again, and everything must come to an end. */
const RETRIES_IN_MODE = 1;
const RETRIES_AFTERWARDS = 60;
const RETRY_PAUSE_MS = 250;

export interface PaymentModeReport {
  readonly mode: FacilitatorMode;
  readonly calls: number;
  /** Statuses of the first answers. */
  readonly first: Readonly<Record<string, number>>;
  readonly results: number;
  readonly paidOnChain: number;
  /** Purchases for which more than one authorization was used. */
  readonly doubleCharges: number;
  readonly freeResults: number;
  readonly chargedWithoutResult: number;
  /** Without a result and without a definite refusal to the end. */
  readonly undecided: number;
  /** Answers that said "not charged" of an authorization that was used. */
  readonly falseDenials: number;
  /** What the seller got beside the price of every result. */
  readonly unexplainedAtomic: string;
}

interface Purchase {
  readonly path: string;
  readonly key: string;
  readonly payments: SignedPayment[];
  answer: Answer;
  hasDenied: boolean;
}

export class PaymentModes implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly #service: TestService;
  readonly #standIn: FacilitatorStandIn;
  readonly #reads: ChainReads;
  readonly #money: SandboxMoney;
  readonly #buyer = new Buyer();
  #purchases = 0;

  private constructor(
    stack: AsyncDisposableStack,
    parts: { service: TestService; standIn: FacilitatorStandIn; reads: ChainReads; money: SandboxMoney },
  ) {
    this.#stack = stack;
    this.#service = parts.service;
    this.#standIn = parts.standIn;
    this.#reads = parts.reads;
    this.#money = parts.money;
  }

  static async open(): Promise<PaymentModes> {
    await using stack = new AsyncDisposableStack();
    const { rpcUrl } = stack.use(await chainForTest({ kind: 'embedded' }));
    const slowMs = TIMEOUT_MS / 8;
    const standIn = stack.use(await FacilitatorStandIn.start({ rpcUrl, network: NETWORK, slowMs }));
    const rpc = new RpcClient({ url: rpcUrl });
    const reads = new ChainReads({ rpc, token: SANDBOX_TOKEN, clock, minesOnDemand: true });
    const settlement = new FacilitatorBackend({
      url: standIn.url,
      network: NETWORK,
      reads,
      clock,
      authorization: null,
      pollEveryMs: 20,
      timeoutMs: TIMEOUT_MS,
    });
    const service = stack.use(await TestService.start({ settlement }));
    return new PaymentModes(stack.move(), { service, standIn, reads, money: new SandboxMoney(rpcUrl) });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  async run(mode: FacilitatorMode, calls: number): Promise<PaymentModeReport> {
    const { payTo, amount } = challengeOf(await this.#service.call(this.#nextPath())).accepts[0] ?? assert.fail();
    // A retry may sign again, so there must be money for a double charge.
    await this.#money.mint(this.#buyer.address as Hex, BigInt(amount) * BigInt(calls * 4));
    const earned = await this.#money.balance(payTo as Hex);
    const first: Record<string, number> = {};
    const purchases: Purchase[] = [];
    while (purchases.length < calls) {
      const size = Math.min(AT_ONCE, calls - purchases.length);
      this.#standIn.mode = mode;
      const portion = await Promise.all(Array.from({ length: size }, () => this.#begin()));
      for (const { answer } of portion) first[answer.status] = (first[answer.status] ?? 0) + 1;
      await this.#retry(portion, RETRIES_IN_MODE);
      this.#standIn.mode = 'clean';
      await this.#retry(portion, RETRIES_AFTERWARDS);
      purchases.push(...portion);
    }
    const counts = await this.#count(purchases);
    const moved = (await this.#money.balance(payTo as Hex)) - earned;
    const unexplainedAtomic = String(moved - BigInt(amount) * BigInt(counts.results));
    return { mode, calls, first, ...counts, unexplainedAtomic };
  }

  #nextPath(): string {
    this.#purchases += 1;
    return `/v1/agent-coordination-audit?system=purchase-${this.#purchases}`;
  }

  async #begin(): Promise<Purchase> {
    const path = this.#nextPath();
    const key = `the-key-of-purchase-${this.#purchases}`;
    const payment = await this.#sign(path);
    const answer = await this.#send(path, key, payment);
    return { path, key, payments: [payment], answer, hasDenied: answer.json['charged'] === false };
  }

  async #retry(purchases: readonly Purchase[], times: number): Promise<void> {
    for (let tries = 0; tries < times; tries += 1) {
      const open = purchases.filter(({ answer }) => answer.status !== 200 && answer.json['charged'] !== false);
      if (open.length === 0) return;
      if (tries > 0) await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
      await Promise.all(open.map((purchase, index) => this.#again(purchase, index % 2 === 0)));
    }
  }

  /** Some clients send the same payment again, others sign a new one for the same key. */
  async #again(purchase: Purchase, signsAnew: boolean): Promise<void> {
    const { path, key, payments } = purchase;
    if (signsAnew && payments.length === 1) payments.push(await this.#sign(path));
    const payment = (signsAnew ? payments.at(-1) : payments[0]) ?? assert.fail();
    purchase.answer = await this.#send(path, key, payment);
    // Said of a second authorization it says nothing of the first.
    if (!signsAnew && purchase.answer.json['charged'] === false) purchase.hasDenied = true;
  }

  async #sign(path: string): Promise<SignedPayment> {
    const nowSeconds = Math.floor(clock.now() / 1000);
    return this.#buyer.sign(challengeOf(await this.#service.call(path)), { nowSeconds });
  }

  #send(path: string, key: string, { header }: SignedPayment): Promise<Answer> {
    return this.#service.call(path, { headers: { 'payment-signature': header, 'idempotency-key': key } });
  }

  async #count(purchases: readonly Purchase[]) {
    const counts = {
      results: 0,
      paidOnChain: 0,
      doubleCharges: 0,
      freeResults: 0,
      chargedWithoutResult: 0,
      undecided: 0,
      falseDenials: 0,
    };
    for (const { payments, answer, hasDenied } of purchases) {
      const isUsed = await Promise.all(payments.map(({ payload }) => this.#reads.isUsed(authorizationOf(payload))));
      const used = isUsed.filter(Boolean).length;
      const hasResult = answer.status === 200;
      counts.paidOnChain += used;
      if (hasResult) counts.results += 1;
      if (used > 1) counts.doubleCharges += 1;
      if (hasResult && used === 0) counts.freeResults += 1;
      if (!hasResult && used > 0) counts.chargedWithoutResult += 1;
      if (!hasResult && answer.json['charged'] !== false) counts.undecided += 1;
      if (hasDenied && isUsed[0] === true) counts.falseDenials += 1;
    }
    return counts;
  }
}

/** What must not be, as sentences. */
export function faultsOf(report: PaymentModeReport): string[] {
  const { mode, doubleCharges, freeResults, chargedWithoutResult, undecided, falseDenials } = report;
  const counts = { doubleCharges, freeResults, chargedWithoutResult, undecided, falseDenials };
  const wrong = Object.entries(counts).filter(([, count]) => count > 0);
  const faults = wrong.map(([name, count]) => `${mode}: ${name} ${count}`);
  if (report.unexplainedAtomic !== '0') faults.push(`${mode}: ${report.unexplainedAtomic} atomic units unexplained`);
  return faults;
}
