import type { Hex } from '#protocol/payment/hex.ts';
import type { Decision, Unit } from '#platform/storage/store.ts';
import { as, integer, json, listed, mapped, nullable, query, table, text } from '#platform/storage/table.ts';

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

const NEXT = table('settler_nonce', { account: text(), next_nonce: as('next', integer()) }, { key: ['account'] });
const WITHOUT_RAW = {
  account: text(),
  nonce: integer(),
  hashes: json<readonly Hex[]>(),
  members: json<readonly string[]>(),
  planned_at: as('plannedAtMs', integer()),
};
const BATCH = table('settle_batch', { ...WITHOUT_RAW, raw: nullable(text<Hex>()) }, { key: ['account', 'nonce'] });
const NEXT_OF_ACCOUNTS = NEXT.select('WHERE account IN (...)');
const OPEN_OF_ACCOUNTS = mapped(
  query('SELECT account, nonce, hashes, members, planned_at FROM settle_batch WHERE account IN (...)', WITHOUT_RAW),
  (batch): PlannedBatch => ({ ...batch, raw: null }),
);
export const NEXT_NONCE = NEXT.select('WHERE account = $1');
export const OPEN_BATCHES = BATCH.select('WHERE account = $1 ORDER BY nonce');

function reads(commands: readonly NonceCommand[]) {
  const accounts = new Set(commands.map(({ account }) => account));
  return { next: listed(NEXT_OF_ACCOUNTS, accounts), open: listed(OPEN_OF_ACCOUNTS, accounts) };
}

/** The nonces of settler accounts: all processes on one store take them here, so no two transactions share one. */
export const nonceUnit: Unit<[NonceCommand, NonceResult], NonceState, typeof reads> = {
  name: 'settler-nonce',
  reads,
  load: ({ next, open }) => ({
    next: new Map(next.map((row) => [row.account, row.next])),
    batches: new Map(open.map((batch) => [rowId(batch.account, batch.nonce), batch])),
  }),
  decide,
  writes: (before, after) => {
    const gone = [...before.batches].filter(([id]) => !after.batches.has(id)).map(([, batch]) => batch);
    const made = [...after.batches].filter(([id, batch]) => before.batches.get(id) !== batch).map(([, batch]) => batch);
    const moved = [...after.next].filter(([account, next]) => before.next.get(account) !== next);
    return [
      NEXT.upsert(moved.map(([account, next]) => ({ account, next }))),
      BATCH.remove(gone.map(({ account, nonce }) => [account, nonce])),
      BATCH.upsert(made),
    ];
  },
};

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
