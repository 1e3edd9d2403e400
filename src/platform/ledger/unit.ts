import { VersionedMap } from '#kernel/versioned-map.ts';
import { onlyOne } from '#platform/storage/head.ts';
import type { Found, Unit, Write } from '#platform/storage/store.ts';
import { given, listed } from '#platform/storage/table.ts';
import { decide, receivableOf, walletOf } from './decide.ts';
import * as sql from './sql.ts';
import type { LedgerCommand, LedgerResult, LedgerState, Tx } from './state.ts';

/** How the ledger is read and written; the only code that does. */
export const ledgerUnit: Unit<[LedgerCommand, LedgerResult], LedgerState, typeof reads> = {
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

function reads(commands: readonly LedgerCommand[]) {
  const set = () => new Set<string>();
  const named = { accounts: set(), txIdems: set(), txs: set(), holds: set(), holdIdems: set() };
  for (const command of commands) name(named, command);
  const dueBefore = commands.flatMap((command) => (command.type === 'expire' ? [command.dueBeforeMs] : []));
  const due = dueBefore.length === 0 ? null : [Math.max(...dueBefore)];
  return {
    head: sql.HEAD_NOW,
    accounts: listed(sql.ACCOUNTS_OF_IDS, named.accounts),
    accountsOfHolds: listed(sql.ACCOUNTS_OF_HOLDS, named.holds),
    accountsOfTxs: listed(sql.ACCOUNTS_OF_TXS, named.txs),
    pairedAccounts: listed(sql.PAIRED_ACCOUNTS_OF_TXS, named.txs),
    accountsDue: given(sql.ACCOUNTS_DUE, due),
    txsOfIdems: listed(sql.TXS_OF_IDEMS, named.txIdems),
    txs: listed(sql.TXS_OF_IDS, named.txs),
    entries: listed(sql.ENTRIES_OF_TXS, named.txs),
    holds: listed(sql.HOLDS_OF_IDS, named.holds),
    holdsOfIdems: listed(sql.HOLDS_OF_IDEMS, named.holdIdems),
    holdsDue: given(sql.HOLDS_DUE, due),
  };
}

function load(found: Found<typeof reads>): LedgerState {
  const txs = withEntries([...found.txsOfIdems, ...found.txs], found.entries);
  const holds = [...found.holds, ...found.holdsOfIdems, ...found.holdsDue];
  const accounts = [
    ...found.accounts,
    ...found.accountsOfHolds,
    ...found.accountsOfTxs,
    ...found.pairedAccounts,
    ...found.accountsDue,
  ];
  return {
    accounts: VersionedMap.by(accounts, ({ id }) => id),
    txs: VersionedMap.by(txs, ({ idem }) => idem),
    txsById: VersionedMap.by(txs, ({ id }) => id),
    holds: VersionedMap.by(holds, ({ id }) => id),
    holdsByIdem: VersionedMap.by(holds, ({ idem }) => idem),
    due: found.holdsDue.map(({ id }) => id),
    audits: [],
    head: onlyOne(found.head),
  };
}

/** Transactions with those of the entries that are theirs. */
export function withEntries(txs: Found<typeof reads>['txs'], entries: Found<typeof reads>['entries']): Tx[] {
  const byTx = Map.groupBy(
    entries.toSorted((a, b) => a.leg - b.leg),
    ({ txSeq }) => txSeq,
  );
  return txs.map((tx) => ({ ...tx, entries: byTx.get(tx.seq) ?? [] }));
}

function writes(before: LedgerState, after: LedgerState): readonly Write[] {
  const txs = after.txs.changedSince(before.txs).toSorted((a, b) => a.seq - b.seq);
  return [
    sql.ACCOUNT.upsert(after.accounts.changedSince(before.accounts)),
    sql.TX.insert(txs),
    sql.LEDGER_ENTRY.insert(
      txs.flatMap(({ seq, entries }) => entries.map((entry, leg) => ({ ...entry, txSeq: seq, leg }))),
    ),
    sql.HOLD.upsert(after.holds.changedSince(before.holds)),
    sql.LEDGER_AUDIT.insert(after.audits.map((audit) => ({ ...audit, isOk: audit.findings.length === 0 }))),
    sql.LEDGER_HEAD.upsert(after.head === before.head ? [] : [after.head]),
  ];
}
