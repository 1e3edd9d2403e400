import type { EntryProof, StorageErrorKind } from '../store.ts';

/** Commands that one caller gave to a process that hands them on: one transaction, as everywhere. */
export interface ForwardedRequest {
  readonly id: number;
  readonly steps: readonly { readonly unit: string; readonly command: unknown }[];
  /** Whether the proofs of log entries are wanted. */
  readonly isProven: boolean;
}

export interface ForwardedOutcome {
  readonly result: unknown;
  readonly proofs: readonly EntryProof[];
}

/** Said by a process that stops: nothing new is to be sent, and whoever has all its answers closes the connection. */
export const STOPPING = 'stopping';

export type ForwardedReply =
  | { readonly id: number; readonly outcomes: readonly ForwardedOutcome[]; readonly rev: number }
  /** Nothing was done: the process that writes has not met this unit yet, or lacks a key that it takes. */
  | { readonly id: number; readonly isLeft: true }
  /** `kind` is null for a fault that is none of the store's. */
  | { readonly id: number; readonly fault: { readonly kind: StorageErrorKind | null; readonly message: string } };
