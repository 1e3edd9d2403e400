import { DAY_MS, isoTime } from '#kernel/clock.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import type { Cell, Decision, NextNumbers, Read, Row, Unit, Write } from '#platform/storage/store.ts';
import type { LookupKey } from './lookup.ts';
import * as sql from './sql.ts';

/** How long a call that names an Idempotency-Key may take before another may take its place. */
const RESERVED_MS = 60_000;
/** How long the answer to a key is kept. */
export const RETENTION_MS = DAY_MS;

/** An Idempotency-Key and what it was used for, both as keyed hashes, and the call that uses it now. */
export interface Repeatable {
  readonly keyHash: string;
  readonly fingerprint: string;
  readonly reservation: string;
}

interface SealCommand {
  readonly type: 'seal';
  readonly draft: SealDraft;
  readonly sandbox: boolean;
  /** Who is invoiced for the fee. */
  readonly owner: string;
  /** Names schema and claim of a reject that rests on no observation: the same one is not sealed twice. */
  readonly rejectKey: string | null;
  readonly repeatable: Repeatable | null;
  /** By what the seal is found; none unless the caller wants it. */
  readonly lookups: readonly LookupKey[];
}

export type AttestationCommand =
  | SealCommand
  /** Takes the key before a register is asked, so that two calls with it never ask twice. */
  | { readonly type: 'reserve'; readonly repeatable: Repeatable }
  | { readonly type: 'sweep'; readonly dueBeforeMs: number };

export interface Sealed {
  readonly outcome: 'sealed';
  readonly attestationId: string;
  readonly leafText: string;
  readonly leafHashHex: string;
  readonly sealedAtMs: number;
  readonly claimText: string;
  /** As they were committed to: none is later than the seal. */
  readonly observations: string;
}

export type AttestationResult =
  | Sealed
  | { readonly outcome: 'reserved' | 'in_flight' | 'conflict' }
  /** `isHolder`: the caller was given the seed and may see it again. */
  | { readonly outcome: 'replayed'; readonly seq: number; readonly isHolder: boolean }
  | { readonly outcome: 'swept'; readonly removed: number };

interface Use extends Repeatable {
  readonly untilMs: number;
  readonly seq: number | null;
  readonly isHolder: boolean;
  readonly atMs: number;
}

interface State {
  readonly rejects: ReadonlyMap<string, number>;
  readonly uses: ReadonlyMap<string, Use>;
  readonly due: readonly string[];
  readonly fees: readonly (readonly Cell[])[];
  readonly lookups: readonly (readonly Cell[])[];
}

/** Seals: one log entry each, an invoice line where there is a fee, and what recognises a repeated call. */
export const attestationUnit: Unit<[AttestationCommand, AttestationResult], State> = {
  name: 'attestation',
  reads,
  load,
  decide(state, nowMs, next, command) {
    switch (command.type) {
      case 'seal':
        return seal(state, nowMs, next, command);
      case 'reserve':
        return reserve(state, nowMs, command.repeatable);
      case 'sweep':
        return sweep(state, nowMs);
    }
  },
  writes,
};

function reads(commands: readonly AttestationCommand[]): readonly Read[] {
  const rejects = new Set<string>();
  const keys = new Set<string>();
  let dueBeforeMs = Number.NEGATIVE_INFINITY;
  for (const command of commands) {
    if (command.type === 'sweep') dueBeforeMs = Math.max(dueBeforeMs, command.dueBeforeMs);
    else if (command.repeatable !== null) keys.add(command.repeatable.keyHash);
    if (command.type === 'seal' && command.rejectKey !== null) rejects.add(command.rejectKey);
  }
  return [
    { sql: sql.REJECTS_OF_KEYS, list: [...rejects] },
    { sql: sql.IDEMPOTENT_OF_KEYS, list: [...keys] },
    dueBeforeMs < 0 ? { sql: sql.IDEMPOTENT_DUE, list: [] } : { sql: sql.IDEMPOTENT_DUE, params: [dueBeforeMs] },
  ];
}

function load([rejects = [], uses = [], due = []]: readonly (readonly Row[])[]): State {
  return {
    rejects: new Map(rejects.map((row) => [row['key'] as string, row['seq'] as number])),
    uses: new Map([...uses, ...due].map((row) => [row['key_hash'] as string, useOf(row)])),
    due: due.map((row) => row['key_hash'] as string),
    fees: [],
    lookups: [],
  };
}

function reserve(state: State, nowMs: number, repeatable: Repeatable): Decision<State, AttestationResult> {
  const before = judgeUse(state, nowMs, repeatable);
  if (before !== undefined) return { state, result: before };
  const use = { ...repeatable, untilMs: nowMs + RESERVED_MS, seq: null, isHolder: false, atMs: nowMs };
  return { state: withUse(state, use), result: { outcome: 'reserved' } };
}

function seal(
  state: State,
  nowMs: number,
  { seq }: NextNumbers,
  { draft, sandbox, owner, rejectKey, repeatable, lookups }: SealCommand,
): Decision<State, AttestationResult> {
  const before = repeatable === null ? undefined : judgeUse(state, nowMs, repeatable);
  if (before !== undefined) return { state, result: before };
  const completed = (kept: State, use: Pick<Use, 'seq' | 'isHolder'>) =>
    repeatable === null ? kept : withUse(kept, { ...repeatable, ...use, untilMs: nowMs, atMs: nowMs });
  const rejectedAt = rejectKey === null ? undefined : state.rejects.get(rejectKey);
  if (rejectedAt !== undefined) {
    const use = { seq: rejectedAt, isHolder: false };
    return { state: completed(state, use), result: { outcome: 'replayed', ...use } };
  }
  const entry = sealEntry(draft, { sandbox, sealedAt: isoTime(nowMs) });
  const { id, text, hash } = entry.leaf;
  const { feeEurocents, schemaId } = draft.prepared;
  const fee = [id, schemaId, owner, feeEurocents, 'invoiced_separately', nowMs];
  const after = {
    ...state,
    ...(rejectKey !== null && { rejects: new Map(state.rejects).set(rejectKey, seq) }),
    ...(feeEurocents > 0 && { fees: [...state.fees, fee] }),
    ...(lookups.length > 0 && {
      lookups: [...state.lookups, ...lookups.map(({ sha256, field }) => [sha256, seq, field, id])],
    }),
  };
  return {
    state: completed(after, { seq, isHolder: true }),
    result: {
      outcome: 'sealed',
      attestationId: id,
      leafText: text,
      leafHashHex: Buffer.from(hash).toString('hex'),
      sealedAtMs: nowMs,
      claimText: entry.record.claim,
      observations: entry.record.observations,
    },
    entries: [entry],
  };
}

/** What an earlier call with the same key means for this one; undefined where there was none, or it is this one's own. */
function judgeUse({ uses }: State, nowMs: number, repeatable: Repeatable): AttestationResult | undefined {
  const use = uses.get(repeatable.keyHash);
  const isKept = use !== undefined && (use.seq === null ? use.untilMs > nowMs : use.atMs + RETENTION_MS > nowMs);
  if (!isKept || (use.seq === null && use.reservation === repeatable.reservation)) return undefined;
  if (use.fingerprint !== repeatable.fingerprint) return { outcome: 'conflict' };
  if (use.seq === null) return { outcome: 'in_flight' };
  return { outcome: 'replayed', seq: use.seq, isHolder: use.isHolder };
}

function sweep(state: State, nowMs: number): Decision<State, AttestationResult> {
  const uses = new Map(state.uses);
  const over = state.due.filter((keyHash) => (uses.get(keyHash)?.atMs ?? nowMs) + RETENTION_MS <= nowMs);
  for (const keyHash of over) uses.delete(keyHash);
  return { state: { ...state, uses }, result: { outcome: 'swept', removed: over.length } };
}

function withUse(state: State, use: Use): State {
  return { ...state, uses: new Map(state.uses).set(use.keyHash, use) };
}

function writes(before: State, after: State): readonly Write[] {
  const changed = [...after.uses.values()].filter((use) => before.uses.get(use.keyHash) !== use);
  const gone = [...before.uses.keys()].filter((keyHash) => !after.uses.has(keyHash));
  return [
    { sql: sql.FEE_INSERT, rows: after.fees.slice(before.fees.length) },
    { sql: sql.LOOKUP_INSERT, rows: after.lookups.slice(before.lookups.length) },
    { sql: sql.REJECT_INSERT, rows: [...after.rejects].filter(([key]) => !before.rejects.has(key)) },
    { sql: sql.IDEMPOTENT_UPSERT, rows: changed.map(cellsOf) },
    { sql: sql.IDEMPOTENT_DELETE, rows: gone.map((keyHash) => [keyHash]) },
  ];
}

/** What this area keeps beside the records of erased entries. */
export function forgetRejects(seqs: readonly number[]): readonly Write[] {
  const rows = seqs.map((seq) => [seq]);
  return [
    { sql: sql.REJECT_FORGET, rows },
    { sql: sql.LOOKUP_FORGET, rows },
  ];
}

function useOf(row: Row): Use {
  return {
    keyHash: row['key_hash'] as string,
    fingerprint: row['fingerprint'] as string,
    reservation: row['reservation'] as string,
    untilMs: row['until'] as number,
    seq: row['seq'] as number | null,
    isHolder: row['holder'] === 1,
    atMs: row['at'] as number,
  };
}

function cellsOf({ keyHash, fingerprint, reservation, untilMs, seq, isHolder, atMs }: Use): Cell[] {
  return [keyHash, fingerprint, reservation, untilMs, seq, isHolder ? 1 : 0, atMs];
}
