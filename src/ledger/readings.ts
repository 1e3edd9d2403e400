import type { Row, Store } from '#storage/store.ts';
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
  { beforeSeq, limit }: { readonly beforeSeq: number; readonly limit: number },
): Promise<StatementLine[]> {
  return (await store.read(sql.STATEMENT, [walletOf(agentId), beforeSeq, limit + 1])).map(lineOf);
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
