// HTTP/1.1 byte by byte: for requests that a well-behaved client cannot send, and to see every answer as it came.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case; a repeated header has its values joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const EVENT_STREAM = 'text/event-stream';
/** Nothing takes so long unless it hangs. */
const HUNG_MS = 300_000;

/** The first whole answer in the bytes and what follows it; undefined while more is to come. */
function takeAnswer(bytes: Buffer, isHead: boolean): { answer: RawAnswer; rest: Buffer } | undefined {
  const end = bytes.indexOf(HEAD_END);
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new Error(`not a status line: ${JSON.stringify(statusLine.slice(0, 200))}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const start = end + HEAD_END.length;
  const hasBody = !isHead && status >= 200 && status !== 204 && status !== 304;
  if (hasBody && headers['transfer-encoding'] === 'chunked') {
    const body = takeChunks(bytes.subarray(start), headers['content-type'] === EVENT_STREAM);
    return body === undefined ? undefined : { answer: { status, headers, text: body.text }, rest: body.rest };
  }
  const length = hasBody ? Number(headers['content-length']) : 0;
  if (Number.isNaN(length)) throw new Error(`an answer ${status} without a length`);
  if (bytes.length < start + length) return undefined;
  const text = decoded(bytes.subarray(start, start + length), headers['content-encoding']).toString('utf8');
  return { answer: { status, headers, text }, rest: bytes.subarray(start + length) };
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { gzip: gunzipSync, br: brotliDecompressSync };

function decoded(bytes: Buffer, coding: string | undefined): Buffer {
  const decode = DECODERS[coding ?? ''];
  return decode === undefined || bytes.length === 0 ? bytes : decode(bytes);
}

/** A body in chunks; of a stream without end only the first one, which is all that can be waited for. */
function takeChunks(bytes: Buffer, isEndless: boolean): { text: string; rest: Buffer } | undefined {
  const chunks: Buffer[] = [];
  for (let from = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', from);
    if (lineEnd === -1) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', from, lineEnd), 16);
    const next = lineEnd + 2 + length + 2;
    if (bytes.length < next) return undefined;
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length));
    if (isEndless) return { text: chunks[0]?.toString('utf8') ?? '', rest: Buffer.alloc(0) };
    if (length === 0) return { text: Buffer.concat(chunks).toString('utf8'), rest: bytes.subarray(next) };
    from = next;
  }
}

/** Every answer in the bytes, without interim ones; throws when they end inside an answer. */
function takeAnswers(bytes: Buffer, isHead: boolean): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const taken = takeAnswer(rest, isHead);
    if (taken === undefined) throw new Error(`an answer that ends early: ${rest.toString('latin1').slice(0, 200)}`);
    if (taken.answer.status >= 200) answers.push(taken.answer);
    rest = taken.rest;
  }
  return answers;
}

function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.setNoDelay(true);
  socket.setTimeout(HUNG_MS, () => socket.destroy(new Error('hung: waiting for an answer')));
  return socket;
}

/** Sends the bytes on a connection of their own, ends the sending side, and gives all that came back until its end. */
export async function exchangeOnce(url: string, bytes: string | Uint8Array, isHead = false): Promise<RawAnswer[]> {
  return exchange(url, (socket) => socket.end(bytes), isHead);
}

/** Sends requests ahead of their answers; the last one must ask to close the connection. */
export async function exchangeAhead(url: string, bytes: string): Promise<RawAnswer[]> {
  return exchange(url, (socket) => socket.write(bytes), false);
}

/** Sends the bytes, waits for the first whole answer, and goes away without having ended its own side. */
export async function exchangeAndLeave(url: string, bytes: string | Uint8Array): Promise<RawAnswer> {
  using connection = new RawConnection(url);
  return await connection.send(bytes);
}

async function exchange(url: string, send: (socket: Socket) => void, isHead: boolean): Promise<RawAnswer[]> {
  const socket = open(url);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A server that refuses early may reset what it did not read; what it answered before counts.
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') chunks.push(Buffer.from(`(${error.message})`));
  });
  socket.on('end', () => socket.destroy());
  send(socket);
  await once(socket, 'close');
  return takeAnswers(Buffer.concat(chunks), isHead);
}

/** Why there is no answer where the other side ended the connection. */
export const CLOSED = 'the connection was closed';

/** A keep-alive connection with one request at a time; it opens anew after the server closed it. */
export class RawConnection implements Disposable {
  readonly #url: string;
  #socket: Socket | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  #isHead = false;
  #resolve: ((answer: RawAnswer) => void) | undefined;
  #reject: ((error: Error) => void) | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  send(bytes: string | Uint8Array, isHead = false): Promise<RawAnswer> {
    const socket = (this.#socket ??= this.#open());
    this.#isHead = isHead;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      socket.write(bytes);
    });
  }

  [Symbol.dispose](): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    const socket = open(this.#url);
    this.#bytes = Buffer.alloc(0);
    const lose = (reason: string) => {
      socket.destroy();
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#reject?.(new Error(`no answer: ${reason}`));
    };
    socket.on('data', (chunk: Buffer) => {
      try {
        this.#take(chunk);
      } catch (error) {
        lose((error as Error).message);
      }
    });
    socket.on('error', (error) => lose(error.message));
    socket.on('end', () => lose(CLOSED));
    return socket;
  }

  #take(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const taken = takeAnswer(this.#bytes, this.#isHead);
    if (taken === undefined) return;
    this.#bytes = taken.rest;
    if (taken.answer.status < 200) return this.#take(Buffer.alloc(0));
    if (taken.rest.length > 0) throw new Error('bytes after the answer');
    if (taken.answer.headers['connection'] === 'close') {
      if (taken.answer.headers['content-type'] === EVENT_STREAM) this.#socket?.destroy();
      this.#socket = undefined;
    }
    this.#resolve?.(taken.answer);
    this.#resolve = this.#reject = undefined;
  }
}

/** Whether nothing listens at the url. */
export async function isRefused(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return false;
  } catch {
    return true;
  } finally {
    socket.destroy();
  }
}
