import type { Reading } from '#platform/storage/store.ts';
import { integer, query } from '#platform/storage/table.ts';
import { chainHash, fingerprintOf, GENESIS } from './chain.ts';
import * as sql from './sql.ts';
import type { AuditScope, LedgerAudit, Tx } from './state.ts';
import { withEntries } from './unit.ts';

const PAGE = 1_000;
/** What is wrong everywhere need not be said everywhere. */
const MAX_FINDINGS = 100;

/**
 * What another module knows: its query gives as `amount` what was posted to the card processor under a kind, or what open
 * holds whose idempotency keys begin alike come to.
 */
export type AuditCheck = { readonly sql: string } & ({ readonly kind: string } | { readonly holds: string });

export interface LedgerAuditRequest {
  readonly scope: AuditScope;
  readonly from: { readonly seq: number; readonly hash: string } | null;
  readonly checks: readonly AuditCheck[];
}

/** Told how many transactions were audited, and how many there are. */
export type AuditProgress = (done: number, total: number) => void;

/** Judges the stored ledger from its rows alone. Each query sees one moment, so that calls may go on meanwhile. */
export async function auditLedger(
  reader: Reading,
  { scope, from, checks }: LedgerAuditRequest,
  onProgress?: AuditProgress,
): Promise<LedgerAudit> {
  const [head] = await reader.read(sql.HEAD_NOW);
  const findings: string[] = [];
  const { seq: uptoSeq, hash: uptoHash } = head ?? { seq: 0, hash: '' };
  const walk = { seq: from?.seq ?? 0, hash: from?.hash ?? GENESIS };
  if (walk.seq > uptoSeq)
    findings.push(`the head stands at ${uptoSeq}, before transaction ${walk.seq} that was audited`);
  // Running balances, known only where the walk has the beginning.
  const balances = walk.seq === 0 ? await sides(reader) : null;
  let checked = 0;
  while (walk.seq < uptoSeq) {
    const txs = await page(reader, walk.seq, Math.min(walk.seq + PAGE, uptoSeq));
    for (const tx of txs) {
      findings.push(...judged(tx, walk), ...(balances === null ? [] : unbalanced(tx, balances)));
      [walk.seq, walk.hash] = [tx.seq, tx.hash];
      checked += 1;
    }
    onProgress?.(walk.seq, uptoSeq);
    if (txs.length === 0) {
      findings.push(`transactions ${walk.seq + 1} to ${uptoSeq} are missing`);
      break;
    }
  }
  if (walk.seq === uptoSeq && walk.hash !== uptoHash)
    findings.push('the head does not hold the hash of the last transaction');
  for (const check of [...sql.BALANCE_CHECKS, ...(from === null ? sql.ROW_CHECKS : [])]) {
    const rows = await reader.read(check);
    findings.push(...rows.slice(0, MAX_FINDINGS).map(({ finding }) => finding));
  }
  for (const check of checks) findings.push(...(await reconciled(reader, check)));
  return { scope, uptoSeq, uptoHash, checked, findings: findings.slice(0, MAX_FINDINGS) };
}

async function page(reader: Reading, after: number, upto: number): Promise<Tx[]> {
  const [txs, entries] = [
    await reader.read(sql.TXS_BETWEEN, [after, upto]),
    await reader.read(sql.LEDGER_ENTRIES_BETWEEN, [after, upto]),
  ];
  return withEntries(txs, entries);
}

function judged(tx: Tx, before: { readonly seq: number; readonly hash: string }): string[] {
  const { seq, kind, ref, entries } = tx;
  const legs = entries.map(({ account, amountMicro }) => [account, amountMicro] as const);
  const faults: readonly (readonly [boolean, string])[] = [
    [seq !== before.seq + 1, `does not follow transaction ${before.seq}`],
    [tx.prevHash !== before.hash, 'names another hash before it than there is'],
    [chainHash(tx.prevHash, tx) !== tx.hash, 'does not have the hash of what it says'],
    [fingerprintOf(kind, ref, legs) !== tx.fingerprint, 'has other legs than those that were posted'],
  ];
  return faults.filter(([isFault]) => isFault).map(([, what]) => `transaction ${seq} ${what}`);
}

/** Two queries see two moments: only what differs again and again is a finding. */
const RECONCILE_TRIES = 5;

async function reconciled(reader: Reading, check: AuditCheck): Promise<string[]> {
  const [ours, of, what] =
    'kind' in check
      ? [sql.CARD_SUM_OF_KIND, check.kind, 'psp:stripe has']
      : [sql.OPEN_HOLDS_FROM, check.holds, 'holds have'];
  for (let turn = 1; ; turn += 1) {
    const [[held], [known]] = [
      await reader.read(ours, [of]),
      await reader.read(query(check.sql, { amount: integer() })),
    ];
    if (held?.amount === known?.amount) return [];
    if (turn === RECONCILE_TRIES) return [`${what} ${held?.amount} of ${of}, not ${known?.amount}`];
  }
}

interface Running {
  readonly side: string;
  posted: number;
}

async function sides(reader: Reading): Promise<Map<string, Running>> {
  return new Map((await reader.read(sql.SIDES)).map(({ id, side }) => [id, { side, posted: 0 }]));
}

function unbalanced({ seq, entries }: Tx, balances: Map<string, Running>): string[] {
  return entries.flatMap(({ account, amountMicro, balanceAfter }) => {
    const running = balances.get(account);
    // Opened while the audit ran.
    if (running === undefined) return [];
    running.posted += running.side === 'debit' ? amountMicro : -amountMicro;
    const isRight = running.posted === balanceAfter;
    return isRight
      ? []
      : [`transaction ${seq} says that ${account} had ${balanceAfter} after it, not ${running.posted}`];
  });
}
