import type { FlagRule, SignalName, Subject } from '#platform/usage-rules/flag-rules.ts';

export interface Flag {
  readonly id: string;
  readonly subject: Subject;
  readonly rule: FlagRule;
  readonly signal: SignalName;
  readonly atMs: number;
  /** Opens the commitment of the sealed statement. */
  readonly salt: string;
  /** The sealed refusal that it is for, where it is for one. */
  readonly refusalId: string | null;
  readonly attestationId: string;
  readonly liftedAtMs: number | null;
  readonly endsAtMs: number;
}

export interface Suspension {
  readonly id: string;
  readonly subject: Subject;
  readonly rule: FlagRule;
  readonly atMs: number;
  readonly untilMs: number;
  readonly salt: string;
  readonly attestationId: string;
  readonly liftedAtMs: number | null;
  readonly endsAtMs: number;
}

/** When something was done, no older than its window. */
export interface Count {
  readonly name: string;
  readonly times: readonly number[];
  readonly endsAtMs: number;
}

export function isSuspended({ untilMs, liftedAtMs }: Suspension, nowMs: number): boolean {
  return liftedAtMs === null && untilMs > nowMs;
}
