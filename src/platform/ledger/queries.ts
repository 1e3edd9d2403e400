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
  readonly idem: string;
  /** JSON text. */
  readonly meta: string;
  readonly prevHash: string;
  readonly hash: string;
}

export interface StatementFilter {
  readonly kind?: string | undefined;
  readonly capability?: string | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** The newest lines of a wallet before a transaction, newest first; one more than the limit where there are more. */
export async function readStatement(
  store: Pick<Store, 'read'>,
  agentId: string,
  { beforeSeq, limit, ...filter }: StatementFilter & { readonly beforeSeq: number; readonly limit: number },
): Promise<readonly StatementLine[]> {
  const from = [walletOf(agentId), beforeSeq, limit + 1];
  const { kind = '', capability, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER } = filter;
  if (Object.values(filter).every((value) => value === undefined)) return store.read(sql.STATEMENT, from);
  const part = capability === undefined ? '%' : `%"capability":"${capability}"%`;
  return store.read(sql.STATEMENT_WHERE, [...from, kind, fromMs, toMs, part]);
}

/** The kinds among the newest thousand movements of a wallet: all would take longer than the page itself. */
export async function readKinds(store: Pick<Store, 'read'>, agentId: string): Promise<string[]> {
  return (await store.read(sql.KINDS_OF_ACCOUNT, [walletOf(agentId)])).map(({ kind }) => kind);
}

/** The capability that a transaction paid for, by its JSON text. */
export function capabilityOf(meta: string): string | null {
  return /"capability":"([\w.-]+)"/.exec(meta)?.[1] ?? null;
}

/** What a wallet gained in each transaction between two, newest first. */
export function readMoved(
  store: Pick<Store, 'read'>,
  agentId: string,
  { afterSeq, beforeSeq, limit }: { readonly afterSeq: number; readonly beforeSeq: number; readonly limit: number },
) {
  return store.read(sql.MOVED_BETWEEN, [walletOf(agentId), afterSeq, beforeSeq, limit]);
}

/** The newest transactions of a wallet, each with the moment of its cause. */
export function readCaused(store: Pick<Store, 'read'>, agentId: string, limit: number) {
  return store.read(sql.CAUSED, [walletOf(agentId), limit]);
}

/** When the ledger was sealed up to which transaction, from one on, oldest first. */
export function readSeals(store: Pick<Store, 'read'>, fromSeq: number) {
  return store.read(sql.SEALED_AUDITS_FROM, [fromSeq]);
}
