import type { FlagRule, SignalName, Subject } from '#platform/usage-rules/flag-rules.ts';
import type { Cell, Row } from '#platform/storage/store.ts';

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

function commonOf(row: Row) {
  return {
    id: row['id'] as string,
    subject: row['subject'] as Subject,
    rule: row['rule'] as FlagRule,
    atMs: row['at'] as number,
    salt: row['salt'] as string,
    attestationId: row['attestation_id'] as string,
    liftedAtMs: row['lifted_at'] as number | null,
    endsAtMs: row['ends_at'] as number,
  };
}

export function flagOf(row: Row): Flag {
  return {
    ...commonOf(row),
    signal: row['signal'] as SignalName,
    refusalId: row['refusal_id'] as string | null,
  };
}

export function suspensionOf(row: Row): Suspension {
  return { ...commonOf(row), untilMs: row['until'] as number };
}

export function countOf(row: Row): Count {
  return {
    name: row['name'] as string,
    times: JSON.parse(row['times'] as string) as number[],
    endsAtMs: row['ends_at'] as number,
  };
}

export function flagRow(flag: Flag): Cell[] {
  const { id, subject, rule, signal, atMs, salt, refusalId, attestationId, liftedAtMs, endsAtMs } = flag;
  return [id, subject, rule, signal, atMs, salt, refusalId, attestationId, liftedAtMs, endsAtMs];
}

export function suspensionRow(suspension: Suspension): Cell[] {
  const { id, subject, rule, atMs, untilMs, salt, attestationId, liftedAtMs, endsAtMs } = suspension;
  return [id, subject, rule, atMs, untilMs, salt, attestationId, liftedAtMs, endsAtMs];
}

export function countRow({ name, times, endsAtMs }: Count): Cell[] {
  return [name, JSON.stringify(times), endsAtMs];
}
