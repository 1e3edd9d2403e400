import type { Hex } from '#protocol/payment/hex.ts';
import { rejected } from './rpc-error.ts';
import type { SignedTransaction } from '#protocol/payment/transaction.ts';

/** A replacement must pay this much more, as in every public pool. */
const REPLACEMENT_PERCENT = 10n;
const MAX_POOLED = 4096;

/** Transactions that wait for a block. One with a gap before its nonce waits for what fills the gap. */
export class TransactionPool {
  readonly #bySender = new Map<Hex, Map<number, SignedTransaction>>();
  readonly #byHash = new Map<Hex, SignedTransaction>();

  get(hash: Hex): SignedTransaction | undefined {
    return this.#byHash.get(hash);
  }

  /** Takes the transaction in, or throws why not. */
  add(transaction: SignedTransaction, accountNonce: number): void {
    const { from, nonce, hash } = transaction;
    if (nonce < accountNonce) throw rejected('nonce too low');
    if (this.#byHash.has(hash)) throw rejected('transaction already imported');
    if (this.#byHash.size >= MAX_POOLED) throw rejected('the transaction pool is full');
    const own = this.#bySender.get(from) ?? new Map<number, SignedTransaction>();
    const before = own.get(nonce);
    if (before !== undefined && !outbids(transaction, before)) throw rejected('replacement transaction underpriced');
    if (before !== undefined) this.#byHash.delete(before.hash);
    own.set(nonce, transaction);
    this.#bySender.set(from, own);
    this.#byHash.set(hash, transaction);
  }

  remove({ from, nonce, hash }: SignedTransaction): void {
    const own = this.#bySender.get(from);
    if (own?.get(nonce)?.hash === hash) own.delete(nonce);
    if (own?.size === 0) this.#bySender.delete(from);
    this.#byHash.delete(hash);
  }

  /** What can run now: each sender's transactions without a gap, as far as the gas of a block reaches. */
  async ready(nonceOf: (from: Hex) => Promise<number>, blockGas: bigint): Promise<SignedTransaction[]> {
    const chosen: SignedTransaction[] = [];
    let gas = 0n;
    for (const [from, own] of this.#bySender) {
      for (let nonce = await nonceOf(from); own.has(nonce); nonce++) {
        const next = own.get(nonce) as SignedTransaction;
        gas += next.gasLimit;
        if (gas > blockGas) return chosen;
        chosen.push(next);
      }
    }
    return chosen;
  }

  /** The nonce that the sender's next transaction should have. */
  pendingNonce(from: Hex, accountNonce: number): number {
    const own = this.#bySender.get(from);
    let nonce = accountNonce;
    while (own?.has(nonce) === true) nonce++;
    return nonce;
  }
}

function outbids(one: SignedTransaction, other: SignedTransaction): boolean {
  const isMore = (fee: bigint, than: bigint) => fee * 100n >= than * (100n + REPLACEMENT_PERCENT);
  return isMore(one.maxFeePerGas, other.maxFeePerGas) && isMore(one.maxPriorityFeePerGas, other.maxPriorityFeePerGas);
}
