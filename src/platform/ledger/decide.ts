import { canonicalJson } from '#kernel/canonical-json.ts';
import type { Decision } from '#platform/storage/store.ts';
import type {
  CaptureCommand,
  Entry,
  Hold,
  HoldCommand,
  LedgerAccount,
  LedgerAudit,
  LedgerCommand,
  LedgerRefusal,
  LedgerResult,
  LedgerState,
  Leg,
  PostCommand,
  ReverseCommand,
} from './state.ts';
import { chainHash, fingerprintOf } from './chain.ts';

export type LedgerDecision = Decision<LedgerState, LedgerResult>;

const WALLET = 'wallet:';
const RECEIVABLE = 'receivable:';

export function walletOf(agentId: string): string {
  return WALLET + agentId;
}

export function receivableOf(agentId: string): string {
  return RECEIVABLE + agentId;
}

/** Judges one command: refusals are results, and what was done before under the same key is answered as then. */
export function decide(state: LedgerState, nowMs: number, command: LedgerCommand): LedgerDecision {
  switch (command.type) {
    case 'post':
      return post(state, nowMs, command);
    case 'hold':
      return hold(state, nowMs, command);
    case 'capture':
      return capture(state, nowMs, command);
    case 'release':
      return release(state, command.holdId);
    case 'reverse':
      return reverse(state, nowMs, command);
    case 'open':
      return open(state, command.agentId);
    case 'freeze':
      return freeze(state, command.agentId, command.frozen);
    case 'expire':
      return expire(state, Math.min(nowMs, command.dueBeforeMs));
    case 'audited':
      return audited(state, nowMs, command.report);
  }
}

/** A hold that ended frees its money before the legs are looked at. */
interface Posting extends PostCommand {
  readonly frees?: { readonly hold: Hold; readonly captured: number };
  /** A capture or a correction is not stopped by a freeze that came later. */
  readonly passesFreeze?: true;
}

function post(given: LedgerState, nowMs: number, posting: Posting): LedgerDecision {
  const { kind, idem, ref, legs, txId } = posting;
  const named = legs.flatMap(({ account, restTo }) => [account, ...(restTo === undefined ? [] : [restTo])]);
  const wallet = named.find((account) => account.startsWith(WALLET));
  const asked = fingerprintOf(kind, ref, legs.map(askedLeg));
  const known = given.txs.get(idem);
  if (known !== undefined) {
    const isSame = (askedOf(known.meta) ?? known.fingerprint) === asked;
    return isSame
      ? done(given, { txId: known.id, wallet, replayed: true })
      : refused(given, 'idempotency_conflict', wallet);
  }
  if (given.head.isHalted) return refused(given, 'ledger_halted', wallet);
  if (legs.length < 2 || legs.some(({ amountMicro }) => !Number.isSafeInteger(amountMicro) || amountMicro === 0)) {
    return refused(given, legs.length < 2 ? 'unbalanced' : 'bad_amount', wallet);
  }
  // Exact: a sum of numbers beyond 2^53 would be rounded to a balance that is none.
  if (legs.reduce((sum, { amountMicro }) => sum + BigInt(amountMicro), 0n) !== 0n) {
    return refused(given, 'unbalanced', wallet);
  }
  const freed = posting.frees === undefined ? given : ended(given, posting.frees.hold, posting.frees.captured);
  const moved = move(freed, posting);
  if (typeof moved === 'string') return refused(given, moved, wallet);
  const fingerprint = fingerprintOf(
    kind,
    ref,
    moved.entries.map(({ account, amountMicro }) => [account, amountMicro]),
  );
  const meta = canonicalJson({ ...posting.meta, ...(asked !== fingerprint && { asked }) });
  const { seq, hash: prevHash } = given.head;
  const tx = { seq: seq + 1, id: txId, kind, idem, fingerprint, ref, atMs: nowMs, meta, prevHash };
  const kept = { ...tx, hash: chainHash(prevHash, tx), entries: moved.entries };
  const state = {
    ...moved.state,
    txs: moved.state.txs.with(idem, kept),
    txsById: moved.state.txsById.with(txId, kept),
    head: { ...given.head, seq: kept.seq, hash: kept.hash },
  };
  return done(state, { txId, wallet, replayed: false, ...(posting.frees && { holdId: posting.frees.hold.id }) });
}

/** As asked, before what an account could not give went elsewhere. */
function askedLeg({ account, amountMicro, restTo }: Leg): readonly [string, number] {
  return [restTo === undefined ? account : `${account} ${restTo}`, amountMicro];
}

function askedOf(meta: string): string | undefined {
  return (JSON.parse(meta) as { asked?: string }).asked;
}

function move(
  given: LedgerState,
  { legs, passesFreeze }: Posting,
): { state: LedgerState; entries: readonly Entry[] } | LedgerRefusal {
  let accounts = given.accounts;
  const entries: Entry[] = [];
  for (const leg of legs) {
    const account = accounts.get(leg.account);
    if (account === undefined) return 'no_account';
    const isTaken = leg.amountMicro > 0 === (account.side === 'credit');
    if (isTaken && account.isFrozen && leg.restTo === undefined && passesFreeze === undefined) return 'wallet_frozen';
    for (const [id, amountMicro] of shares(
      leg,
      isTaken ? Math.max(0, availableOf(account)) : Number.POSITIVE_INFINITY,
    )) {
      const before = accounts.get(id);
      if (before === undefined) return 'no_account';
      const posted = before.posted + (before.side === 'debit' ? amountMicro : -amountMicro);
      if (!Number.isSafeInteger(posted)) return 'bad_amount';
      accounts = accounts.with(id, { ...before, posted });
      entries.push({ account: id, amountMicro, balanceAfter: posted });
    }
  }
  const isOverdrawn = entries.some(({ account }) => {
    const after = accounts.get(account) as LedgerAccount;
    return after.noOverdraft && availableOf(after) < 0;
  });
  return isOverdrawn ? 'insufficient_funds' : { state: { ...given, accounts }, entries };
}

/** What goes to the account of a leg and what to the one that takes the rest. */
function shares({ account, amountMicro, restTo }: Leg, most: number): (readonly [id: string, amountMicro: number])[] {
  if (restTo === undefined) return [[account, amountMicro]];
  const own = Math.sign(amountMicro) * Math.min(Math.abs(amountMicro), most);
  const both = [[account, own] as const, [restTo, amountMicro - own] as const];
  return both.filter(([, amount]) => amount !== 0);
}

function hold(given: LedgerState, nowMs: number, command: HoldCommand): LedgerDecision {
  const { holdId, agentId, amountMicro, idem, ref, lifeMs, upTo } = command;
  const wallet = walletOf(agentId);
  const fingerprint = fingerprintOf('hold', ref, [[wallet, amountMicro]]);
  const known = given.holds.get(given.holdsByIdem.get(idem)?.id ?? '');
  if (known !== undefined) {
    if (known.fingerprint !== fingerprint) return refused(given, 'idempotency_conflict', wallet);
    return done(given, { wallet, holdId: known.id, replayed: true });
  }
  if (given.head.isHalted) return refused(given, 'ledger_halted', wallet);
  if (!Number.isSafeInteger(amountMicro) || amountMicro <= 0) return refused(given, 'bad_amount', wallet);
  const account = given.accounts.get(wallet);
  if (account === undefined) return refused(given, 'no_account', wallet);
  if (account.isFrozen && !upTo) return refused(given, 'wallet_frozen', wallet);
  const amount = upTo ? Math.min(amountMicro, availableOf(account)) : amountMicro;
  if (amount > availableOf(account)) return refused(given, 'insufficient_funds', wallet);
  if (amount === 0) return done(given, { wallet, replayed: false });
  const expiresAtMs = lifeMs === null ? null : nowMs + lifeMs;
  const made = { id: holdId, account: wallet, amount, captured: 0, idem, fingerprint, ref, expiresAtMs, atMs: nowMs };
  const state = {
    ...given,
    accounts: given.accounts.with(wallet, { ...account, held: account.held + amount }),
    holds: given.holds.with(holdId, { ...made, status: 'pending' }),
    holdsByIdem: given.holdsByIdem.with(idem, { id: holdId }),
  };
  return done(state, { wallet, holdId, replayed: false });
}

function capture(given: LedgerState, nowMs: number, command: CaptureCommand): LedgerDecision {
  const { holdId, amountMicro, whenGone, legs, ...rest } = command;
  const held = given.holds.get(holdId);
  if (held === undefined) return refused(given, 'hold_unknown');
  const { account, ref } = held;
  const idem = `cap:${holdId}`;
  const known = given.txs.get(idem);
  if (held.status === 'captured' && known !== undefined) {
    if (held.captured !== amountMicro) return refused(given, 'idempotency_conflict', account);
    return done(given, { txId: known.id, holdId, wallet: account, replayed: true });
  }
  if (held.status === 'voided') return refused(given, 'hold_voided', account);
  if (held.status === 'expired' && whenGone !== 'post') return refused(given, 'hold_expired', account);
  if (!Number.isSafeInteger(amountMicro) || amountMicro <= 0) return refused(given, 'bad_amount', account);
  if (amountMicro > held.amount) return refused(given, 'exceeds_hold', account);
  const ofWallet =
    held.status === 'expired' ? { account, amountMicro, restTo: 'expense:overrun' } : { account, amountMicro };
  return post(given, nowMs, {
    ...rest,
    idem,
    ref,
    legs: [ofWallet, ...legs],
    passesFreeze: true,
    frees: { hold: held, captured: amountMicro },
  });
}

/** Ends a hold; its money is free again where it was still held. */
function ended(state: LedgerState, held: Hold, captured: number, status: Hold['status'] = 'captured'): LedgerState {
  const account = state.accounts.get(held.account) as LedgerAccount;
  const accounts =
    held.status === 'pending'
      ? state.accounts.with(account.id, { ...account, held: account.held - held.amount })
      : state.accounts;
  return { ...state, accounts, holds: state.holds.with(held.id, { ...held, captured, status }) };
}

function release(given: LedgerState, holdId: string): LedgerDecision {
  const held = given.holds.get(holdId);
  if (held === undefined) return refused(given, 'hold_unknown');
  const of = { holdId, wallet: held.account };
  if (held.status !== 'pending') return done(given, { ...of, replayed: true });
  if (given.head.isHalted) return refused(given, 'ledger_halted', held.account);
  return done(ended(given, held, 0, 'voided'), { ...of, replayed: false });
}

/** The opposite legs. Money that is no longer in the wallet becomes a receivable, and one that was paid becomes money. */
function reverse(given: LedgerState, nowMs: number, { of, meta, ...rest }: ReverseCommand): LedgerDecision {
  const undone = given.txsById.get(of);
  if (undone === undefined) return refused(given, 'tx_unknown');
  const legs = undone.entries.map(({ account, amountMicro }) => {
    const restTo = pairOf(account);
    return { account, amountMicro: -amountMicro, ...(restTo !== undefined && { restTo }) };
  });
  return post(given, nowMs, { ...rest, ref: undone.ref, legs, meta: { ...meta, reverses: of }, passesFreeze: true });
}

function pairOf(account: string): string | undefined {
  if (account.startsWith(WALLET)) return receivableOf(account.slice(WALLET.length));
  return account.startsWith(RECEIVABLE) ? walletOf(account.slice(RECEIVABLE.length)) : undefined;
}

function open(given: LedgerState, agentId: string): LedgerDecision {
  const wallet = walletOf(agentId);
  if (given.accounts.get(wallet) !== undefined) return done(given, { wallet, replayed: true });
  const empty = { currency: 'EUR', posted: 0, held: 0, noOverdraft: true, isFrozen: false };
  const receivable = receivableOf(agentId);
  const accounts = given.accounts
    .with(wallet, { ...empty, id: wallet, side: 'credit' })
    .with(receivable, { ...empty, id: receivable, side: 'debit' });
  return done({ ...given, accounts }, { wallet, replayed: false });
}

function freeze(given: LedgerState, agentId: string, isFrozen: boolean): LedgerDecision {
  const wallet = walletOf(agentId);
  const account = given.accounts.get(wallet);
  if (account === undefined) return refused(given, 'no_account');
  if (account.isFrozen === isFrozen) return done(given, { wallet, replayed: true });
  const accounts = given.accounts.with(wallet, { ...account, isFrozen });
  return done({ ...given, accounts }, { wallet, replayed: false });
}

/** `replayed` says that there was nothing to do. */
function expire(given: LedgerState, untilMs: number): LedgerDecision {
  const isOver = ({ status, expiresAtMs }: Hold) =>
    status === 'pending' && expiresAtMs !== null && expiresAtMs <= untilMs;
  const over = given.head.isHalted ? [] : given.due.map((id) => given.holds.get(id) as Hold).filter(isOver);
  const state = over.reduce((after, held) => ended(after, held, 0, 'expired'), given);
  return done(state, { replayed: over.length === 0 });
}

/** A report with findings halts the ledger; only one of the whole ledger without any lets it go on. */
function audited(given: LedgerState, nowMs: number, report: LedgerAudit): LedgerDecision {
  const isSound = report.findings.length === 0;
  const isHalted = !isSound || (report.scope === 'tail' && given.head.isHalted);
  const head = isHalted === given.head.isHalted ? given.head : { ...given.head, isHalted };
  return done({ ...given, head, audits: [...given.audits, { ...report, atMs: nowMs }] }, { replayed: false });
}

function availableOf({ posted, held }: LedgerAccount): number {
  return posted - held;
}

interface Done {
  readonly txId?: string | null;
  readonly holdId?: string | null;
  readonly wallet?: string | undefined;
  readonly replayed: boolean;
}

function done(state: LedgerState, { txId = null, holdId = null, wallet, replayed }: Done): LedgerDecision {
  const account = wallet === undefined ? undefined : state.accounts.get(wallet);
  const balance = account === undefined ? null : { postedMicro: account.posted, heldMicro: account.held };
  return { state, result: { type: 'done', txId, holdId, replayed, balance } };
}

function refused(state: LedgerState, code: LedgerRefusal, wallet?: string): LedgerDecision {
  const account = wallet === undefined ? undefined : state.accounts.get(wallet);
  return { state, result: { type: 'refused', code, availableMicro: account === undefined ? 0 : availableOf(account) } };
}
