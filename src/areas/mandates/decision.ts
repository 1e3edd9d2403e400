import type { SignedPart } from '#protocol/payment/coverage.ts';
import type { Receipt } from '#protocol/payment/receipt.ts';
import type { Decision, NextNumbers } from '#platform/storage/store.ts';
import type { MandateRefusal, MandateResult, State } from './state.ts';

/** What makes a decision portable: entries say whether they are of a sandbox, answers carry a signed receipt. */
export interface Notary {
  readonly sandbox: boolean;
  receipt(of: {
    readonly kind: 'amh_verify' | 'amh_seal';
    readonly receiptId: `rcp_${string}`;
    readonly signed: SignedPart;
    readonly requestSha256: string;
    readonly issuedAt: string;
  }): Receipt;
}

export interface Moment {
  readonly nowMs: number;
  readonly next: NextNumbers;
  readonly notary: Notary;
}

/** Names a period among those of all mandates. */
export function periodKey(mandateId: string, startMs: number): string {
  return `${mandateId} ${startMs}`;
}

export type Decided = Decision<State, MandateResult>;

export function refused(state: State, code: MandateRefusal, retryAfterMs?: number): Decided {
  return { state, result: { outcome: 'refused', code, ...(retryAfterMs !== undefined && { retryAfterMs }) } };
}

export function answered(state: State, answer: object): Decided {
  return { state, result: { outcome: 'answered', answer, replayed: false } };
}
