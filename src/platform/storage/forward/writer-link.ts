import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import type { Clock } from '#kernel/clock.ts';
import { StorageError, type Step } from '../store.ts';
import { framed, FrameReader } from './frames.ts';
import { type Hello, helloFrame, isProof, newNonce, type Peers, proofOf, readHello } from './handshake.ts';
import { type ForwardedReply, type ForwardedRequest, STOPPING } from './messages.ts';

/** Of a command that was certainly not sent: whoever gave it may write it directly. */
export const NOT_SENT = Symbol('not sent');

interface Outstanding {
  readonly sinceMs: number;
  readonly resolve: (reply: ForwardedReply | typeof NOT_SENT) => void;
  readonly reject: (reason: StorageError) => void;
}

interface Unsent extends Outstanding {
  readonly request: ForwardedRequest;
}

export interface LinkOptions extends Peers {
  readonly host: string;
  readonly port: number;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** How long a command waits for its answer, as it would for the database. */
  readonly patienceMs: number;
}

const CONNECT_MS = 3_000;
const LOOK_EVERY_MS = 500;

/** A way to the process that writes. Commands of one turn go out as one frame. */
export class WriterLink {
  readonly #socket: Socket;
  readonly #options: LinkOptions;
  readonly #frames: FrameReader;
  readonly #outstanding = new Map<number, Outstanding>();
  #unsent: Unsent[] = [];
  #lastId = 0;
  /** The other process stops: answers are waited for, nothing more is sent. */
  #isLeaving = false;
  readonly #watch: NodeJS.Timeout;

  private constructor(socket: Socket, options: LinkOptions, frames: FrameReader) {
    this.#socket = socket;
    this.#options = options;
    this.#frames = frames;
    socket.removeAllListeners('data');
    socket.on('data', (piece: Buffer) => this.#take(piece));
    socket.on('close', () => this.#lost());
    this.#watch = setInterval(() => this.#endIfSilent(), LOOK_EVERY_MS).unref();
  }

  /** Throws where nobody answers there, or somebody who is not the process that was meant. */
  static async open(options: LinkOptions): Promise<WriterLink> {
    const socket = connect({ host: options.host, port: options.port, noDelay: true });
    socket.on('error', () => {});
    socket.unref();
    const timer = setTimeout(() => socket.destroy(), CONNECT_MS).unref();
    const frames = new FrameReader();
    try {
      await once(socket, 'connect');
      const own = newNonce();
      socket.write(helloFrame({ nonce: own }));
      const theirs = await firstWord(socket, frames);
      const nonces = [own, theirs.nonce];
      if (!isProof(theirs.proof, proofOf(options, 'writer', nonces))) throw new Error('another process answers there');
      socket.write(helloFrame({ nonce: own, proof: proofOf(options, 'follower', nonces) }));
      frames.trust();
      return new WriterLink(socket, options, frames);
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && !this.#isLeaving;
  }

  get outstanding(): number {
    return this.#outstanding.size + this.#unsent.length;
  }

  /**
   * Rejects with `unknown` where the process that writes was lost before it answered: whether it had committed cannot
   * be told from here.
   */
  send(steps: readonly Step[], isProven: boolean): Promise<ForwardedReply | typeof NOT_SENT> {
    if (!this.isOpen) return Promise.resolve(NOT_SENT);
    this.#lastId += 1;
    const named = steps.map(({ unit, command }) => ({ unit: unit.name, command }));
    const request = { id: this.#lastId, steps: named, isProven };
    return new Promise((resolve, reject) => {
      const sinceMs = this.#options.clock.monotonicMs();
      if (this.#unsent.push({ request, sinceMs, resolve, reject }) === 1) setImmediate(() => this.#send());
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #send(): void {
    const unsent = this.#unsent;
    this.#unsent = [];
    if (unsent.length === 0) return;
    if (!this.isOpen) return unsent.forEach(({ resolve }) => resolve(NOT_SENT));
    const frame = tryFrame(unsent);
    if (frame !== undefined) return this.#write(frame, unsent);
    for (const one of unsent) {
      const alone = tryFrame([one]);
      if (alone === undefined) one.resolve(NOT_SENT);
      else this.#write(alone, [one]);
    }
  }

  #write(frame: Buffer, sent: readonly Unsent[]): void {
    for (const { request, ...waiting } of sent) this.#outstanding.set(request.id, waiting);
    this.#socket.write(frame);
  }

  #take(piece: Buffer): void {
    try {
      this.#frames.push(piece);
      for (let frame = this.#frames.next(); frame !== undefined; frame = this.#frames.next()) {
        const said = deserialize(frame) as ForwardedReply[] | typeof STOPPING;
        if (said === STOPPING) this.#isLeaving = true;
        else for (const reply of said) this.#answered(reply);
      }
      if (this.#isLeaving && this.#outstanding.size === 0) this.#socket.destroy();
    } catch {
      this.#socket.destroy();
    }
  }

  #answered(reply: ForwardedReply): void {
    const waiting = this.#outstanding.get(reply.id);
    this.#outstanding.delete(reply.id);
    waiting?.resolve(reply);
  }

  /** A process that stands still without closing would hold every caller of this one. */
  #endIfSilent(): void {
    const latestMs = this.#options.clock.monotonicMs() - this.#options.patienceMs;
    const [oldest] = this.#outstanding.values();
    if (oldest !== undefined && oldest.sinceMs < latestMs) this.#socket.destroy();
  }

  #lost(): void {
    clearInterval(this.#watch);
    const fault = () => new StorageError('unknown', 'the process that writes was lost before it answered');
    for (const { reject } of this.#outstanding.values()) reject(fault());
    this.#outstanding.clear();
    for (const { resolve } of this.#unsent.splice(0)) resolve(NOT_SENT);
  }
}

/** Undefined where a command has no plain form. */
function tryFrame(unsent: readonly Unsent[]): Buffer | undefined {
  try {
    return framed(serialize(unsent.map(({ request }) => request)));
  } catch {
    return undefined;
  }
}

async function firstWord(socket: Socket, frames: FrameReader): Promise<Hello> {
  const { promise, resolve, reject } = Promise.withResolvers<Hello>();
  socket.on('data', (piece: Buffer) => {
    try {
      frames.push(piece);
      const frame = frames.next();
      if (frame !== undefined) resolve(readHello(frame));
    } catch (error) {
      reject(error);
    }
  });
  socket.once('close', () => reject(new Error('the connection was closed')));
  return promise;
}
