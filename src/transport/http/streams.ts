import type { ServerResponse } from 'node:http';
import type { StreamResponse } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import * as problems from '#kernel/general-problems.ts';
import type { Exchange } from './exchange.ts';

export interface StreamLimits {
  /** Of one kind. */
  readonly perAddress: number;
  readonly perProcess: number;
  readonly heartbeatMs: number;
  /** How long a stop of the service waits for streams that have an end of their own. */
  readonly graceMs: number;
}

export const STREAM_LIMITS: StreamLimits = {
  perAddress: 10,
  perProcess: 1_000,
  heartbeatMs: 15_000,
  // Together with what the process does after its last answer it must stay below the forced stop.
  graceMs: 10_000,
};

/** A comment of an event stream: readers skip it, and proxies see that the connection lives. */
const HEARTBEAT = ':\n\n';
const RETRY_AFTER_SECONDS = 5;

/** What an answer in pieces is, and what becomes of a fault in it: told as a problem, or only its code kept. */
export interface StreamCall {
  readonly streamed: StreamResponse;
  readonly mediaType: string;
  readonly lasts: 'ends' | 'endless';
  readonly explain: (error: unknown) => Refusal;
}

/** Every answer in pieces that is under way: counted, kept alive, and ended when the service stops. */
export class Streams {
  readonly #limits: StreamLimits;
  /** By address and kind. */
  readonly #perAddress = new Map<string, number>();
  readonly #ending = new Set<ServerResponse>();
  readonly #endless = new Set<AbortController>();
  readonly #underWay = new Set<Promise<void>>();
  #count = 0;
  #isStopping = false;

  constructor(limits: StreamLimits = STREAM_LIMITS) {
    this.#limits = limits;
  }

  /** Writes one piece after the other, as fast as the caller takes them, and resolves when nothing is left of it. */
  send(exchange: Exchange, call: StreamCall): Promise<void> {
    const sent = this.#send(exchange, call).finally(() => this.#underWay.delete(sent));
    this.#underWay.add(sent);
    return sent;
  }

  /** Resolves when every stream has its line in the trail. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  async #send(exchange: Exchange, call: StreamCall): Promise<void> {
    const tag = `${exchange.addressTag ?? ''} ${exchange.operationId ?? ''}`;
    const refusal = this.#enter(tag);
    if (refusal !== undefined) return exchange.refuse(refusal);
    const { response } = exchange;
    const stopped = new AbortController();
    const stop = () => stopped.abort();
    response.once('close', stop);
    // Who ends its side of a stream has left it.
    exchange.request.socket.once('end', stop);
    if (response.destroyed || (this.#isStopping && call.lasts === 'endless')) stop();
    const kept: Set<unknown> = call.lasts === 'endless' ? this.#endless.add(stopped) : this.#ending.add(response);
    try {
      await this.#write(exchange, call, stopped.signal);
    } finally {
      kept.delete(call.lasts === 'endless' ? stopped : response);
      response.off('close', stop);
      exchange.request.socket.off('end', stop);
      this.#leave(tag);
    }
  }

  /** Ends what has no end of its own at once; what has one may reach it for a while and is cut after that. */
  drain(): void {
    this.#isStopping = true;
    for (const stopped of this.#endless) stopped.abort();
    const cut = () => this.#ending.forEach((response) => response.destroy());
    setTimeout(cut, this.#limits.graceMs).unref();
  }

  async #write(exchange: Exchange, call: StreamCall, signal: AbortSignal): Promise<void> {
    const { response, request } = exchange;
    const pieces = call.streamed.open(signal)[Symbol.asyncIterator]();
    let bytesOut = 0;
    let heartbeat: NodeJS.Timeout | undefined;
    try {
      let piece = await pieces.next();
      exchange.beginPieces(call.mediaType);
      if (call.lasts === 'endless') {
        heartbeat = setInterval(() => {
          if (response.writableNeedDrain || response.destroyed) return;
          response.write(HEARTBEAT);
          bytesOut += HEARTBEAT.length;
        }, this.#limits.heartbeatMs).unref();
      }
      while (piece.done !== true && request.method !== 'HEAD' && !signal.aborted) {
        bytesOut += Buffer.byteLength(piece.value);
        await exchange.writePiece(piece.value, signal);
        piece = await pieces.next();
      }
      exchange.endPieces(bytesOut);
    } catch (error) {
      if (signal.aborted && response.headersSent) return exchange.endPieces(bytesOut);
      const refusal = call.explain(error);
      // Nothing was said yet: the fault is the answer. Later only a broken connection tells it truly.
      if (response.headersSent) exchange.cutPieces(bytesOut, refusal.type.code);
      else exchange.refuse(refusal);
    } finally {
      clearInterval(heartbeat);
      await pieces.return?.();
    }
  }

  #enter(tag: string): Refusal | undefined {
    const { perAddress, perProcess } = this.#limits;
    const ofAddress = this.#perAddress.get(tag) ?? 0;
    if (ofAddress >= perAddress)
      return refuse(
        problems.tooManyStreams,
        `This address already has ${perAddress} streams of this kind open. Close one first.`,
      );
    if (this.#count >= perProcess)
      return refuse(problems.streamsFull, `This process already has ${perProcess} streams open. Try again later.`);
    this.#count += 1;
    this.#perAddress.set(tag, ofAddress + 1);
    return undefined;
  }

  #leave(tag: string): void {
    this.#count -= 1;
    const left = (this.#perAddress.get(tag) ?? 1) - 1;
    if (left > 0) this.#perAddress.set(tag, left);
    else this.#perAddress.delete(tag);
  }
}

function refuse(problem: typeof problems.tooManyStreams | typeof problems.streamsFull, detail: string): Refusal {
  return new Refusal(problem, { detail, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
