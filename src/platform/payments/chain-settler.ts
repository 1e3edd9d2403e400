import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#kernel/clock.ts';
import type { SendingAccount } from '#protocol/payment/account.ts';
import type { TransferAuthorization } from '#protocol/payment/authorization-digest.ts';
import type { Hex } from '#protocol/payment/hex.ts';
import type { Store } from '#platform/storage/store.ts';
import { batchCall, fitsBatch, membersWithin, type SettleCall, singleCall } from './batch.ts';
import { ChainReads, type SlowVerdict } from './chain-reads.ts';
import type { RpcClient } from './rpc.ts';
import { SerialSender } from './serial-sender.ts';
import type {
  GasMoney,
  PayerFacts,
  PaymentKey,
  Reconciliation,
  Settleable,
  Settlement,
  SettlementBackend,
} from './settlement.ts';
import { type ChainReceipt, useOf, usesIn } from './token-logs.ts';

const BATCH_EVERY_MS = 25;
export const UNKNOWN_AFTER_MS = 30_000;
const TEND_EVERY_MS = 2000;
const BALANCE_EVERY_MS = 60_000;
const WAITS_LONG_MS = 30_000;

export interface ChainSettlerOptions {
  readonly rpc: RpcClient;
  readonly store: Store;
  readonly clock: Clock;
  readonly signer: SendingAccount;
  readonly chainId: number;
  readonly token: Hex;
  readonly batchContract: Hex;
  /** Names the chain among all on which this key ever sent. */
  readonly chain: string;
  readonly minBalanceWei: bigint;
  /** The most gas that one transaction may ask for. */
  readonly maxGas: bigint;
  readonly pollEveryMs: number;
  readonly minesOnDemand?: boolean;
  /** For how long a settle call waits until it calls the outcome unknown. */
  readonly unknownAfterMs?: number;
}

interface Waiting {
  readonly payment: Settleable;
  readonly resolve: (settlement: Settlement) => void;
}

/** A transaction of this process that waits for its block. */
interface Flight {
  readonly nonce: number;
  readonly hashes: Set<Hex>;
  readonly members: readonly Waiting[];
  readonly sinceMs: number;
}

/** Settles many payments in one transaction: sends one after the other, waits for all of them at once. */
export class ChainSettler implements SettlementBackend {
  readonly name = 'chain';
  readonly #options: ChainSettlerOptions;
  readonly #reads: ChainReads;
  readonly #sender: SerialSender;
  readonly #running = new Map<PaymentKey, Promise<Settlement>>();
  readonly #flights = new Set<Flight>();
  readonly #tendTimer: NodeJS.Timeout;
  readonly #queue: Waiting[] = [];
  #isPumping = false;
  #isWatching = false;
  #isClosed = false;
  #isTending = false;
  #tending: Promise<void> = Promise.resolve();
  #balance: { readonly wei: bigint; readonly atMs: number } | undefined;
  #oldestOpenMs: number | undefined;

  constructor(options: ChainSettlerOptions) {
    this.#options = options;
    this.#reads = new ChainReads(options);
    this.#sender = new SerialSender(options);
    this.#tendTimer = setInterval(() => this.#tendSoon(), TEND_EVERY_MS).unref();
    this.#tendSoon();
  }

  payerFacts(authorization: TransferAuthorization): Promise<PayerFacts> {
    return this.#reads.payerFacts(authorization);
  }

  settle(payment: Settleable): Promise<Settlement> {
    const { key } = payment;
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    if (this.#isClosed) return Promise.resolve({ outcome: 'unknown', transaction: null });
    const { promise, resolve } = Promise.withResolvers<Settlement>();
    this.#running.set(key, promise);
    this.#queue.push({
      payment,
      resolve: (settlement) => {
        this.#running.delete(key);
        resolve(settlement);
      },
    });
    void this.#pump();
    return promise;
  }

  reconcile({ authorization }: Settleable): Promise<Reconciliation> {
    return this.#reads.reconcile(authorization);
  }

  verifySlow(payment: Settleable): Promise<SlowVerdict> {
    return this.#reads.verifySlow(payment);
  }

  probe(): Promise<unknown> {
    return this.#options.rpc.call('eth_chainId', []);
  }

  status(): ReturnType<SettlementBackend['status']> {
    const { rpc, minBalanceWei, signer, clock } = this.#options;
    if (rpc.lastFault !== null) return { state: 'down', detail: rpc.lastFault };
    if (this.#balance !== undefined && this.#balance.wei < minBalanceWei) {
      return { state: 'degraded', detail: `The settler is running out of gas money. Send ETH to ${signer.address}.` };
    }
    if (this.#oldestOpenMs !== undefined && clock.now() - this.#oldestOpenMs > WAITS_LONG_MS) {
      return { state: 'degraded', detail: 'A settlement has waited for a block for more than 30 seconds.' };
    }
    return { state: 'up', detail: null };
  }

  gas(): GasMoney | null {
    return this.#balance === undefined ? null : { wei: this.#balance.wei, minWei: this.#options.minBalanceWei };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#tendTimer);
    for (const flight of this.#flights) this.#giveUp(flight);
    await this.#tending;
  }

  /** What comes while a transaction goes out is the next batch: a slow node makes batches larger, not the queue. */
  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    const most = membersWithin(this.#options.maxGas);
    while (this.#queue.length > 0) {
      if (this.#queue.length < most) await pause(BATCH_EVERY_MS);
      const members = this.#queue.splice(0, most);
      if (this.#isClosed) for (const one of members) one.resolve({ outcome: 'unknown', transaction: null });
      else await this.#dispatch(members);
    }
    this.#isPumping = false;
  }

  async #dispatch(members: readonly Waiting[]): Promise<void> {
    const { batchContract, token } = this.#options;
    const { batch = [], single = [] } = Object.groupBy(members, ({ payment }) =>
      fitsBatch(payment) ? 'batch' : 'single',
    );
    const payments = batch.map(({ payment }) => payment);
    if (batch.length > 0) await this.#send(batchCall(batchContract, token, payments), batch);
    for (const one of single) await this.#send(singleCall(token, one.payment), [one]);
  }

  async #send(call: SettleCall, members: readonly Waiting[]): Promise<void> {
    try {
      const { nonce, hash } = await this.#sender.send(
        call,
        members.map(({ payment }) => payment.key),
      );
      const flight = { nonce, hashes: new Set([hash]), members, sinceMs: this.#options.clock.monotonicMs() };
      this.#flights.add(flight);
      if (this.#isClosed) this.#giveUp(flight);
      else void this.#watch();
    } catch {
      for (const waiting of members) waiting.resolve({ outcome: 'unknown', transaction: null });
    }
  }

  /** One loop for all flights: own polling, since a receipt that is missed once must be asked for again. */
  async #watch(): Promise<void> {
    if (this.#isWatching) return;
    this.#isWatching = true;
    while (this.#flights.size > 0) {
      await pause(this.#options.pollEveryMs);
      await this.#look().catch(() => undefined);
      const { clock, unknownAfterMs = UNKNOWN_AFTER_MS } = this.#options;
      for (const flight of this.#flights) {
        if (clock.monotonicMs() - flight.sinceMs > unknownAfterMs) this.#giveUp(flight);
      }
    }
    this.#isWatching = false;
  }

  async #look(): Promise<void> {
    const asked = [...this.#flights].flatMap((flight) => [...flight.hashes].map((hash) => ({ flight, hash })));
    const receipts = await this.#reads.receipts(asked.map(({ hash }) => hash));
    for (const [i, receipt] of receipts.entries()) {
      const { flight } = asked[i] as { flight: Flight };
      if (receipt !== null && this.#flights.delete(flight)) void this.#land(flight, receipt);
    }
  }

  async #land({ nonce, members }: Flight, receipt: ChainReceipt): Promise<void> {
    const uses = usesIn(receipt, this.#options.token);
    const others: Waiting[] = [];
    for (const waiting of members) {
      const use = receipt.status === 1 ? useOf(uses, waiting.payment.authorization) : undefined;
      if (use === undefined || use === 'other') others.push(waiting);
      else waiting.resolve({ outcome: 'confirmed', ...use });
    }
    // A batch that stays in the store is closed when it is next looked after.
    await this.#sender.close([nonce]).catch(() => undefined);
    await Promise.all(others.map((waiting) => this.#resolveRefused(waiting, receipt.transactionHash)));
  }

  /** The transaction was mined without this payment: somebody was faster, or the token refuses it. */
  async #resolveRefused({ payment, resolve }: Waiting, transaction: Hex): Promise<void> {
    const found = await this.#reads.reconcile(payment.authorization);
    if (found.outcome === 'confirmed' || found.outcome === 'failed') return resolve(found);
    const reason = await this.#reads.refusalOf(payment).catch(() => null);
    // A nonce that is used by now is one that the next look at the chain explains.
    const isOpen = reason === null || reason === 'invalid_exact_evm_nonce_already_used';
    resolve(isOpen ? { outcome: 'unknown', transaction } : { outcome: 'failed', reason });
  }

  #giveUp(flight: Flight): void {
    this.#flights.delete(flight);
    const transaction = [...flight.hashes].at(-1) ?? null;
    for (const waiting of flight.members) waiting.resolve({ outcome: 'unknown', transaction });
  }

  #tendSoon(): void {
    if (this.#isTending) return;
    this.#isTending = true;
    this.#tending = this.#tend()
      .catch(() => undefined)
      .finally(() => (this.#isTending = false));
  }

  async #tend(): Promise<void> {
    if (this.#isClosed) return;
    const open = await this.#sender.tend();
    this.#oldestOpenMs = open[0]?.plannedAtMs;
    for (const { nonce, hashes } of open) {
      const flight = [...this.#flights].find((one) => one.nonce === nonce);
      if (flight !== undefined) for (const hash of hashes) flight.hashes.add(hash);
    }
    await this.#checkBalance();
  }

  async #checkBalance(): Promise<void> {
    const { rpc, signer, clock } = this.#options;
    if (this.#balance !== undefined && clock.monotonicMs() - this.#balance.atMs < BALANCE_EVERY_MS) return;
    const wei = BigInt((await rpc.call('eth_getBalance', [signer.address, 'latest'])) as Hex);
    this.#balance = { wei, atMs: clock.monotonicMs() };
  }
}
