import type { Hex } from '#protocol/payment/hex.ts';
import type { StateChanges } from './chain-state.ts';

export interface StoredLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** A transaction with what became of it. Gas is below 2^53. */
export interface StoredTransaction {
  readonly hash: Hex;
  readonly raw: Hex;
  readonly from: Hex;
  readonly succeeded: boolean;
  readonly gasUsed: number;
  readonly contractAddress: Hex | null;
  readonly logs: readonly StoredLog[];
}

/** One line of the journal. `changes` is all that later blocks build on; the rest is what may be asked about. */
export interface StoredBlock {
  readonly number: number;
  readonly parentHash: Hex;
  readonly timestampSeconds: number;
  readonly transactions: readonly StoredTransaction[];
  readonly changes: StateChanges;
}
