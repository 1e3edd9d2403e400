import type { ServerResponse } from 'node:http';

const PIECE_BYTES = 65_536;
const REFILL_MS = 20;
const MAX_ACCOUNTS = 1_000;
/** What the system keeps for a caller is filled within milliseconds: a piece that waited for longer was followed by reading. */
const FILLED_WITHIN_MS = 50;
/** More than the system keeps: where so much was sent, some of it was read. */
const SYSTEM_BUFFER_BYTES = 5 * 1024 * 1024;

/** How much of long answers one address gets: so much at once, and so much in each second after that. */
export interface LongAnswerLimits {
  readonly burstBytes: number;
  readonly bytesPerSecond: number;
}

const LONG_ANSWER_LIMITS: LongAnswerLimits = { burstBytes: 32 * 1024 * 1024, bytesPerSecond: 16 * 1024 * 1024 };

interface Rest {
  readonly response: ServerResponse;
  readonly bytes: Uint8Array;
  readonly account: Account;
  /** Told when the connection takes more than the system would keep for a caller that does not read. */
  readonly readsOn: () => void;
  sent: number;
  /** What the system may keep, sent since it was last told. */
  unread: number;
}

/** What one address was sent, and what waits to be sent to it. */
interface Account {
  /** When all of it would have been sent at the steady rate. */
  paidMs: number;
  readonly begun: Rest[];
  readonly fresh: Rest[];
  /** Whether it will have a turn, now or once more may be sent to it. */
  isPlanned: boolean;
}

export function isLong(bytesOut: number): boolean {
  return bytesOut > PIECE_BYTES;
}

/**
 * Answers that are sent piece by piece, one in a turn of the event loop: a turn also accepts one connection, for which callers to
 * come would wait. Addresses take turns too, so that nobody waits for all that others asked for. An address that asks for more than
 * its share waits for it, and gets one answer after the other, so that some are whole.
 */
export class LongAnswers {
  readonly #monotonicMs: () => number;
  readonly #limits: LongAnswerLimits;
  readonly #accounts = new Map<string, Account>();
  /** Those whose turn comes, in this order. */
  readonly #ready: Account[] = [];
  /** Those that have used up their share. */
  #spent: Account[] = [];
  #isTurnDue = false;
  #isRefillDue = false;

  constructor(monotonicMs: () => number, limits: LongAnswerLimits = LONG_ANSWER_LIMITS) {
    this.#monotonicMs = monotonicMs;
    this.#limits = limits;
  }

  /** The head of the answer was written; its body follows and ends it. */
  send(
    response: ServerResponse,
    { bytes, address, readsOn }: Pick<Rest, 'bytes' | 'readsOn'> & { address: string },
  ): void {
    const account = this.#accountOf(address);
    const rest: Rest = { response, bytes, account, readsOn, sent: 0, unread: 0 };
    // Without a connection it waits for the answers before it.
    if (response.socket === null) response.once('socket', () => this.#add(rest));
    else this.#add(rest);
  }

  #accountOf(address: string): Account {
    const known = this.#accounts.get(address);
    if (known !== undefined) return known;
    if (this.#accounts.size >= MAX_ACCOUNTS) this.#forgetQuiet();
    const account: Account = { paidMs: 0, begun: [], fresh: [], isPlanned: false };
    this.#accounts.set(address, account);
    return account;
  }

  /** Those that may be sent a whole burst again. */
  #forgetQuiet(): void {
    const nowMs = this.#monotonicMs();
    for (const [address, { paidMs, isPlanned }] of this.#accounts) {
      if (paidMs <= nowMs && !isPlanned) this.#accounts.delete(address);
    }
  }

  #add(rest: Rest): void {
    const { account, sent } = rest;
    (sent > 0 ? account.begun : account.fresh).push(rest);
    if (account.isPlanned) return;
    account.isPlanned = true;
    this.#ready.push(account);
    this.#planTurn();
  }

  #planTurn(): void {
    if (this.#isTurnDue || this.#ready.length === 0) return;
    this.#isTurnDue = true;
    setImmediate(() => {
      this.#isTurnDue = false;
      this.#serveNext();
      this.#planTurn();
    });
  }

  #serveNext(): void {
    const account = this.#ready.shift();
    if (account === undefined) return;
    if (this.#waitMs(account) > 0) {
      this.#spent.push(account);
      return this.#planRefill();
    }
    const rest = account.begun.shift() ?? account.fresh.shift();
    if (rest !== undefined) this.#write(rest);
    account.isPlanned = account.begun.length + account.fresh.length > 0;
    if (account.isPlanned) this.#ready.push(account);
  }

  #write(rest: Rest): void {
    const { response, bytes, account } = rest;
    if (response.destroyed) return;
    const piece = bytes.subarray(rest.sent, rest.sent + PIECE_BYTES);
    const writtenMs = this.#monotonicMs();
    rest.sent += piece.length;
    rest.unread += piece.length;
    account.paidMs = Math.max(account.paidMs, writtenMs) + (piece.length * 1_000) / this.#limits.bytesPerSecond;
    if (rest.sent === bytes.length) return void response.end(piece);
    if (response.write(piece)) return this.#add(rest);
    response.once('drain', () => {
      const isFilling = this.#monotonicMs() - writtenMs < FILLED_WITHIN_MS && rest.unread < SYSTEM_BUFFER_BYTES;
      if (!isFilling) {
        rest.unread = 0;
        rest.readsOn();
      }
      this.#add(rest);
    });
  }

  /** How long an address has to wait for its next piece. */
  #waitMs({ paidMs }: Account): number {
    const { burstBytes, bytesPerSecond } = this.#limits;
    return paidMs - this.#monotonicMs() - (burstBytes * 1_000) / bytesPerSecond;
  }

  #planRefill(): void {
    if (this.#isRefillDue) return;
    this.#isRefillDue = true;
    const refill = () => {
      this.#isRefillDue = false;
      this.#ready.push(...this.#spent);
      this.#spent = [];
      this.#planTurn();
    };
    setTimeout(refill, REFILL_MS).unref();
  }
}
