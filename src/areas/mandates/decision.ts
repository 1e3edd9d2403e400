import type { Decision, NextNumbers } from '#platform/storage/store.ts';
import type { Answered, MandateRefusal, Refused, State } from './state.ts';

export interface Moment {
  readonly nowMs: number;
  readonly next: NextNumbers;
}

/** Names a period among those of all mandates. */
export function periodKey(mandateId: string, startMs: number): string {
  return `${mandateId} ${startMs}`;
}

export type Decided = Decision<State, Answered | Refused>;

export function refused(state: State, code: MandateRefusal, retryAfterMs?: number): Decision<State, Refused> {
  return { state, result: { outcome: 'refused', code, ...(retryAfterMs !== undefined && { retryAfterMs }) } };
}

export function answered(state: State, answer: object): Decision<State, Answered> {
  return { state, result: { outcome: 'answered', answer, replayed: false } };
}
