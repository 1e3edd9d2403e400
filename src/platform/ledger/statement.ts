import { isoTime } from '#kernel/clock.ts';
import { writeCsv } from '#kernel/csv.ts';
import type { StatementLine } from './queries.ts';
import { formatEur } from './steps.ts';

export const CSV = 'text/csv; charset=utf-8';
const COLUMNS = ['seq', 'tx_id', 'at', 'kind', 'ref', 'amount_eur', 'balance_after_eur', 'hash'] as const;

export type StatementItem = ReturnType<typeof statementItem>;

/** A movement as its agent and its owner are shown it. */
export function statementItem(line: Omit<StatementLine, 'idem' | 'meta' | 'prevHash'>) {
  const { seq, txId, atMs, kind, ref, amountMicro, balanceAfterMicro, hash } = line;
  return {
    seq,
    tx_id: txId,
    at: isoTime(atMs),
    kind,
    ref,
    amount_eur: formatEur(amountMicro),
    balance_after_eur: formatEur(balanceAfterMicro),
    hash,
  };
}

export function statementCsv(items: readonly StatementItem[]): string {
  return writeCsv([COLUMNS, ...items.map((item) => COLUMNS.map((name) => item[name]))]);
}

/** The entries of several wallets, each with whose it is. */
export function statementsCsv(items: readonly (StatementItem & { readonly agent_id: string })[]): string {
  return writeCsv([
    ['agent_id', ...COLUMNS],
    ...items.map((item) => [item.agent_id, ...COLUMNS.map((name) => item[name])]),
  ]);
}
