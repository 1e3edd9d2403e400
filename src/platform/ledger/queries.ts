import type { Row, Store } from '#platform/storage/store.ts';
import { receivableOf, walletOf } from './decide.ts';
import * as sql from './sql.ts';

export interface WalletReading {
  readonly postedMicro: number;
  readonly heldMicro: number;
  readonly receivableMicro: number;
  readonly isFrozen: boolean;
}

/** Wallet and receivable at one moment. */
export async function readWallet(store: Pick<Store, 'read'>, agentId: string): Promise<WalletReading> {
  const rows = await store.read(sql.ACCOUNTS_OF_AGENT, [walletOf(agentId), receivableOf(agentId)]);
  const wallet = rows.find((row) => row['id'] === walletOf(agentId));
  const receivable = rows.find((row) => row['id'] === receivableOf(agentId));
  return {
    postedMicro: (wallet?.['posted'] ?? 0) as number,
    heldMicro: (wallet?.['held'] ?? 0) as number,
    receivableMicro: (receivable?.['posted'] ?? 0) as number,
    isFrozen: wallet?.['frozen'] === 1,
  };
}

export interface StatementLine {
  readonly seq: number;
  readonly txId: string;
  readonly atMs: number;
  readonly kind: string;
  readonly ref: string | null;
  /** What the wallet gained. */
  readonly amountMicro: number;
  readonly balanceAfterMicro: number;
  readonly hash: string;
}

/** The newest lines of a wallet before a transaction, newest first; one more than the limit where there are more. */
export async function readStatement(
  store: Pick<Store, 'read'>,
  agentId: string,
  {
    beforeSeq,
    limit,
    kind,
  }: { readonly beforeSeq: number; readonly limit: number; readonly kind?: string | undefined },
): Promise<StatementLine[]> {
  const from = [walletOf(agentId), beforeSeq, limit + 1];
  const rows =
    kind === undefined ? store.read(sql.STATEMENT, from) : store.read(sql.STATEMENT_OF_KIND, [...from, kind]);
  return (await rows).map(lineOf);
}

/** The kinds among the newest thousand movements of a wallet: all would take longer than the page itself. */
export async function readKinds(store: Pick<Store, 'read'>, agentId: string): Promise<string[]> {
  return (await store.read(sql.KINDS_OF_ACCOUNT, [walletOf(agentId)])).map((row) => row['kind'] as string);
}

export interface Spent {
  readonly atMs: number;
  /** The capability where it was one, else the kind of movement. */
  readonly what: string;
  readonly amountMicro: number;
}

/** What a wallet paid since a moment, newest first. */
export async function readSpent(store: Pick<Store, 'read'>, agentId: string, sinceMs: number): Promise<Spent[]> {
  return (await store.read(sql.SPENT_SINCE, [walletOf(agentId), sinceMs])).map((row) => ({
    atMs: row['at'] as number,
    what: /"capability":"([\w.-]+)"/.exec(row['meta'] as string)?.[1] ?? (row['kind'] as string),
    amountMicro: row['amount'] as number,
  }));
}

function lineOf(row: Row): StatementLine {
  return {
    seq: row['tx_seq'] as number,
    txId: row['id'] as string,
    atMs: row['at'] as number,
    kind: row['kind'] as string,
    ref: row['ref'] as string | null,
    amountMicro: -(row['amount'] as number),
    balanceAfterMicro: row['balance_after'] as number,
    hash: row['hash'] as string,
  };
}
