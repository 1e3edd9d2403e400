import type { ServerResponse } from 'node:http';

const PIECE_BYTES = 65_536;
/** Over all answers, in one turn of the event loop: half a megabyte is copied to the system in less than a millisecond. */
const PIECES_PER_TURN = 8;

interface Rest {
  readonly response: ServerResponse;
  readonly bytes: Uint8Array;
  /** Told whenever the caller has taken a piece that it did not take at once. */
  readonly taken: () => void;
  sent: number;
}

export function isLong(bytesOut: number): boolean {
  return bytesOut > PIECE_BYTES;
}

/** Answers that are sent piece by piece, in turns: however many callers ask for them, other calls come in between. */
export class LongAnswers {
  readonly #ready: Rest[] = [];
  #isPlanned = false;

  /** The head of the answer was written; its body follows and ends it. */
  send(response: ServerResponse, bytes: Uint8Array, taken: () => void): void {
    const rest: Rest = { response, bytes, taken, sent: 0 };
    // Without a connection it waits for the answers before it.
    if (response.socket === null) response.once('socket', () => this.#add(rest));
    else this.#add(rest);
  }

  #add(rest: Rest): void {
    this.#ready.push(rest);
    this.#plan();
  }

  #plan(): void {
    if (this.#isPlanned || this.#ready.length === 0) return;
    this.#isPlanned = true;
    setImmediate(() => {
      for (const rest of this.#ready.splice(0, PIECES_PER_TURN)) this.#write(rest);
      this.#isPlanned = false;
      this.#plan();
    });
  }

  #write(rest: Rest): void {
    const { response, bytes } = rest;
    if (response.destroyed) return;
    const piece = bytes.subarray(rest.sent, rest.sent + PIECE_BYTES);
    rest.sent += piece.length;
    if (rest.sent === bytes.length) return void response.end(piece);
    if (response.write(piece)) return this.#add(rest);
    response.once('drain', () => {
      rest.taken();
      this.#add(rest);
    });
  }
}
