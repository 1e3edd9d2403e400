import { isoTime } from '#kernel/clock.ts';
import { writeCsv } from '#kernel/csv.ts';
import type { StatementLine } from './queries.ts';
import { formatEur } from './steps.ts';

export const CSV = 'text/csv; charset=utf-8';
const COLUMNS = ['seq', 'tx_id', 'at', 'kind', 'ref', 'amount_eur', 'balance_after_eur', 'hash'] as const;

export type StatementItem = ReturnType<typeof statementItem>;

/** A movement as its agent and its owner are shown it. */
export function statementItem({ seq, txId, atMs, kind, ref, amountMicro, balanceAfterMicro, hash }: StatementLine) {
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
