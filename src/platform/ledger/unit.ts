import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Cell, Read, Row, Unit, Write } from '#platform/storage/store.ts';
import { decide, receivableOf, walletOf } from './decide.ts';
import * as sql from './sql.ts';
import type { Account, Entry, Hold, LedgerCommand, LedgerResult, LedgerState, Tx } from './state.ts';

/** How the ledger is read and written; the only code that does. */
export const ledgerUnit: Unit<LedgerCommand, LedgerState, LedgerResult> = {
  name: 'ledger',
  reads,
  load,
  decide: (state, nowMs, _next, command) => decide(state, nowMs, command),
  writes,
};

interface Named {
  readonly accounts: Set<string>;
  readonly txIdems: Set<string>;
  readonly txs: Set<string>;
  readonly holds: Set<string>;
  readonly holdIdems: Set<string>;
}

function name({ accounts, txIdems, txs, holds, holdIdems }: Named, command: LedgerCommand): void {
  if ('legs' in command) {
    for (const { account, restTo } of command.legs) {
      accounts.add(account);
      if (restTo !== undefined) accounts.add(restTo);
    }
  }
  if (command.type === 'post' || command.type === 'reverse') txIdems.add(command.idem);
  if (command.type === 'reverse') txs.add(command.of);
  if (command.type === 'capture') {
    txIdems.add(`cap:${command.holdId}`);
    if (command.whenGone === 'post') accounts.add('expense:overrun');
  }
  if (command.type === 'capture' || command.type === 'release') holds.add(command.holdId);
  if (command.type === 'hold') holdIdems.add(command.idem);
  if ('agentId' in command) accounts.add(walletOf(command.agentId));
  if (command.type === 'open') accounts.add(receivableOf(command.agentId));
}

function reads(commands: readonly LedgerCommand[]): readonly Read[] {
  const set = () => new Set<string>();
  const named = { accounts: set(), txIdems: set(), txs: set(), holds: set(), holdIdems: set() };
  for (const command of commands) name(named, command);
  const dueBefore = commands.flatMap((command) => (command.type === 'expire' ? [command.dueBeforeMs] : []));
  const listed = (text: string, list: Set<string>): Read => ({ sql: text, list: [...list] });
  const due = (text: string): Read =>
    dueBefore.length === 0 ? { sql: text, list: [] } : { sql: text, params: [Math.max(...dueBefore)] };
  return [
    { sql: sql.HEAD },
    listed(sql.ACCOUNTS_OF_IDS, named.accounts),
    listed(sql.ACCOUNTS_OF_HOLDS, named.holds),
    listed(sql.ACCOUNTS_OF_TXS, named.txs),
    listed(sql.PAIRED_ACCOUNTS_OF_TXS, named.txs),
    due(sql.ACCOUNTS_DUE),
    listed(sql.TXS_OF_IDEMS, named.txIdems),
    listed(sql.TXS_OF_IDS, named.txs),
    listed(sql.ENTRIES_OF_TXS, named.txs),
    listed(sql.HOLDS_OF_IDS, named.holds),
    listed(sql.HOLDS_OF_IDEMS, named.holdIdems),
    due(sql.HOLDS_DUE),
  ];
}

function load(given: readonly (readonly Row[])[]): LedgerState {
  const at = (...places: readonly number[]) => places.flatMap((place) => given[place] ?? []);
  const entries = Map.groupBy(at(8).toSorted(byLeg), (row) => row['tx_seq'] as number);
  const txs = at(6, 7).map((row) => txOf(row, (entries.get(row['seq'] as number) ?? []).map(entryOf)));
  const holds = at(9, 10, 11).map(holdOf);
  const [head] = at(0);
  if (head === undefined) throw new Error('the ledger has no head');
  return {
    accounts: VersionedMap.of(
      at(1, 2, 3, 4, 5)
        .map(accountOf)
        .map((account) => [account.id, account] as const),
    ),
    txs: VersionedMap.of(txs.map((tx) => [tx.idem, tx] as const)),
    txsById: VersionedMap.of(txs.map((tx) => [tx.id, tx] as const)),
    holds: VersionedMap.of(holds.map((one) => [one.id, one] as const)),
    holdsByIdem: VersionedMap.of(holds.map(({ idem, id }) => [idem, { id }] as const)),
    due: at(11).map((row) => row['id'] as string),
    audits: [],
    head: { seq: head['seq'] as number, hash: head['hash'] as string, isHalted: head['halted'] === 1 },
  };
}

function byLeg(a: Row, b: Row): number {
  return (a['leg'] as number) - (b['leg'] as number);
}

function writes(before: LedgerState, after: LedgerState): readonly Write[] {
  const changed = <V extends object>(was: VersionedMap<string, V>, is: VersionedMap<string, V>) =>
    [...is.changesSince(was).keys()].map((key) => is.get(key) as V);
  const txs = changed(before.txs, after.txs).toSorted((a, b) => a.seq - b.seq);
  const { seq, hash, isHalted } = after.head;
  return [
    { sql: sql.ACCOUNT_UPSERT, rows: changed(before.accounts, after.accounts).map(accountRow) },
    { sql: sql.TX_INSERT, rows: txs.map(txRow) },
    { sql: sql.ENTRY_INSERT, rows: txs.flatMap(entryRows) },
    { sql: sql.HOLD_UPSERT, rows: changed(before.holds, after.holds).map(holdRow) },
    {
      sql: sql.AUDIT_INSERT,
      rows: after.audits.map(({ atMs, uptoSeq, uptoHash, scope, findings }) => {
        return [atMs, uptoSeq, uptoHash, scope, findings.length === 0 ? 1 : 0, JSON.stringify(findings)];
      }),
    },
    { sql: sql.HEAD_UPSERT, rows: after.head === before.head ? [] : [[1, seq, hash, isHalted ? 1 : 0]] },
  ];
}

function accountOf(row: Row): Account {
  return {
    id: row['id'] as string,
    side: row['side'] as Account['side'],
    currency: row['currency'] as string,
    posted: row['posted'] as number,
    held: row['held'] as number,
    noOverdraft: row['no_overdraft'] === 1,
    isFrozen: row['frozen'] === 1,
  };
}

function accountRow({ id, side, currency, posted, held, noOverdraft, isFrozen }: Account): Cell[] {
  return [id, side, currency, posted, held, noOverdraft ? 1 : 0, isFrozen ? 1 : 0];
}

export function txOf(row: Row, entries: readonly Entry[]): Tx {
  return {
    seq: row['seq'] as number,
    id: row['id'] as string,
    kind: row['kind'] as string,
    idem: row['idem'] as string,
    fingerprint: row['fingerprint'] as string,
    ref: row['ref'] as string | null,
    atMs: row['at'] as number,
    meta: row['meta'] as string,
    prevHash: row['prev_hash'] as string,
    hash: row['hash'] as string,
    entries,
  };
}

function txRow({ seq, id, kind, idem, fingerprint, ref, atMs, meta, prevHash, hash }: Tx): Cell[] {
  return [seq, id, kind, idem, fingerprint, ref, atMs, meta, prevHash, hash];
}

function entryRows({ seq, entries }: Tx): Cell[][] {
  return entries.map(({ account, amountMicro, balanceAfter }, leg) => [seq, leg, account, amountMicro, balanceAfter]);
}

export function entryOf(row: Row): Entry {
  return {
    account: row['account'] as string,
    amountMicro: row['amount'] as number,
    balanceAfter: row['balance_after'] as number,
  };
}

function holdOf(row: Row): Hold {
  return {
    id: row['id'] as string,
    account: row['account'] as string,
    amount: row['amount'] as number,
    captured: row['captured'] as number,
    status: row['status'] as Hold['status'],
    idem: row['idem'] as string,
    fingerprint: row['fingerprint'] as string,
    ref: row['ref'] as string | null,
    expiresAtMs: row['expires_at'] as number | null,
    atMs: row['at'] as number,
  };
}

function holdRow({ id, account, amount, captured, status, idem, fingerprint, ref, expiresAtMs, atMs }: Hold): Cell[] {
  return [id, account, amount, captured, status, idem, fingerprint, ref, expiresAtMs, atMs];
}
