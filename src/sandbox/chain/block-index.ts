import type { Hex } from '#protocol/payment/hex.ts';
import type { RecoverEngine } from '#protocol/payment/recover-engine.ts';
import { decodeTransaction, type SignedTransaction } from '#protocol/payment/transaction.ts';
import type { StoredBlock, StoredLog, StoredTransaction } from './stored-block.ts';

/** A block as it is kept for readers: its changes are in the state already. */
export interface IndexedBlock {
  readonly hash: Hex;
  readonly block: Omit<StoredBlock, 'changes'>;
}

export interface PlacedTransaction {
  readonly at: IndexedBlock;
  readonly index: number;
  readonly stored: StoredTransaction;
  readonly signed: SignedTransaction;
}

export interface PlacedLog {
  readonly log: StoredLog;
  readonly at: IndexedBlock;
  readonly transactionHash: Hex;
  readonly transactionIndex: number;
  /** Counted over the whole block. */
  readonly logIndex: number;
}

export interface LogFilter {
  readonly fromBlock: number;
  readonly toBlock: number;
  /** Empty for any. Lower case. */
  readonly addresses: readonly Hex[];
  /** By place; null for any. */
  readonly topics: readonly (readonly Hex[] | null)[];
}

/** All blocks, found by number and hash, with their transactions by hash. */
export class BlockIndex {
  readonly #engine: RecoverEngine;
  readonly #blocks: IndexedBlock[] = [];
  readonly #numberOfHash = new Map<Hex, number>();
  readonly #logsOfTopic = new Map<Hex, PlacedLog[]>();
  /** Read once: receipts are asked for again and again. */
  readonly #signed = new Map<Hex, SignedTransaction>();
  readonly #placeOfTransaction = new Map<Hex, readonly [number, number]>();

  constructor(engine: RecoverEngine) {
    this.#engine = engine;
  }

  /** Blocks come in order; the first one need not be number 0. */
  add(hash: Hex, stored: StoredBlock, signed: readonly SignedTransaction[] = []): void {
    const { changes: _, ...block } = stored;
    this.#blocks.push({ hash, block });
    for (const one of signed) this.#signed.set(one.hash, one);
    for (const placed of logsOf({ hash, block })) {
      for (const topic of placed.log.topics) {
        const known = this.#logsOfTopic.get(topic);
        if (known === undefined) this.#logsOfTopic.set(topic, [placed]);
        else known.push(placed);
      }
    }
    this.#numberOfHash.set(hash, block.number);
    for (const [index, { hash: transaction }] of block.transactions.entries()) {
      this.#placeOfTransaction.set(transaction, [block.number, index]);
    }
  }

  isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  last(): IndexedBlock {
    return this.#blocks.at(-1) as IndexedBlock;
  }

  byNumber(number: number): IndexedBlock | undefined {
    return this.#blocks[number - this.#first()];
  }

  byHash(hash: Hex): IndexedBlock | undefined {
    return this.byNumber(this.#numberOfHash.get(hash) ?? -1);
  }

  transaction(hash: Hex): PlacedTransaction | undefined {
    const place = this.#placeOfTransaction.get(hash);
    return place === undefined ? undefined : this.placed(this.byNumber(place[0]) as IndexedBlock, place[1]);
  }

  placed(at: IndexedBlock, index: number): PlacedTransaction {
    const stored = at.block.transactions[index] as StoredTransaction;
    const signed = this.#signed.get(stored.hash) ?? decodeTransaction(stored.raw, this.#engine);
    if (signed === undefined) throw new Error('a block holds what is no transaction');
    this.#signed.set(stored.hash, signed);
    return { at, index, stored, signed };
  }

  logs({ fromBlock, toBlock, addresses, topics }: LogFilter): PlacedLog[] {
    return this.#candidates({ fromBlock, toBlock, addresses, topics }).filter(
      ({ log, at: { block } }) =>
        block.number >= fromBlock &&
        block.number <= toBlock &&
        (addresses.length === 0 || addresses.includes(log.address)) &&
        topics.every((wanted, i) => wanted === null || wanted.includes(log.topics[i] as Hex)),
    );
  }

  /** Logs in their order, among which are all that the filter can let through: those of its rarest topic. */
  #candidates({ fromBlock, toBlock, topics }: LogFilter): readonly PlacedLog[] {
    const lists = topics.flatMap((wanted) =>
      wanted?.length === 1 ? [this.#logsOfTopic.get(wanted[0] as Hex) ?? []] : [],
    );
    const [rarest] = lists.toSorted((one, other) => one.length - other.length);
    if (rarest !== undefined) return rarest;
    const [from, to] = [fromBlock - this.#first(), toBlock + 1 - this.#first()];
    return this.#blocks.slice(Math.max(0, from), Math.max(0, to)).flatMap(logsOf);
  }

  #first(): number {
    return this.#blocks[0]?.block.number ?? 0;
  }
}

/** The logs of a block with their places. */
export function logsOf(at: IndexedBlock): PlacedLog[] {
  const placed: PlacedLog[] = [];
  for (const [transactionIndex, { hash: transactionHash, logs }] of at.block.transactions.entries()) {
    for (const log of logs) placed.push({ log, at, transactionHash, transactionIndex, logIndex: placed.length });
  }
  return placed;
}
