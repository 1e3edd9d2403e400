// Buys through the gate while the facilitator behind it misbehaves in one mode, and counts what became of every purchase.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { addressWord } from '#protocol/payment/abi.ts';
import type { Hex } from '#protocol/payment/hex.ts';
import type { PaymentRequired } from '#protocol/payment/wire.ts';
import { ChainReads } from '#platform/payments/chain-reads.ts';
import { FacilitatorBackend } from '#platform/payments/facilitator.ts';
import { RpcClient } from '#platform/payments/rpc.ts';
import { ChainReceipt, EIP3009_AUTHORIZATION_USED, useOf, usesIn } from '#platform/payments/token-logs.ts';
import { authorizationOf } from '#protocol/payment/static-checks.ts';
import { startSandboxChain } from '#sandbox/chain/sandbox-chain.ts';
import { SANDBOX_TOKEN } from '#sandbox/chain/sandbox-contracts.ts';
import { SandboxMoney } from '#sandbox/chain/sandbox-money.ts';
import { FACILITATOR_MODES, type FacilitatorMode } from '#sandbox/facilitator/mode.ts';
import { FacilitatorSimulator } from '#sandbox/facilitator/simulator.ts';
import { clock, NETWORK } from '../../src/platform/payments/_settlement.ts';
import { Buyer, challengeOf, type SignedPayment } from '../support/buyer.ts';
import { type Answer } from '../support/client.ts';
import { PROCESSES_HUNG_MS, unlessHung, until } from '../support/until.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { TestService } from '../support/service.ts';

const AT_ONCE = 100;
/** No facilitator that answers is late, however busy the machine is. */
const PATIENT_MS = 60_000;
/** In these modes nothing but the time limit ends the wait. */
const WAITED_OUT: ReadonlySet<FacilitatorMode> = new Set(['accept_then_timeout', 'lying_success']);
const WAITED_OUT_MS = 500;
const SLOW_ANSWER_MS = 250;
const POLL_MS = 50;
const RETRY_PAUSE_MS = 100;
/** An authorization must outlive a slow run. */
const LIFE_SECONDS = 3_600;

/** In all other modes the first answer cannot say what became of the money. */
const SPEAKS_AT_ONCE: ReadonlySet<FacilitatorMode> = new Set(['clean', 'slow_answer', 'declared_safe']);

export interface PaymentModeReport {
  readonly mode: FacilitatorMode;
  readonly calls: number;
  /** Statuses of the first answers. */
  readonly first: Readonly<Record<string, number>>;
  readonly results: number;
  /** Last answers that said "not charged", by their code. */
  readonly refusals: Readonly<Record<string, number>>;
  readonly paidOnChain: number;
  /** Purchases for which more than one authorization was used. */
  readonly doubleCharges: number;
  readonly freeResults: number;
  readonly chargedWithoutResult: number;
  /** Without a result and without a definite refusal to the end. */
  readonly undecided: number;
  /** Answers that said "not charged" of an authorization that was used. */
  readonly falseDenials: number;
  /** Uses of the buyer's authorizations on the chain that are not the exact transfer of one of its payments. */
  readonly strangeUses: number;
  /** What the seller got, and the buyer lost, beside the price of every result. */
  readonly unexplainedAtomic: readonly [seller: string, buyer: string];
  /** Of all threads, the chain's included. */
  readonly cpuMsPerCall: number;
}

interface Purchase {
  readonly path: string;
  readonly key: string;
  readonly payments: SignedPayment[];
  answer: Answer;
  hasDenied: boolean;
}

interface Parts {
  readonly service: TestService;
  readonly simulator: FacilitatorSimulator;
  readonly rpc: RpcClient;
  readonly money: SandboxMoney;
}

export class PaymentModes implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly #parts: Parts;
  #purchases = 0;

  private constructor(stack: AsyncDisposableStack, parts: Parts) {
    this.#stack = stack;
    this.#parts = parts;
  }

  static async open(): Promise<PaymentModes> {
    await using stack = new AsyncDisposableStack();
    const directory = await temporaryDirectory();
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    const { rpcUrl } = stack.use(await startSandboxChain({ directory }));
    const slowMs = SLOW_ANSWER_MS;
    const simulator = stack.use(await FacilitatorSimulator.start({ rpcUrl, network: NETWORK, slowMs }));
    const rpc = new RpcClient({ url: rpcUrl, timeoutMs: PATIENT_MS });
    const reads = new ChainReads({ rpc, token: SANDBOX_TOKEN, clock, minesOnDemand: true });
    const settlement = new FacilitatorBackend({
      url: simulator.url,
      network: NETWORK,
      reads,
      clock,
      authorization: null,
      pollEveryMs: POLL_MS,
      get timeoutMs() {
        return WAITED_OUT.has(simulator.mode) ? WAITED_OUT_MS : PATIENT_MS;
      },
    });
    const service = stack.use(await TestService.start({ settlement }));
    return new PaymentModes(stack.move(), { service, simulator, rpc, money: new SandboxMoney(rpcUrl) });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  async run(mode: FacilitatorMode, calls: number): Promise<PaymentModeReport> {
    const { simulator, money } = this.#parts;
    const cpuBefore = process.cpuUsage();
    const buyer = new Buyer();
    const { payTo, amount } = (await this.#challenge()).accepts[0] ?? assert.fail();
    // A retry may sign again, so there must be money for a double charge.
    const given = BigInt(amount) * BigInt(calls * 4);
    await money.mint(buyer.address, given);
    const earned = await money.balance(payTo as Hex);
    const first: Record<string, number> = {};
    const purchases: Purchase[] = [];
    while (purchases.length < calls) {
      const challenge = await this.#challenge();
      const sign = () =>
        buyer.sign(challenge, { nowSeconds: Math.floor(clock.now() / 1000), lifeSeconds: LIFE_SECONDS });
      const size = Math.min(AT_ONCE, calls - purchases.length);
      simulator.mode = mode;
      const portion = await Promise.all(Array.from({ length: size }, async () => this.#begin(await sign())));
      for (const { answer } of portion) first[answer.status] = (first[answer.status] ?? 0) + 1;
      await this.#retry(portion, sign);
      // Now the facilitator works again, and everything must come to an end.
      simulator.mode = 'clean';
      await unlessHung('the end of every purchase', this.#retryToEnd(portion, sign));
      purchases.push(...portion);
    }
    const counts = countsOf(purchases, await this.#usesOf(buyer, purchases));
    const due = BigInt(amount) * BigInt(counts.results);
    const [got, lost] = [(await money.balance(payTo as Hex)) - earned, given - (await money.balance(buyer.address))];
    const { user, system } = process.cpuUsage(cpuBefore);
    return {
      mode,
      calls,
      first,
      ...counts,
      unexplainedAtomic: [String(got - due), String(lost - due)],
      cpuMsPerCall: Math.round((user + system) / calls / 100) / 10,
    };
  }

  /** A service that found its facilitator away offers no payment until it has asked again. */
  async #challenge(): Promise<PaymentRequired> {
    const answer = await until(
      'a price',
      async () => {
        const one = await this.#parts.service.call(this.#nextPath());
        return one.status !== 503 && one;
      },
      PROCESSES_HUNG_MS,
    );
    return challengeOf(answer);
  }

  #nextPath(): string {
    this.#purchases += 1;
    return `/v1/agent-coordination-audit?system=purchase-${this.#purchases}`;
  }

  async #begin(payment: SignedPayment): Promise<Purchase> {
    const path = this.#nextPath();
    const key = `the-key-of-purchase-${this.#purchases}`;
    const answer = await this.#send(path, key, payment);
    return { path, key, payments: [payment], answer, hasDenied: answer.json['charged'] === false };
  }

  async #retryToEnd(purchases: readonly Purchase[], sign: () => Promise<SignedPayment>): Promise<void> {
    while (await this.#retry(purchases, sign)) await sleep(RETRY_PAUSE_MS);
  }

  /** False when every purchase has a result or a definite refusal. */
  async #retry(purchases: readonly Purchase[], sign: () => Promise<SignedPayment>): Promise<boolean> {
    const open = purchases.filter(({ answer }) => answer.status !== 200 && answer.json['charged'] !== false);
    await Promise.all(open.map((purchase, index) => this.#again(purchase, index % 2 === 0 ? sign : undefined)));
    return open.length > 0;
  }

  /** Some clients send the same payment again, others sign a new one for the same key. */
  async #again(purchase: Purchase, sign: (() => Promise<SignedPayment>) | undefined): Promise<void> {
    const { path, key, payments } = purchase;
    if (sign !== undefined && payments.length === 1) payments.push(await sign());
    const payment = (sign === undefined ? payments[0] : payments.at(-1)) ?? assert.fail();
    purchase.answer = await this.#send(path, key, payment);
    // Said of a second authorization it says nothing of the first.
    if (sign === undefined && purchase.answer.json['charged'] === false) purchase.hasDenied = true;
  }

  #send(path: string, key: string, { header }: SignedPayment): Promise<Answer> {
    const headers = { 'payment-signature': header, 'idempotency-key': key };
    return this.#parts.service.call(path, { headers });
  }

  /** The nonces of the buyer that the chain's own events show as used; `strange` of them moved something else. */
  async #usesOf(buyer: Buyer, purchases: readonly Purchase[]): Promise<Uses> {
    const { rpc } = this.#parts;
    const filter = { address: SANDBOX_TOKEN, topics: [EIP3009_AUTHORIZATION_USED, addressWord(buyer.address)] };
    const logs = await rpc.call('eth_getLogs', [{ ...filter, fromBlock: '0x0', toBlock: 'latest' }]);
    const found = z.array(z.object({ transactionHash: z.string(), topics: z.array(z.string()) })).parse(logs);
    const payments = purchases.flatMap((purchase) => purchase.payments);
    const authorizations = new Map(payments.map(({ nonce, payload }) => [nonce, authorizationOf(payload)]));
    const nonces = new Set<string>();
    let strange = 0;
    for (let from = 0; from < found.length; from += AT_ONCE) {
      const some = found.slice(from, from + AT_ONCE);
      const calls = some.map(({ transactionHash }) => ({
        method: 'eth_getTransactionReceipt',
        params: [transactionHash],
      }));
      for (const [index, receipt] of (await rpc.all(calls)).entries()) {
        const nonce = some[index]?.topics[2] ?? assert.fail();
        const authorization = authorizations.get(nonce as Hex);
        const use = authorization && useOf(usesIn(ChainReceipt.parse(receipt), SANDBOX_TOKEN), authorization);
        if (use === undefined || use === 'other' || nonces.has(nonce)) strange += 1;
        nonces.add(nonce);
      }
    }
    return { nonces, strange };
  }
}

interface Uses {
  readonly nonces: ReadonlySet<string>;
  readonly strange: number;
}

function countsOf(purchases: readonly Purchase[], { nonces, strange }: Uses) {
  const refusals: Record<string, number> = {};
  const counts = {
    results: 0,
    refusals,
    paidOnChain: 0,
    doubleCharges: 0,
    freeResults: 0,
    chargedWithoutResult: 0,
    undecided: 0,
    falseDenials: 0,
    strangeUses: strange,
  };
  for (const { payments, answer, hasDenied } of purchases) {
    const used = payments.filter(({ nonce }) => nonces.has(nonce)).length;
    const hasResult = answer.status === 200;
    const code = String(answer.json['code']);
    counts.paidOnChain += used;
    if (hasResult) counts.results += 1;
    else refusals[code] = (refusals[code] ?? 0) + 1;
    if (used > 1) counts.doubleCharges += 1;
    if (hasResult && used === 0) counts.freeResults += 1;
    if (!hasResult && used > 0) counts.chargedWithoutResult += 1;
    if (!hasResult && answer.json['charged'] !== false) counts.undecided += 1;
    if (hasDenied && nonces.has(payments[0]?.nonce ?? '')) counts.falseDenials += 1;
  }
  return counts;
}

/** Declares a test for each mode. */
export function declarePaymentModes(calls: number): void {
  let modes: PaymentModes;
  before(async () => {
    modes = await PaymentModes.open();
  });
  after(() => modes[Symbol.asyncDispose]());

  for (const mode of FACILITATOR_MODES) {
    test(`${mode}: nobody pays twice, nothing is given away, and who paid gets the verdict`, async () => {
      const report = await modes.run(mode, calls);
      assert.deepEqual(faultsOf(report), [], JSON.stringify(report));
      assert.equal(report.results, report.paidOnChain);
      if (!SPEAKS_AT_ONCE.has(mode)) assert.deepEqual(report.first, { 503: calls });
      assert.equal(report.results, mode === 'declared_safe' ? 0 : calls, JSON.stringify(report));
    });
  }
}

/** What must not be, as sentences. */
export function faultsOf(report: PaymentModeReport): string[] {
  const { mode, doubleCharges, freeResults, chargedWithoutResult, undecided, falseDenials, strangeUses } = report;
  const counts = { doubleCharges, freeResults, chargedWithoutResult, undecided, falseDenials, strangeUses };
  const wrong = Object.entries(counts).filter(([, count]) => count > 0);
  const faults = wrong.map(([name, count]) => `${mode}: ${name} ${count}`);
  if (report.unexplainedAtomic.some((atomic) => atomic !== '0')) {
    faults.push(`${mode}: ${report.unexplainedAtomic.join(' and ')} atomic units unexplained`);
  }
  return faults;
}
