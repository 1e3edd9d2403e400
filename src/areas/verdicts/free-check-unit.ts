import { DAY_MS, isoTime } from '#kernel/clock.ts';
import { VersionedMap } from '#kernel/versioned-map.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import type { Decision, NextNumbers, Row, Unit } from '#platform/storage/store.ts';
import * as sql from './sql.ts';

export const FREE_CHECKS_PER_DAY = 20;
export const RETENTION_MS = 30 * DAY_MS;

/** Where a check stands in the public log. */
interface CheckSeal {
  readonly attestationId: string;
  readonly seq: number;
  readonly atMs: number;
}

export interface FreeCheck {
  readonly id: string;
  /** Day tag of the address: those of one day are all that bear it. */
  readonly addressTag: string;
  /** The whole answer, in canonical JSON. */
  readonly answer: string;
  readonly purpose: string | null;
  readonly atMs: number;
  readonly seal: CheckSeal | null;
}

export type FreeCheckCommand =
  | { readonly type: 'keep'; readonly check: Omit<FreeCheck, 'atMs' | 'seal'> }
  | { readonly type: 'seal'; readonly id: string; readonly draft: SealDraft; readonly sandbox: boolean }
  | { readonly type: 'sweep'; readonly dueBeforeMs: number };

export type FreeCheckResult =
  | { readonly type: 'kept' | 'used_up' | 'not_found' }
  | { readonly type: 'sealed'; readonly check: FreeCheck; readonly seal: CheckSeal; readonly again: boolean }
  | { readonly type: 'swept'; readonly rows: number };

interface State {
  readonly checks: VersionedMap<string, FreeCheck>;
  readonly asked: ReadonlyMap<string, number>;
  readonly due: readonly string[];
}

/** Keeps the answers of free checks for thirty days, counts them by address, and seals those that are recorded. */
export const freeCheckUnit: Unit<[FreeCheckCommand, FreeCheckResult], State> = {
  name: 'free-check',
  reads(commands) {
    const dueBeforeMs = Math.max(
      -1,
      ...commands.map((command) => (command.type === 'sweep' ? command.dueBeforeMs : -1)),
    );
    return [
      { sql: sql.CHECKS_OF_IDS, list: commands.flatMap((command) => (command.type === 'seal' ? command.id : [])) },
      { sql: sql.ASKED_FROM, list: commands.flatMap((c) => (c.type === 'keep' ? c.check.addressTag : [])) },
      dueBeforeMs < 0 ? { sql: sql.CHECKS_DUE, list: [] } : { sql: sql.CHECKS_DUE, params: [dueBeforeMs] },
    ];
  },
  load([named = [], asked = [], due = []]) {
    const byAddress = Map.groupBy(asked, (row) => row['addr'] as string);
    return {
      checks: VersionedMap.of([...named, ...due].map(checkOf).map((check) => [check.id, check] as const)),
      asked: new Map([...byAddress].map(([addr, rows]) => [addr, rows.length])),
      due: due.map((row) => row['id'] as string),
    };
  },
  decide,
  writes(before, after) {
    const changed = [...after.checks.changesSince(before.checks).keys()];
    const kept = changed.flatMap((id) => after.checks.get(id) ?? []);
    return [
      { sql: sql.CHECK_DELETE, rows: changed.filter((id) => after.checks.get(id) === undefined).map((id) => [id]) },
      { sql: sql.CHECK_UPSERT, rows: kept.map(cellsOf) },
    ];
  },
};

function decide(
  state: State,
  nowMs: number,
  next: NextNumbers,
  command: FreeCheckCommand,
): Decision<State, FreeCheckResult> {
  const { checks, asked } = state;
  switch (command.type) {
    case 'keep': {
      const { id, addressTag } = command.check;
      const before = asked.get(addressTag) ?? 0;
      if (before >= FREE_CHECKS_PER_DAY) return { state, result: { type: 'used_up' } };
      const kept = checks.with(id, { ...command.check, atMs: nowMs, seal: null });
      const counted = new Map(asked).set(addressTag, before + 1);
      return { state: { ...state, checks: kept, asked: counted }, result: { type: 'kept' } };
    }
    case 'seal': {
      const check = checks.get(command.id);
      if (check === undefined || nowMs - check.atMs >= RETENTION_MS) return { state, result: { type: 'not_found' } };
      if (check.seal !== null) return { state, result: { type: 'sealed', check, seal: check.seal, again: true } };
      const entry = sealEntry(command.draft, { sandbox: command.sandbox, sealedAt: isoTime(nowMs) });
      const seal = { attestationId: entry.leaf.id, seq: next.seq, atMs: nowMs };
      const sealed = { ...state, checks: checks.with(check.id, { ...check, seal }) };
      return { state: sealed, result: { type: 'sealed', check, seal, again: false }, entries: [entry] };
    }
    case 'sweep': {
      const gone = state.due.filter((id) => (checks.get(id)?.atMs ?? nowMs) <= command.dueBeforeMs);
      const left = gone.reduce((map, id) => map.without(id), checks);
      return { state: { ...state, checks: left }, result: { type: 'swept', rows: gone.length } };
    }
  }
}

export function checkOf(row: Row): FreeCheck {
  const attestationId = row['attestation_id'] as string | null;
  return {
    id: row['id'] as string,
    addressTag: row['addr'] as string,
    answer: row['answer'] as string,
    purpose: row['purpose'] as string | null,
    atMs: row['at'] as number,
    seal:
      attestationId === null
        ? null
        : { attestationId, seq: row['log_seq'] as number, atMs: row['sealed_at'] as number },
  };
}

function cellsOf({ id, addressTag, answer, purpose, atMs, seal }: FreeCheck) {
  const place = [seal?.attestationId ?? null, seal?.seq ?? null, seal?.atMs ?? null];
  return [id, addressTag, answer, purpose, atMs, ...place];
}
