import { DAY_MS } from '#kernel/clock.ts';
import { type MandateDecision, refused } from './decision.ts';
import type { Repeatable, State } from './state.ts';

const RETENTION_MS = DAY_MS;

/** The answer to a call that came before under the same key; undefined where there was none. */
export function answeredBefore(
  state: State,
  nowMs: number,
  repeatable: Repeatable | null,
): MandateDecision | undefined {
  const kept = repeatable === null ? undefined : state.answers.get(repeatable.keyHash);
  if (kept === undefined || kept.expiresAtMs <= nowMs) return undefined;
  if (kept.bodySha256 !== repeatable?.bodySha256) return refused(state, 'idempotency_conflict');
  return { state, result: { outcome: 'answered', answer: JSON.parse(kept.answer) as object, replayed: true } };
}

export function withAnswer(state: State, nowMs: number, repeatable: Repeatable | null, answer: object): State {
  if (repeatable === null) return state;
  const kept = { ...repeatable, answer: JSON.stringify(answer), expiresAtMs: nowMs + RETENTION_MS };
  return { ...state, answers: state.answers.with(repeatable.keyHash, kept) };
}
