import { DAY_MS, isoTime } from '#kernel/clock.ts';
import type { SealFee } from '#kernel/task-route.ts';
import type { ErasedEntry } from '#platform/log/erasure.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import {
  decideByType,
  type Decision,
  type Found,
  type NextNumbers,
  type Step,
  step,
  type Unit,
  type Write,
} from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import { type FeeLine, INVOICED, PAID } from './fee-lines.ts';
import type { LookupKey } from './lookup-key.ts';
import * as sql from './sql.ts';

/** How long a call that names an Idempotency-Key may take before another may take its place. */
const RESERVED_MS = 60_000;
/** How long the answer to a key is kept. */
export const ANSWER_RETENTION_MS = DAY_MS;
export const useExpiry = sql.USE.expiring({ by: ['at'], keptMs: ANSWER_RETENTION_MS });

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
  /** Who is invoiced for the fee; null where a wallet is charged for it, which then says so. */
  readonly owner: string | null;
  /** Names schema and claim of a reject that rests on no observation: the same one is not sealed twice. */
  readonly rejectKey: string | null;
  readonly repeatable: Repeatable | null;
  /** By what the seal is found; none unless the caller wants it. */
  readonly lookups: readonly LookupKey[];
}

/** Takes the key before a register is asked, so that two calls with it never ask twice. */
interface ReserveCommand {
  readonly type: 'reserve';
  readonly repeatable: Repeatable;
}

/** Keeps what a wallet is charged for seals, in the transaction of the charge. */
interface FeesCommand {
  readonly type: 'fees';
  readonly lines: readonly FeeLine[];
}

interface Sealed {
  readonly outcome: 'sealed';
  readonly attestationId: string;
  readonly leafText: string;
  readonly leafHashHex: string;
  readonly sealedAtMs: number;
  readonly claimText: string;
  /** As they were committed to: none is later than the seal. */
  readonly observations: string;
}

/** What an earlier call with the same key, or of the same claim, means for this one. */
export type Repeated =
  | { readonly outcome: 'in_flight' | 'conflict' }
  /** `isHolder`: the caller was given the seed and may see it again. */
  | { readonly outcome: 'replayed'; readonly seq: number; readonly isHolder: boolean };

interface Reserved {
  readonly outcome: 'reserved';
}

interface FeesKept {
  readonly outcome: 'kept';
  readonly type: 'done';
}

type AttestationDeed =
  | [SealCommand, Sealed | Repeated]
  | [ReserveCommand, Reserved | Repeated]
  | [FeesCommand, FeesKept];
export type AttestationCommand = AttestationDeed[0];
export type AttestationResult = AttestationDeed[1];

interface Use extends Repeatable {
  readonly untilMs: number;
  readonly seq: number | null;
  readonly isHolder: boolean;
  readonly atMs: number;
}

interface State {
  readonly rejects: ReadonlyMap<string, number>;
  readonly uses: ReadonlyMap<string, Use>;
  readonly fees: readonly FeeLine[];
  readonly lookups: readonly sql.LookupRow[];
}

/** Seals: one log entry each, an invoice line where there is a fee, and what recognises a repeated call. */
export const attestationUnit: Unit<AttestationDeed, State, typeof reads> = {
  name: 'attestation',
  reads,
  load,
  decide: decideByType<AttestationDeed, State>({
    seal,
    reserve: (state, nowMs, _next, { repeatable }) => reserve(state, nowMs, repeatable),
    fees: (state, _nowMs, _next, { lines }) => ({
      state: { ...state, fees: [...state.fees, ...lines] },
      result: { outcome: 'kept', type: 'done' },
    }),
  }),
  writes,
};

function reads(commands: readonly AttestationCommand[]) {
  const rejects = new Set<string>();
  const keys = new Set<string>();
  for (const command of commands) {
    if (command.type === 'fees') continue;
    if (command.repeatable !== null) keys.add(command.repeatable.keyHash);
    if (command.type === 'seal' && command.rejectKey !== null) rejects.add(command.rejectKey);
  }
  return {
    rejects: listed(sql.REJECTS_OF_KEYS, rejects),
    uses: listed(sql.USES_OF_KEYS, keys),
  };
}

function load({ rejects, uses }: Found<typeof reads>): State {
  return {
    rejects: new Map(rejects.map(({ key, seq }) => [key, seq])),
    uses: new Map(uses.map((use) => [use.keyHash, use])),
    fees: [],
    lookups: [],
  };
}

function reserve(state: State, nowMs: number, repeatable: Repeatable): Decision<State, Reserved | Repeated> {
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
): Decision<State, Sealed | Repeated> {
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
  const fee = { attestationId: id, schemaId, sealedAtMs: nowMs, feeEurocents, feeStatus: INVOICED };
  const after = {
    ...state,
    ...(rejectKey !== null && { rejects: new Map(state.rejects).set(rejectKey, seq) }),
    ...(owner !== null && feeEurocents > 0 && { fees: [...state.fees, { owner, ...fee }] }),
    ...(lookups.length > 0 && {
      lookups: [...state.lookups, ...lookups.map((lookup) => ({ ...lookup, seq, attestationId: id }))],
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
function judgeUse({ uses }: State, nowMs: number, repeatable: Repeatable): Repeated | undefined {
  const use = uses.get(repeatable.keyHash);
  const isKept = use !== undefined && (use.seq === null ? use.untilMs > nowMs : use.atMs + ANSWER_RETENTION_MS > nowMs);
  if (!isKept || (use.seq === null && use.reservation === repeatable.reservation)) return undefined;
  if (use.fingerprint !== repeatable.fingerprint) return { outcome: 'conflict' };
  if (use.seq === null) return { outcome: 'in_flight' };
  return { outcome: 'replayed', seq: use.seq, isHolder: use.isHolder };
}

function withUse(state: State, use: Use): State {
  return { ...state, uses: new Map(state.uses).set(use.keyHash, use) };
}

function writes(before: State, after: State): readonly Write[] {
  const changed = [...after.uses.values()].filter((use) => before.uses.get(use.keyHash) !== use);
  const rejected = [...after.rejects].filter(([key]) => !before.rejects.has(key));
  return [
    sql.FEE.insert(after.fees.slice(before.fees.length)),
    sql.LOOKUP.insert(after.lookups.slice(before.lookups.length)),
    sql.REJECT.insert(rejected.map(([key, seq]) => ({ key, seq }))),
    sql.USE.upsert(changed),
  ];
}

/** A step of the transaction that charges the wallet of an agent for the fees of seals. */
export function paidFees(owner: string, fees: readonly SealFee[]): Step<FeesKept> {
  return step(attestationUnit, { type: 'fees', lines: fees.map((fee) => ({ ...fee, owner, feeStatus: PAID })) });
}

/** What this area keeps beside the records of erased entries. */
export function forgetRejects(entries: readonly ErasedEntry[]): readonly Write[] {
  const rows = entries.map(({ seq }) => [seq]);
  return [
    { sql: sql.REJECT_FORGET, rows },
    { sql: sql.LOOKUP_FORGET, rows },
  ];
}
