import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { StorageError } from '../store.ts';
import { deserialize, serialize } from 'node:v8';
import { framed, FrameReader } from './frames.ts';
import { helloFrame, isProof, newNonce, type Peers, proofOf, readHello } from './handshake.ts';
import { type ForwardedOutcome, type ForwardedReply, type ForwardedRequest, STOPPING } from './messages.ts';

/** Runs what other processes hand on; undefined where it is left to them. */
export type RunForwarded = (
  request: ForwardedRequest,
) => Promise<{ readonly outcomes: readonly ForwardedOutcome[]; readonly rev: number } | undefined>;

/** A peer that has not proved itself in this time is sent away. */
const HANDSHAKE_MS = 5_000;
/** Peers that have not left in this time after their last answer are cut off. */
const LEAVE_MS = 5_000;

/** Takes commands of other processes of the installation, and answers each when it is durable. */
export class WriterServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #peers: Peers;
  readonly #run: RunForwarded;
  readonly #underWay = new Set<Promise<void>>();

  private constructor(peers: Peers, run: RunForwarded) {
    this.#peers = peers;
    this.#run = run;
    this.#server = createServer({ noDelay: true }, (socket) => this.#serve(socket));
    this.#server.on('error', () => {});
  }

  static async listen(host: string, peers: Peers, run: RunForwarded): Promise<WriterServer> {
    const writer = new WriterServer(peers, run);
    writer.#server.listen(0, host);
    await once(writer.#server, 'listening');
    writer.#server.unref();
    return writer;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Peers are told, and given the time to take their answers: a stop leaves no outcome unknown. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.write(framed(serialize(STOPPING)));
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    const timer = setTimeout(() => this.#sockets.forEach((socket) => socket.destroy()), LEAVE_MS);
    await closed;
    clearTimeout(timer);
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.unref();
    const frames = new FrameReader();
    const own = newNonce();
    let followerNonce: string | undefined;
    let isProven = false;
    const timer = setTimeout(() => socket.destroy(), HANDSHAKE_MS).unref();
    const replies = new Replies(socket);
    const take = (frame: Buffer) => {
      if (isProven) return this.#take(deserialize(frame) as readonly ForwardedRequest[], replies);
      const { nonce, proof } = readHello(frame);
      if (followerNonce === undefined) {
        followerNonce = nonce;
        socket.write(helloFrame({ nonce: own, proof: proofOf(this.#peers, 'writer', [followerNonce, own]) }));
        return;
      }
      isProven = isProof(proof, proofOf(this.#peers, 'follower', [followerNonce, own]));
      if (!isProven) return void socket.destroy();
      frames.trust();
      clearTimeout(timer);
    };
    socket.on('data', (piece: Buffer) => {
      try {
        frames.push(piece);
        for (let frame = frames.next(); frame !== undefined; frame = frames.next()) take(frame);
      } catch {
        // Whoever does not speak as agreed is no process of ours.
        socket.destroy();
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      this.#sockets.delete(socket);
    });
  }

  #take(requests: readonly ForwardedRequest[], replies: Replies): void {
    for (const request of requests) {
      const { id } = request;
      const answered = this.#run(request)
        .then(
          (done) => replies.add(done === undefined ? { id, isLeft: true } : { id, ...done }),
          (error: unknown) => replies.add({ id, fault: faultOf(error) }),
        )
        .then(() => void this.#underWay.delete(answered));
      this.#underWay.add(answered);
    }
  }
}

function faultOf(error: unknown): { kind: StorageError['kind'] | null; message: string } {
  const { message } = error as Error;
  return { kind: error instanceof StorageError ? error.kind : null, message };
}

/** What was answered in one turn goes out as one frame. */
class Replies {
  readonly #socket: Socket;
  #waiting: ForwardedReply[] = [];

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  add(reply: ForwardedReply): void {
    if (this.#waiting.push(reply) === 1) setImmediate(() => this.#send());
  }

  #send(): void {
    const replies = this.#waiting;
    this.#waiting = [];
    if (!this.#socket.destroyed) this.#socket.write(framed(serialize(replies)));
  }
}
