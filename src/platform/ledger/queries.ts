import type { Store } from '#platform/storage/store.ts';
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
  const accounts = await store.read(sql.ACCOUNTS_OF_AGENT, [walletOf(agentId), receivableOf(agentId)]);
  const wallet = accounts.find(({ id }) => id === walletOf(agentId));
  const receivable = accounts.find(({ id }) => id === receivableOf(agentId));
  return {
    postedMicro: wallet?.posted ?? 0,
    heldMicro: wallet?.held ?? 0,
    receivableMicro: receivable?.posted ?? 0,
    isFrozen: wallet?.isFrozen ?? false,
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
): Promise<readonly StatementLine[]> {
  const from = [walletOf(agentId), beforeSeq, limit + 1];
  return kind === undefined ? store.read(sql.STATEMENT, from) : store.read(sql.STATEMENT_OF_KIND, [...from, kind]);
}

/** The kinds among the newest thousand movements of a wallet: all would take longer than the page itself. */
export async function readKinds(store: Pick<Store, 'read'>, agentId: string): Promise<string[]> {
  return (await store.read(sql.KINDS_OF_ACCOUNT, [walletOf(agentId)])).map(({ kind }) => kind);
}

export interface Spent {
  readonly atMs: number;
  /** The capability where it was one, else the kind of movement. */
  readonly what: string;
  readonly amountMicro: number;
}

/** What a wallet paid since a moment, newest first. */
export async function readSpent(store: Pick<Store, 'read'>, agentId: string, sinceMs: number): Promise<Spent[]> {
  return (await store.read(sql.SPENT_SINCE, [walletOf(agentId), sinceMs])).map(({ atMs, kind, meta, amountMicro }) => ({
    atMs,
    what: /"capability":"([\w.-]+)"/.exec(meta)?.[1] ?? kind,
    amountMicro,
  }));
}
