import { createAddressFromString } from '@ethereumjs/util';
import type { Clock } from '#kernel/clock.ts';
import { bytesOfHex, type Hex, hexOf } from '#protocol/payment/hex.ts';
import type { RecoverEngine } from '#protocol/payment/recover-engine.ts';
import { BlockIndex, type IndexedBlock } from './block-index.ts';
import { ChainJournal } from './chain-journal.ts';
import { ChainState } from './chain-state.ts';
import {
  BASE_FEE_WEI,
  BLOCK_GAS_LIMIT,
  type BlockContext,
  type Execution,
  EvmExecutor,
  intrinsicGas,
  type Message,
} from './evm-executor.ts';
import { rejected } from './rpc-error.ts';
import { decodeTransaction, type SignedTransaction } from '#protocol/payment/transaction.ts';
import type { StoredTransaction } from './stored-block.ts';
import { TransactionPool } from './transaction-pool.ts';

export interface EmbeddedChainOptions {
  readonly path: string;
  readonly chainId: number;
  readonly clock: Clock;
  readonly engine: RecoverEngine;
  /** Blocks at this interval; without it a block is made as soon as a transaction comes. */
  readonly blockTimeMs?: number | undefined;
  /** How many blocks a file that became long is cut down to when the chain is opened. */
  readonly keptBlocks?: number | undefined;
  /** Told when a block could not be stored; the transactions stay in the pool. */
  readonly onFault?: (error: unknown) => void;
}

/** After a block that could not be stored. */
const RETRY_MS = 1000;

/**
 * An Ethereum chain of one node inside this process. A block is durable before anything of it can be seen, so a chain
 * that is opened again continues where its readers saw it.
 */
export class EmbeddedChain {
  readonly chainId: number;
  readonly blocks: BlockIndex;
  readonly #options: EmbeddedChainOptions;
  readonly #state: ChainState;
  readonly #evm: EvmExecutor;
  readonly #journal: ChainJournal;
  readonly #pool = new TransactionPool();
  readonly #timer: NodeJS.Timeout | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #isMiningDue = false;
  #isClosed = false;

  private constructor(options: EmbeddedChainOptions, state: ChainState, evm: EvmExecutor, journal: ChainJournal) {
    this.chainId = options.chainId;
    this.blocks = new BlockIndex(options.engine);
    this.#options = options;
    this.#state = state;
    this.#evm = evm;
    this.#journal = journal;
    const { blockTimeMs } = options;
    if (blockTimeMs !== undefined) this.#timer = setInterval(() => this.#mineSoon(), blockTimeMs).unref();
  }

  static async open(options: EmbeddedChainOptions): Promise<EmbeddedChain> {
    const state = new ChainState();
    const evm = await EvmExecutor.create(state, options.chainId, options.engine);
    const { journal, blocks } = await ChainJournal.open(options.path, options.keptBlocks);
    const chain = new EmbeddedChain(options, state, evm, journal);
    for (const { hash, block } of blocks) {
      state.apply(block.changes);
      chain.blocks.add(hash, block);
    }
    if (blocks.length === 0) await chain.mine();
    return chain;
  }

  get head(): IndexedBlock {
    return this.blocks.last();
  }

  /** Takes a raw transaction in and returns its hash; its receipt is there once its block is stored. */
  async send(raw: Hex): Promise<Hex> {
    const transaction = decodeTransaction(raw, this.#options.engine); // attacker-controlled
    if (transaction === undefined) throw rejected('the transaction cannot be decoded');
    this.#requireAcceptable(transaction);
    await this.#exclusive(async () => {
      const { nonce, balance } = await this.#account(transaction.from);
      this.#pool.add(transaction, nonce);
      if (balance < transaction.gasLimit * transaction.maxFeePerGas + transaction.value) {
        this.#pool.remove(transaction);
        throw rejected('Insufficient funds for gas * price + value');
      }
    });
    if (this.#options.blockTimeMs === undefined) this.#mineSoon();
    return transaction.hash;
  }

  pooled(hash: Hex): SignedTransaction | undefined {
    return this.#pool.get(hash);
  }

  /** Runs a message on the newest state and forgets its effects. */
  call(message: Message): Promise<Execution> {
    return this.#exclusive(() =>
      this.#state.attempt(async () => {
        await this.#giveBalance(message);
        return { keep: false, value: await this.#evm.run(message, this.#nextContext()) };
      }),
    );
  }

  balance(address: Hex): Promise<bigint> {
    return this.#exclusive(async () => (await this.#account(address)).balance);
  }

  nonce(address: Hex, isPending: boolean): Promise<number> {
    return this.#exclusive(async () => {
      const { nonce } = await this.#account(address);
      return isPending ? this.#pool.pendingNonce(address, nonce) : nonce;
    });
  }

  code(address: Hex): Promise<Hex> {
    return this.#exclusive(async () => hexOf(await this.#state.getCode(createAddressFromString(address))));
  }

  storage(address: Hex, slot: Hex): Promise<Hex> {
    return this.#exclusive(async (): Promise<Hex> => {
      const value = await this.#state.getStorage(createAddressFromString(address), bytesOfHex(slot));
      return `0x${Buffer.from(value).toString('hex').padStart(64, '0')}`;
    });
  }

  /** Puts code at an address in a block of its own. */
  setCode(address: Hex, code: Hex): Promise<void> {
    const bytes = Uint8Array.from(bytesOfHex(code));
    return this.#exclusive(() =>
      this.#addBlock([], () => this.#state.putCode(createAddressFromString(address), bytes)),
    );
  }

  /** Sets a balance in a block of its own. */
  setBalance(address: Hex, balance: bigint): Promise<void> {
    const account = createAddressFromString(address);
    return this.#exclusive(() => this.#addBlock([], () => this.#state.modifyAccountFields(account, { balance })));
  }

  /** Makes a block of what waits, or an empty one. */
  mine(): Promise<void> {
    return this.#exclusive(async () => this.#addBlock(await this.#ready()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#turn;
    await this.#journal[Symbol.asyncDispose]();
  }

  /** One at a time: the machine and the state belong to whoever runs. */
  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  #mineSoon(): void {
    if (this.#isMiningDue || this.#isClosed) return;
    this.#isMiningDue = true;
    const isAutomatic = this.#options.blockTimeMs === undefined;
    this.#exclusive(async () => {
      this.#isMiningDue = false;
      const ready = await this.#ready();
      if (ready.length > 0 || !isAutomatic) await this.#addBlock(ready);
      if (isAutomatic && (await this.#ready()).length > 0) this.#mineSoon();
    }).catch((error: unknown) => {
      this.#options.onFault?.(error);
      setTimeout(() => this.#mineSoon(), RETRY_MS).unref();
    });
  }

  #ready(): Promise<SignedTransaction[]> {
    return this.#pool.ready(async (from) => (await this.#account(from)).nonce, BLOCK_GAS_LIMIT);
  }

  async #addBlock(transactions: readonly SignedTransaction[], patch?: () => Promise<void>): Promise<void> {
    const context = this.#nextContext();
    await this.#state.attempt(async () => {
      await patch?.();
      const done: StoredTransaction[] = [];
      for (const transaction of transactions) {
        const result = await this.#runTransaction(transaction, context);
        if (result !== undefined) done.push(result);
      }
      const { number, timestampSeconds } = context;
      const changes = this.#state.changes();
      const block = { number, parentHash: this.#journal.lastHash, timestampSeconds, transactions: done, changes };
      this.blocks.add(await this.#journal.append(block), block, transactions);
      return { keep: true, value: undefined };
    });
    this.#state.settle();
    for (const transaction of transactions) this.#pool.remove(transaction);
  }

  /** Undefined for a sender that can no longer pay: such a transaction leaves the pool without a trace. */
  async #runTransaction(transaction: SignedTransaction, context: BlockContext): Promise<StoredTransaction | undefined> {
    const { from, hash, raw, gasLimit, value } = transaction;
    const { balance, nonce } = await this.#account(from);
    const gasPriceWei = effectiveGasPrice(transaction);
    if (nonce !== transaction.nonce || balance < gasLimit * gasPriceWei + value) return undefined;
    const address = createAddressFromString(from);
    await this.#state.modifyAccountFields(address, { balance: balance - gasLimit * gasPriceWei });
    const { succeeded, gasUsed, logs, contractAddress } = await this.#evm.run({ ...transaction, gasPriceWei }, context);
    const left = (await this.#account(from)).balance;
    await this.#state.modifyAccountFields(address, { balance: left + (gasLimit - gasUsed) * gasPriceWei });
    return { hash, raw, from, succeeded, gasUsed: Number(gasUsed), contractAddress, logs };
  }

  #requireAcceptable(transaction: SignedTransaction): void {
    const { chainId, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = transaction;
    if (chainId !== undefined && chainId !== this.chainId) throw rejected('invalid chain id for signer');
    if (gasLimit > BLOCK_GAS_LIMIT) throw rejected('exceeds block gas limit');
    if (gasLimit < intrinsicGas(transaction)) throw rejected('intrinsic gas too low');
    if (maxFeePerGas < BASE_FEE_WEI) throw rejected('max fee per gas less than block base fee');
    if (maxPriorityFeePerGas > maxFeePerGas) throw rejected('max priority fee per gas higher than max fee per gas');
  }

  /** A call may come from an account that has nothing; it is not asked for gas. */
  async #giveBalance({ from, value }: Message): Promise<void> {
    const { balance } = await this.#account(from);
    if (balance < value) await this.#state.modifyAccountFields(createAddressFromString(from), { balance: value });
  }

  async #account(address: Hex): Promise<{ readonly nonce: number; readonly balance: bigint }> {
    const account = await this.#state.getAccount(createAddressFromString(address));
    return { nonce: Number(account?.nonce ?? 0n), balance: account?.balance ?? 0n };
  }

  /** Block time never goes back, and does not run ahead of the clock when many blocks fall into one second. */
  #nextContext(): BlockContext {
    const nowSeconds = Math.floor(this.#options.clock.now() / 1000);
    if (this.blocks.isEmpty()) return { number: 0, timestampSeconds: nowSeconds };
    const { number, timestampSeconds } = this.head.block;
    return { number: number + 1, timestampSeconds: Math.max(nowSeconds, timestampSeconds) };
  }
}

export function effectiveGasPrice({ maxFeePerGas, maxPriorityFeePerGas }: SignedTransaction): bigint {
  const offered = BASE_FEE_WEI + maxPriorityFeePerGas;
  return offered < maxFeePerGas ? offered : maxFeePerGas;
}
