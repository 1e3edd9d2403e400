import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#kernel/problem.ts';
import * as problems from '#kernel/general-problems.ts';
import { Turns } from '#kernel/turns.ts';
import { giveBack, ownMemory, Thread } from '#platform/thread.ts';
import { BodyBudget, type BodyLimits, type KeptBytes } from './body-budget.ts';
import { type HandedBody, handedOver, isJsonMedia, JsonRead } from './json-body.ts';
import { simple } from './problem-response.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation reads its body itself, whatever its media type. */
    readonly keepsBytes?: boolean;
  }
}

/** JSON up to this length is read at once: the longest takes a few milliseconds. */
const READ_HERE_BYTES = 262_144;
/** Up to this length a body is handed on as soon as it is there; longer ones one in each turn of the event loop. */
const AT_ONCE_BYTES = 16_384;
/** A thread at rest keeps the bodies that it was given until it is ended. */
const IDLE_MS = 5_000;

/** A promise where it needs the body for longer. */
type Digested = (request: IncomingMessage, body: Uint8Array) => Promise<void> | undefined;
type Done = (error: Error | null, body?: unknown) => void;

/** A body that is not taken, as an error that the server turns into its answer. */
export class BodyError extends Error {
  override readonly name = 'BodyError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.details.detail);
    this.refusal = refusal;
  }
}

/**
 * Takes the bodies of calls as they come, and has long JSON read in a thread, so that no other call waits for it. What is done
 * with a long body takes milliseconds: several that came together are handed on one after the other, with other calls between.
 */
export class BodyReader implements AsyncDisposable {
  readonly #addressOf: (request: IncomingMessage) => string;
  readonly #budget: BodyBudget;
  readonly #digested: Digested;
  readonly #thread = new Thread<Uint8Array, HandedBody>({
    of: 'long bodies',
    program: new URL('./json-worker.ts', import.meta.url),
    idleMs: IDLE_MS,
  });
  readonly #turns = new Turns();

  /** @param digested told of the whole body of a call that has a Content-Digest */
  constructor(
    addressOf: (request: IncomingMessage) => string,
    limits?: BodyLimits,
    digested: Digested = () => undefined,
  ) {
    this.#addressOf = addressOf;
    this.#digested = digested;
    this.#budget = new BodyBudget(limits);
  }

  /** A content type parser of Fastify: gives bytes, or a JsonRead where they were read already. */
  readonly parse = (request: FastifyRequest, payload: IncomingMessage, done: Done): void => {
    const { bodyLimit, config } = request.routeOptions;
    const kept = this.#budget.begin(() => this.#addressOf(request.raw));
    const end: Done = (error, body) => {
      kept.end();
      done(error, body);
    };
    const keepsBytes = config.keepsBytes === true || !isJsonMedia(request.headers['content-type']);
    collect(payload, { kept, limitBytes: bodyLimit ?? 0, headers: request.headers }, (error, bytes) => {
      if (bytes === undefined) return end(error);
      const isDigested = request.headers['content-digest'] !== undefined;
      const looked = isDigested ? this.#digested(request.raw, bytes) : undefined;
      const isLong = !keepsBytes && bytes.length > READ_HERE_BYTES;
      if (looked === undefined && bytes.length <= AT_ONCE_BYTES) end(null, bytes);
      else void this.#readLater(bytes, { looked, isLong }, end);
    });
  };

  /** A body that was looked at stays here until then. */
  async #readLater(
    bytes: Buffer,
    { looked, isLong }: { readonly looked: Promise<void> | undefined; readonly isLong: boolean },
    end: Done,
  ): Promise<void> {
    try {
      await looked;
    } catch (error) {
      return end(error as Error);
    }
    const read = isLong ? await this.#thread.ask(bytes, ownMemory(bytes)).catch(() => undefined) : bytes;
    await this.#turns.run(() => {
      if (read === undefined) end(new BodyError(unread()));
      else end(null, read instanceof Uint8Array ? read : new JsonRead(handedOver(read)));
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#thread[Symbol.asyncDispose]();
  }
}

interface Collected {
  readonly kept: KeptBytes;
  readonly limitBytes: number;
  readonly headers: FastifyRequest['headers'];
}

function collect(
  payload: IncomingMessage,
  { kept, limitBytes, headers }: Collected,
  done: (error: Error | null, bytes?: Buffer) => void,
): void {
  const announced = Number(headers['content-length']);
  if (announced > limitBytes) return done(new BodyError(tooLong()));
  const chunks: Buffer[] = [];
  let received = 0;
  const stop = (error: Error | null, bytes?: Buffer) => {
    payload.off('data', take).off('end', finish).off('error', fail);
    done(error, bytes);
  };
  const take = (chunk: Buffer) => {
    received += chunk.length;
    if (received > limitBytes) return stop(new BodyError(tooLong()));
    if (!kept.add(chunk.length)) return stop(new BodyError(noRoom()));
    chunks.push(chunk);
  };
  const finish = () => {
    const isWhole = Number.isNaN(announced) || received === announced;
    if (isWhole) stop(null, joined(chunks, received));
    else
      stop(
        new BodyError(
          simple(problems.malformedRequest, 'The body does not have the length that Content-Length announced.'),
        ),
      );
  };
  const fail = () =>
    stop(new BodyError(simple(problems.malformedRequest, 'The body did not arrive. Send the request again.')));
  // A call that announces no body has none to wait for.
  if (payload.readableEnded) return finish();
  payload.on('data', take).on('end', finish).on('error', fail);
  payload.resume();
}

/** A copy in any case: a chunk may be a view of what the socket reads into. */
function joined(chunks: readonly Buffer[], length: number): Buffer {
  if (length <= READ_HERE_BYTES) return Buffer.concat(chunks, length);
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const chunk of chunks) {
    at += chunk.copy(whole, at);
    giveBack(chunk);
  }
  return whole;
}

function tooLong(): Refusal {
  return simple(problems.bodyTooLarge, 'The body is longer than this call accepts.');
}

function noRoom(): Refusal {
  const detail = 'Too many long bodies are being received. Send this one again later, or send fewer at once.';
  return new Refusal(problems.tooManyBodies, { detail, retryAfterSeconds: 2 });
}

function unread(): Refusal {
  return new Refusal(problems.tooManyBodies, {
    detail: 'The body could not be read. Send it again.',
    retryAfterSeconds: 1,
  });
}
