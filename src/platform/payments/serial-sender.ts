import type { Clock } from '#kernel/clock.ts';
import type { SendingAccount } from '#protocol/payment/account.ts';
import type { Hex } from '#protocol/payment/hex.ts';
import { transactionHash } from '#protocol/payment/transaction.ts';
import type { Store } from '#platform/storage/store.ts';
import type { SettleCall } from './batch.ts';
import { FeeMarket, type Fees, raisedFees } from './fees.ts';
import {
  NEXT_NONCE,
  type NonceCommand,
  type NonceResult,
  nonceUnit,
  OPEN_BATCHES,
  type PlannedBatch,
} from './nonce-unit.ts';
import { type RpcClient, RpcRefusedError } from './rpc.ts';

const MAX_PLANS = 64;
const MAX_NONCES_TAKEN = 5;
const RESEND_AFTER_MS = 2000;
const BUMP_AFTER_MS = 15_000;
const MAX_BUMPS = 5;
const ABANDON_AFTER_MS = 10_000;
const ALREADY_THERE = /already (?:known|imported|exists)|known transaction/i;

export interface SerialSenderOptions {
  readonly rpc: RpcClient;
  readonly store: Store;
  readonly clock: Clock;
  readonly signer: SendingAccount;
  readonly chainId: number;
  /** Names the chain among all on which this key ever sent: nonces of another one mean nothing here. */
  readonly chain: string;
}

export interface Sent {
  readonly nonce: number;
  readonly hash: Hex;
}

/** The chain refused a transaction, and nothing of it is under way. */
class SendRefusedError extends Error {
  override readonly name = 'SendRefusedError';
}

/**
 * Sends transactions of one key, one after the other. Each stands signed in the store before it goes out, under a nonce
 * that no other process has: whoever finds it there may send it again. docs/adr/0009-nonces-in-the-store.md
 */
export class SerialSender {
  readonly #options: SerialSenderOptions;
  readonly #account: string;
  readonly #fees: FeeMarket;
  #turn: Promise<unknown> = Promise.resolve();
  #next: number | undefined;

  constructor(options: SerialSenderOptions) {
    this.#options = options;
    this.#account = `${options.chain}/${options.signer.address.toLowerCase()}`;
    this.#fees = new FeeMarket(options.rpc, options.clock);
  }

  /** Resolves when the transaction went out or may have; rejects when it is certain that it did not. */
  send(call: SettleCall, members: readonly string[]): Promise<Sent> {
    return this.#inTurn(() => this.#send(call, members));
  }

  /** Forgets batches whose outcome is seen. */
  async close(nonces: readonly number[]): Promise<void> {
    await this.#run({ type: 'close', nonces });
  }

  /**
   * Looks after what is in the store, whoever put it there: closes what is spent, sends again what the chain has not
   * taken, offers more where it waits for long. Resolves with what is still open.
   */
  async tend(): Promise<readonly PlannedBatch[]> {
    const { rpc, store, clock } = this.#options;
    const open = await store.read(OPEN_BATCHES, [this.#account]);
    if (open.length === 0) return open;
    const [latest, pending] = (await rpc.all([this.#count('latest'), this.#count('pending')])).map(Number) as [
      number,
      number,
    ];
    const spent = open.filter(({ nonce }) => nonce < latest);
    if (spent.length > 0) await this.close(spent.map(({ nonce }) => nonce));
    const waiting = open.filter(({ nonce }) => nonce >= latest);
    const ageMs = ({ plannedAtMs }: PlannedBatch) => clock.now() - plannedAtMs;
    const [first] = waiting;
    if (first !== undefined && first.nonce > pending && ageMs(first) > ABANDON_AFTER_MS) {
      await this.#restart(
        pending,
        waiting.map(({ nonce }) => nonce),
      );
      return [];
    }
    for (const batch of waiting) if (ageMs(batch) > RESEND_AFTER_MS) await this.#sendAgain(batch, latest, ageMs(batch));
    return waiting;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #send(call: SettleCall, members: readonly string[]): Promise<Sent> {
    for (let taken = 0; taken < MAX_NONCES_TAKEN; taken++) {
      const { nonce, hash, raw } = await this.#plan(call, members);
      const refusal = await this.#broadcast(raw);
      if (refusal === undefined) {
        this.#next = nonce + 1;
        return { nonce, hash };
      }
      const pending = await this.#pendingCount().catch(() => nonce);
      if (pending <= nonce) {
        this.#next = (await this.#run({ type: 'release', nonce, hash })).next;
        throw new SendRefusedError('the chain refuses the transaction', { cause: refusal });
      }
      await this.close([nonce]);
      await this.#restart(pending, []);
    }
    throw new SendRefusedError('somebody else uses the key of the settler');
  }

  /** Signs under the next nonce and stores the transaction; where another process was faster, under the one after. */
  async #plan(call: SettleCall, members: readonly string[]): Promise<Sent & { readonly raw: Hex }> {
    const fees = await this.#fees.current();
    let nonce = (this.#next ??= await this.#firstNonce());
    for (let i = 0; i < MAX_PLANS; i++) {
      const raw = this.#signed(call, nonce, fees);
      const hash = transactionHash(raw);
      const { done, next } = await this.#run({ type: 'plan', nonce, hash, raw, members });
      if (done) return { nonce, hash, raw };
      nonce = this.#next = next;
    }
    throw new SendRefusedError('the next nonce was never free');
  }

  async #firstNonce(): Promise<number> {
    const [known] = await this.#options.store.read(NEXT_NONCE, [this.#account]);
    return known?.next ?? this.#pendingCount();
  }

  /** Undefined when the node took it or did not answer: then it may be under way. */
  async #broadcast(raw: Hex): Promise<RpcRefusedError | undefined> {
    try {
      await this.#options.rpc.call('eth_sendRawTransaction', [raw]);
      return undefined;
    } catch (error) {
      const isRefused = error instanceof RpcRefusedError && !ALREADY_THERE.test(error.message);
      return isRefused ? error : undefined;
    }
  }

  async #sendAgain(batch: PlannedBatch, latest: number, ageMs: number): Promise<void> {
    const { nonce, hashes, raw } = batch;
    if (raw === null || raw === '0x') return;
    const isStuck = nonce === latest && hashes.length <= MAX_BUMPS && ageMs > BUMP_AFTER_MS * hashes.length;
    await this.#broadcast(isStuck ? ((await this.#bumped(batch, raw)) ?? raw) : raw);
  }

  async #bumped({ nonce, hashes }: PlannedBatch, raw: Hex): Promise<Hex | undefined> {
    const offered = this.#options.signer.read(raw);
    if (offered === undefined) return undefined;
    const call = { to: offered.to as Hex, data: offered.data, gas: offered.gasLimit };
    const dearer = this.#signed(call, nonce, raisedFees(offered, await this.#fees.current()));
    const hash = transactionHash(dearer);
    const { done } = await this.#run({ type: 'replace', nonce, instead: hashes.at(-1) as Hex, hash, raw: dearer });
    return done ? dearer : undefined;
  }

  async #restart(next: number, abandoned: readonly number[]): Promise<void> {
    this.#next = (await this.#run({ type: 'restart', next, abandoned })).next;
  }

  #signed({ to, data, gas }: SettleCall, nonce: number, fees: Fees): Hex {
    const { signer, chainId } = this.#options;
    return signer.sign({ chainId, nonce, to, data, gas, ...fees });
  }

  #run(command: WithoutAccount<NonceCommand>): Promise<NonceResult> {
    return this.#options.store.run(nonceUnit, { ...command, account: this.#account });
  }

  async #pendingCount(): Promise<number> {
    const { method, params } = this.#count('pending');
    return Number(await this.#options.rpc.call(method, params));
  }

  #count(tag: 'latest' | 'pending') {
    return { method: 'eth_getTransactionCount', params: [this.#options.signer.address, tag] };
  }
}

type WithoutAccount<C> = C extends unknown ? Omit<C, 'account'> : never;
