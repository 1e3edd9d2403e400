// A chain in memory that behaves as the token does, with switches for everything that can go wrong on the way to it.
import type { TransferAuthorization } from '#protocol/payment/authorization-digest.ts';
import type { Hex } from '#protocol/payment/hex.ts';
import {
  ChainUnavailableError,
  type OnChain,
  type PayerFacts,
  type Reconciliation,
  type Settleable,
  type Settlement,
  type SettlementBackend,
} from '#platform/payments/settlement.ts';

/**
 * `confirm`: moves the money and says so. `fail`: refuses for certain. `lost answer`: moves it, and nobody hears of it.
 * `lost request`: nothing moves, and nobody hears of that either.
 */
export type SettleMode = 'confirm' | 'fail' | 'lost answer' | 'lost request' | 'throw';

export interface Transfer extends OnChain {
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
}

const RICH = 1_000_000_000n;
const SWITCHED_OFF = 'the chain is switched off';

export class MemoryChain implements SettlementBackend {
  readonly name = 'chain';
  mode: SettleMode = 'confirm';
  isReachable = true;
  /** Held up here before the money moves, and before the answer goes out. */
  beforeMove: () => Promise<void> = () => Promise.resolve();
  beforeAnswer: () => Promise<void> = () => Promise.resolve();
  settleCalls = 0;
  /** One for each reservation. */
  factsCalls = 0;
  readonly transfers = new Map<string, Transfer>();
  readonly cancelled = new Set<string>();
  readonly balances = new Map<string, bigint>();
  readonly #nowSeconds: () => number;

  constructor(nowSeconds: () => number) {
    this.#nowSeconds = nowSeconds;
  }

  payerFacts(authorization: TransferAuthorization): Promise<PayerFacts> {
    this.factsCalls += 1;
    if (!this.isReachable) return Promise.reject(new ChainUnavailableError(SWITCHED_OFF));
    const name = nameOf(authorization);
    return Promise.resolve({
      hasCode: false,
      balance: this.balanceOf(authorization.from),
      isNonceUsed: this.transfers.has(name) || this.cancelled.has(name),
    });
  }

  async settle({ authorization }: Settleable): Promise<Settlement> {
    this.settleCalls += 1;
    if (this.mode === 'throw') throw new Error('a backend with a fault');
    if (this.mode === 'fail') return { outcome: 'failed', reason: 'invalid_exact_evm_transaction_failed' };
    if (this.mode === 'lost request') return { outcome: 'unknown', transaction: null };
    await this.beforeMove();
    const moved = this.move(authorization);
    await this.beforeAnswer();
    if (this.mode === 'lost answer') return { outcome: 'unknown', transaction: moved?.transaction ?? null };
    if (moved === undefined) return { outcome: 'failed', reason: 'invalid_exact_evm_transaction_failed' };
    return { outcome: 'confirmed', transaction: moved.transaction, logIndex: moved.logIndex };
  }

  reconcile({ authorization }: Settleable): Promise<Reconciliation> {
    if (!this.isReachable) return Promise.resolve({ outcome: 'unknown' });
    const transfer = this.transfers.get(nameOf(authorization));
    if (transfer !== undefined) {
      const { transaction, logIndex } = transfer;
      return Promise.resolve({ outcome: 'confirmed', transaction, logIndex });
    }
    const failed = { outcome: 'failed', reason: 'invalid_transaction_state' } as const;
    if (this.cancelled.has(nameOf(authorization))) return Promise.resolve(failed);
    const left = Number(authorization.validBefore) - this.#nowSeconds();
    if (left > 6) return Promise.resolve({ outcome: 'unused' });
    return Promise.resolve(left < -60 ? failed : { outcome: 'unknown' });
  }

  /** What the token does with an authorization, whoever brings it. */
  move(authorization: TransferAuthorization): Transfer | undefined {
    const name = nameOf(authorization);
    const done = this.transfers.get(name);
    if (done !== undefined) return done;
    const { from, to, value, validBefore } = authorization;
    const balance = this.balanceOf(from);
    if (this.cancelled.has(name) || balance < value || validBefore <= BigInt(this.#nowSeconds())) return undefined;
    this.balances.set(from.toLowerCase(), balance - value);
    const transaction: Hex = `0x${(this.transfers.size + 1).toString(16).padStart(64, '0')}`;
    const transfer = { from, to, value, transaction, logIndex: this.transfers.size };
    this.transfers.set(name, transfer);
    return transfer;
  }

  balanceOf(account: string): bigint {
    return this.balances.get(account.toLowerCase()) ?? RICH;
  }

  async probe(): Promise<void> {
    if (!this.isReachable) throw new ChainUnavailableError(SWITCHED_OFF);
  }

  status(): ReturnType<SettlementBackend['status']> {
    return this.isReachable ? { state: 'up', detail: null } : { state: 'down', detail: SWITCHED_OFF };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The chain outlives the services that use it.
  }
}

export function nameOf({ from, nonce }: Pick<TransferAuthorization, 'from' | 'nonce'>): string {
  return `${from} ${nonce}`.toLowerCase();
}
