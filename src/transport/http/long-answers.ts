import type { ServerResponse } from 'node:http';

const PIECE_BYTES = 65_536;
/** Over all answers, in one turn of the event loop: half a megabyte is copied to the system in less than a millisecond. */
const PIECES_PER_TURN = 8;
const REFILL_MS = 20;
/** Of one address: more than its steady rate allows in that time. */
const PIECES_PER_REFILL = 8;
const MAX_ACCOUNTS = 1_000;

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
  /** Told whenever the caller has taken a piece that it did not take at once. */
  readonly taken: () => void;
  sent: number;
}

/** What one address was sent. */
interface Account {
  /** When all of it would have been sent at the steady rate. */
  paidMs: number;
  /** Answers that wait until more may be sent. */
  readonly waiting: Rest[];
}

export function isLong(bytesOut: number): boolean {
  return bytesOut > PIECE_BYTES;
}

/**
 * Answers that are sent piece by piece, in turns: however many callers ask for them, other calls come in between. An
 * address that asks for more than its share waits for it, and what it takes meanwhile earns it no further time.
 */
export class LongAnswers {
  readonly #monotonicMs: () => number;
  readonly #limits: LongAnswerLimits;
  readonly #accounts = new Map<string, Account>();
  #ready: Rest[] = [];
  #isPlanned = false;
  #isRefillDue = false;

  constructor(monotonicMs: () => number, limits: LongAnswerLimits = LONG_ANSWER_LIMITS) {
    this.#monotonicMs = monotonicMs;
    this.#limits = limits;
  }

  /** The head of the answer was written; its body follows and ends it. */
  send(response: ServerResponse, { bytes, address, taken }: Pick<Rest, 'bytes' | 'taken'> & { address: string }): void {
    const rest: Rest = { response, bytes, account: this.#accountOf(address), taken, sent: 0 };
    // Without a connection it waits for the answers before it.
    if (response.socket === null) response.once('socket', () => this.#add(rest));
    else this.#add(rest);
  }

  #accountOf(address: string): Account {
    const known = this.#accounts.get(address);
    if (known !== undefined) return known;
    if (this.#accounts.size >= MAX_ACCOUNTS) this.#forgetQuiet();
    const account: Account = { paidMs: 0, waiting: [] };
    this.#accounts.set(address, account);
    return account;
  }

  /** Those that may be sent a whole burst again. */
  #forgetQuiet(): void {
    const nowMs = this.#monotonicMs();
    for (const [address, { paidMs, waiting }] of this.#accounts) {
      if (paidMs <= nowMs && waiting.length === 0) this.#accounts.delete(address);
    }
  }

  #add(rest: Rest): void {
    if (this.#waitMs(rest.account) > 0) {
      rest.account.waiting.push(rest);
      this.#planRefill();
    } else {
      this.#ready.push(rest);
      this.#plan();
    }
  }

  #plan(): void {
    if (this.#isPlanned || this.#ready.length === 0) return;
    this.#isPlanned = true;
    setImmediate(() => {
      const [now, later] = [this.#ready.slice(0, PIECES_PER_TURN), this.#ready.slice(PIECES_PER_TURN)];
      this.#ready = later;
      for (const rest of now) this.#write(rest);
      this.#isPlanned = false;
      this.#plan();
    });
  }

  #write(rest: Rest): void {
    const { response, bytes, account } = rest;
    if (response.destroyed) return;
    const piece = bytes.subarray(rest.sent, rest.sent + PIECE_BYTES);
    rest.sent += piece.length;
    account.paidMs =
      Math.max(account.paidMs, this.#monotonicMs()) + (piece.length * 1_000) / this.#limits.bytesPerSecond;
    if (rest.sent === bytes.length) return void response.end(piece);
    if (response.write(piece)) return this.#add(rest);
    response.once('drain', () => {
      if (account.waiting.length === 0 && this.#waitMs(account) <= 0) rest.taken();
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
      for (const account of this.#accounts.values()) this.#resume(account);
    };
    setTimeout(refill, REFILL_MS).unref();
  }

  #resume(account: Account): void {
    if (this.#waitMs(account) > 0) return this.#planRefill();
    for (const rest of account.waiting.splice(0, PIECES_PER_REFILL)) this.#add(rest);
    if (account.waiting.length > 0) this.#planRefill();
  }
}
