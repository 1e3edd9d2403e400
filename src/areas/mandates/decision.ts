import type { Decision, NextNumbers } from '#platform/storage/store.ts';
import type { Mandate, MandateAnswer, MandateRefusal, MandateRefused, State } from './state.ts';

export interface MandateMoment {
  readonly nowMs: number;
  readonly next: NextNumbers;
}

/** Names a period among those of all mandates. */
export function periodKey(mandateId: string, startMs: number): string {
  return `${mandateId} ${startMs}`;
}

export type MandateDecision = Decision<State, MandateAnswer | MandateRefused>;

export function refused(state: State, code: MandateRefusal, retryAfterMs?: number): Decision<State, MandateRefused> {
  return { state, result: { outcome: 'refused', code, ...(retryAfterMs !== undefined && { retryAfterMs }) } };
}

/** A mandate that can be acted on; an erased one is as one that never was. */
export function standing({ mandates }: Pick<State, 'mandates'>, mandateId: string): Mandate | undefined {
  const mandate = mandates.get(mandateId);
  return mandate?.erased === null ? mandate : undefined;
}

export function answered(state: State, answer: object): Decision<State, MandateAnswer> {
  return { state, result: { outcome: 'answered', answer, replayed: false } };
}

/** Each key is used once: the table refuses a second row. */
export function withUses(uses: State['ap2Uses'], keys: readonly string[], owner: string): State['ap2Uses'] {
  return keys.reduce((all, useKey) => all.with(useKey, { useKey, owner }), uses);
}
