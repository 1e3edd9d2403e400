import type { IncomingMessage, ServerResponse } from 'node:http';
import { Connection } from './connection.ts';

/** So long calls may begin in one turn of the event loop; those of a usual turn take less. */
const TURN_MS = 10;

type Begin = (request: IncomingMessage, response: ServerResponse) => void;

interface WaitingCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The waiting calls of one address. */
interface Line {
  readonly calls: WaitingCall[];
  hadTurn: boolean;
}

/**
 * Lets calls begin as they come, until those of one turn of the event loop have taken too long. The others begin in the turns after
 * it: addresses one after the other, first those that had no turn yet, so that nobody waits for all that others asked for at once.
 */
export class CallTurns {
  readonly #monotonicMs: () => number;
  readonly #addressOf: (request: IncomingMessage) => string;
  readonly #begin: Begin;
  /** Of every address that had a call waiting since the last time when none waited. */
  readonly #lines = new Map<string, Line>();
  readonly #fresh: Line[] = [];
  readonly #served: Line[] = [];
  /** Until when calls may begin in this turn; undefined before the first of them. */
  #untilMs: number | undefined;

  constructor(monotonicMs: () => number, addressOf: (request: IncomingMessage) => string, begin: Begin) {
    this.#monotonicMs = monotonicMs;
    this.#addressOf = addressOf;
    this.#begin = begin;
  }

  /** The calls of one address begin in the order in which they came. */
  take(request: IncomingMessage, response: ServerResponse): void {
    if (this.#lines.size === 0 && this.#hasTime()) this.#begin(request, response);
    else this.#wait({ request, response });
  }

  #hasTime(): boolean {
    const nowMs = this.#monotonicMs();
    if (this.#untilMs === undefined) {
      this.#untilMs = nowMs + TURN_MS;
      setImmediate(() => this.#nextTurn());
    }
    return nowMs < this.#untilMs;
  }

  #wait(call: WaitingCall): void {
    // What comes behind it on its connection may be broken: its answer goes out before that is said.
    Connection.of(call.request.socket).coming = call;
    const address = this.#addressOf(call.request);
    let line = this.#lines.get(address);
    if (line === undefined) {
      line = { calls: [], hadTurn: false };
      this.#lines.set(address, line);
    }
    line.calls.push(call);
    if (line.calls.length === 1) (line.hadTurn ? this.#served : this.#fresh).push(line);
  }

  #nextTurn(): void {
    this.#untilMs = undefined;
    while (this.#lines.size > 0 && this.#hasTime()) this.#beginNext();
  }

  #beginNext(): void {
    const line = this.#fresh.shift() ?? this.#served.shift();
    const call = line?.calls.shift();
    if (line === undefined || call === undefined) return this.#lines.clear();
    line.hadTurn = true;
    if (line.calls.length > 0) this.#served.push(line);
    if (!call.request.socket.destroyed) this.#begin(call.request, call.response);
  }
}
