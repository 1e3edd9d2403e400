import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Connection, type Reading } from './connection.ts';

/** With what passes until somebody looks, and while the buffers of the system fill, it is less than the twelve seconds promised. */
const LIMIT_MS = 10_000;
/** After a longer rest the system may only have found room for more because others have left. */
const MAX_REST_MS = 5_000;
/** What a turn of the event loop takes beyond it is the service's own time: nobody could read meanwhile. */
const MAX_TURN_MS = 200;
/** Each costs a part of a millisecond, and many may be late at once. */
const DROPPED_PER_TURN = 16;

/**
 * Ends the connections of callers that do not take their answers. What counts is the time of a connection: answers that were asked
 * for together begin no time of their own, whether they wait for their bytes or for their reader.
 */
export class SlowReaders {
  readonly #monotonicMs: () => number;
  readonly #limitMs: number;
  /** The time that callers had to read, up to the last look at the clock. */
  #countedMs = 0;
  #lookedMs: number;
  /** Answers whose turn on their connections has come and that their callers have not taken yet. */
  readonly #untaken = new Map<ServerResponse, Reading>();

  /** @param patience how many times longer than usual a caller may take */
  constructor(monotonicMs: () => number, patience = 1) {
    this.#monotonicMs = monotonicMs;
    this.#limitMs = patience * LIMIT_MS;
    this.#lookedMs = monotonicMs();
  }

  /** An answer was given, and is not sent yet. */
  watch(response: ServerResponse): void {
    // Its turn on the connection has not come.
    if (response.socket === null) response.once('socket', (socket: Socket) => this.#begin(response, socket));
    else this.#begin(response, response.socket);
  }

  /** The connection took more, which shows that its caller reads, unless it had rested too long. */
  readsOn(response: ServerResponse): void {
    const reading = this.#untaken.get(response);
    const nowMs = this.#nowMs();
    if (reading !== undefined && nowMs - reading.sinceMs <= MAX_REST_MS) reading.sinceMs = nowMs;
  }

  /** All that was sent so far was taken, and more may follow. */
  taken(response: ServerResponse): void {
    const reading = this.#untaken.get(response);
    this.#untaken.delete(response);
    if (reading !== undefined) Connection.of(reading.socket).reading = undefined;
  }

  /** The answer was handed to the system. The last one that was asked for ends the time of its connection. */
  sent(response: ServerResponse, connection: Connection, isLast: boolean): void {
    // Nearly all answers are taken at once.
    if (connection.reading === undefined) return;
    const reading = this.#untaken.get(response);
    this.#untaken.delete(response);
    if (isLast) connection.reading = undefined;
    else if (reading !== undefined) reading.sentMs = this.#nowMs();
  }

  /** Asked for often. */
  dropLate(): void {
    const nowMs = this.#nowMs();
    [this.#countedMs, this.#lookedMs] = [nowMs, this.#monotonicMs()];
    const late: Socket[] = [];
    for (const [response, { socket, sinceMs }] of this.#untaken) {
      if (!socket.destroyed && nowMs - sinceMs <= this.#limitMs) continue;
      this.#untaken.delete(response);
      late.push(socket);
    }
    drop(late);
  }

  #nowMs(): number {
    return this.#countedMs + Math.min(MAX_TURN_MS, this.#monotonicMs() - this.#lookedMs);
  }

  #begin(response: ServerResponse, socket: Socket): void {
    if (this.#untaken.has(response)) return;
    const nowMs = this.#nowMs();
    const connection = Connection.of(socket);
    const { sinceMs = nowMs, sentMs = nowMs } = connection.reading ?? {};
    const reading = { socket, sinceMs: nowMs - (sentMs - sinceMs) };
    this.#untaken.set(response, reading);
    connection.reading = reading;
  }
}

function drop(late: Socket[]): void {
  // The system would offer what it keeps for minutes to a connection that is only closed.
  for (const socket of late.splice(0, DROPPED_PER_TURN)) if (!socket.destroyed) socket.resetAndDestroy();
  if (late.length > 0) setImmediate(() => drop(late));
}
