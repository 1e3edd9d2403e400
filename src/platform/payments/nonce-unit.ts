import type { Hex } from '#protocol/payment/hex.ts';
import type { Cell, Decision, Row, Unit } from '#platform/storage/store.ts';

/** A signed transaction that stands in the store before anybody sends it. */
export interface PlannedBatch {
  readonly account: string;
  readonly nonce: number;
  /** Newest last: a fee bump adds one. */
  readonly hashes: readonly Hex[];
  /** The newest raw transaction; null where it was not read. */
  readonly raw: Hex | null;
  /** Keys of the payments in it. */
  readonly members: readonly string[];
  readonly plannedAtMs: number;
}

/**
 * `plan` takes a nonce for a transaction, if it is still the next one; `replace` puts a dearer transaction in the place
 * of one; `close` forgets batches whose nonce is spent; `release` gives the newest nonce back; `restart` follows the
 * chain where it counts otherwise, and forgets what can never be mined.
 */
export type NonceCommand = { readonly account: string } & (
  | {
      readonly type: 'plan';
      readonly nonce: number;
      readonly hash: Hex;
      readonly raw: Hex;
      readonly members: readonly string[];
    }
  | { readonly type: 'replace'; readonly nonce: number; readonly instead: Hex; readonly hash: Hex; readonly raw: Hex }
  | { readonly type: 'close'; readonly nonces: readonly number[] }
  | { readonly type: 'release'; readonly nonce: number; readonly hash: Hex }
  | { readonly type: 'restart'; readonly next: number; readonly abandoned: readonly number[] }
);

/** `done` says whether the command took effect; `next` is the nonce that the next plan must have. */
export interface NonceResult {
  readonly done: boolean;
  readonly next: number;
}

interface NonceState {
  readonly next: ReadonlyMap<string, number>;
  readonly batches: ReadonlyMap<string, PlannedBatch>;
}

const NEXT = 'SELECT account, next_nonce FROM settler_nonce WHERE account IN (...)';
const OPEN = 'SELECT account, nonce, hashes, members, planned_at FROM settle_batch WHERE account IN (...)';
export const NEXT_NONCE = 'SELECT next_nonce FROM settler_nonce WHERE account = $1';
export const OPEN_BATCHES =
  'SELECT account, nonce, hashes, raw, members, planned_at FROM settle_batch WHERE account = $1 ORDER BY nonce';
const NEXT_UPSERT =
  'INSERT INTO settler_nonce (account, next_nonce) VALUES ($1, $2) ON CONFLICT (account) DO UPDATE SET next_nonce = excluded.next_nonce';
const BATCH_UPSERT = `INSERT INTO settle_batch (account, nonce, hashes, raw, members, planned_at) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (account, nonce) DO UPDATE SET hashes = excluded.hashes, raw = excluded.raw, members = excluded.members, planned_at = excluded.planned_at`;
const BATCH_DELETE = 'DELETE FROM settle_batch WHERE (account, nonce) IN (VALUES ($1, CAST($2 AS BIGINT)))';

/** The nonces of settler accounts: all processes on one store take them here, so no two transactions share one. */
export const nonceUnit: Unit<[NonceCommand, NonceResult], NonceState> = {
  name: 'settler-nonce',
  reads: (commands) => {
    const list = [...new Set(commands.map(({ account }) => account))];
    return [
      { sql: NEXT, list },
      { sql: OPEN, list },
    ];
  },
  load: ([next = [], open = []]) => ({
    next: new Map(next.map((row) => [row['account'] as string, row['next_nonce'] as number])),
    batches: new Map(open.map((row) => [rowId(row['account'] as string, row['nonce'] as number), plannedBatch(row)])),
  }),
  decide,
  writes: (before, after) => {
    const gone = [...before.batches].filter(([id]) => !after.batches.has(id)).map(([, batch]) => batch);
    const made = [...after.batches].filter(([id, batch]) => before.batches.get(id) !== batch).map(([, batch]) => batch);
    const moved = [...after.next].filter(([account, next]) => before.next.get(account) !== next);
    return [
      { sql: NEXT_UPSERT, rows: moved },
      { sql: BATCH_DELETE, rows: gone.map(({ account, nonce }) => [account, nonce]) },
      { sql: BATCH_UPSERT, rows: made.map(cellsOf) },
    ];
  },
};

export function plannedBatch(row: Row): PlannedBatch {
  return {
    account: row['account'] as string,
    nonce: row['nonce'] as number,
    hashes: JSON.parse(row['hashes'] as string) as Hex[],
    raw: (row['raw'] ?? null) as Hex | null,
    members: JSON.parse(row['members'] as string) as string[],
    plannedAtMs: row['planned_at'] as number,
  };
}

function decide(
  state: NonceState,
  nowMs: number,
  _next: unknown,
  command: NonceCommand,
): Decision<NonceState, NonceResult> {
  const { account } = command;
  const next = new Map(state.next);
  const batches = new Map(state.batches);
  const due = next.get(account);
  const done = apply();
  return {
    state: done ? { next, batches } : state,
    result: { done, next: (done ? next : state.next).get(account) ?? 0 },
  };

  function apply(): boolean {
    switch (command.type) {
      case 'plan': {
        const { nonce, hash, raw, members } = command;
        if (due !== undefined && due !== nonce) return false;
        next.set(account, nonce + 1);
        batches.set(rowId(account, nonce), { account, nonce, hashes: [hash], raw, members, plannedAtMs: nowMs });
        return true;
      }
      case 'replace': {
        const { nonce, instead, hash, raw } = command;
        const batch = batches.get(rowId(account, nonce));
        if (batch === undefined || batch.hashes.at(-1) !== instead) return false;
        batches.set(rowId(account, nonce), { ...batch, hashes: [...batch.hashes, hash], raw });
        return true;
      }
      case 'close':
        return command.nonces.map((nonce) => batches.delete(rowId(account, nonce))).some(Boolean);
      case 'release': {
        const id = rowId(account, command.nonce);
        if (due !== command.nonce + 1 || batches.get(id)?.hashes.at(-1) !== command.hash) return false;
        next.set(account, command.nonce);
        return batches.delete(id);
      }
      case 'restart': {
        for (const nonce of command.abandoned) batches.delete(rowId(account, nonce));
        const isOpen = [...batches.values()].some((batch) => batch.account === account);
        if (due !== undefined && command.next < due && isOpen) return false;
        next.set(account, command.next);
        return true;
      }
    }
  }
}

function rowId(account: string, nonce: number): string {
  return `${account} ${nonce}`;
}

function cellsOf({ account, nonce, hashes, raw, members, plannedAtMs }: PlannedBatch): Cell[] {
  return [account, nonce, JSON.stringify(hashes), raw ?? '', JSON.stringify(members), plannedAtMs];
}
