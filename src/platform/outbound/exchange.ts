import type { Agent, IncomingMessage } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { Agent as HttpAgent, request as httpRequest } from '#kernel/node-http.ts';
import { nodeHttps, nodeTls } from './node-tls.ts';

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the exchange; whoever makes it decides how long an answer may take. */
  readonly signal: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: Buffer;
}

/** No whole answer came: what went wrong, never what was asked. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly reason: 'network' | 'too_large' | 'redirect' | 'stopped';
  /** The connection was an old one that the other side had just closed: most likely it never saw the request. */
  readonly isStale: boolean;

  constructor(reason: OutboundError['reason'], cause?: unknown, isStale = false) {
    // The text of the cause may hold the address that was asked; its code cannot.
    const code = (cause as NodeJS.ErrnoException | undefined)?.code;
    super(code === undefined ? reason : `${reason} (${code})`);
    this.reason = reason;
    this.isStale = isStale;
  }
}

/** Connections with their trust; a client for addresses that callers choose brings a resolver of its own here. */
export interface Connections extends Disposable {
  readonly http: Agent;
  readonly https: () => HttpsAgent;
}

/** @param ca a certificate (PEM) that is trusted beside those of the runtime */
export function openConnections(ca: string | null = null, maxSockets = 64): Connections {
  // Agents of our own: the global ones may be sent through a proxy by the environment.
  const shared = { keepAlive: true, maxSockets, timeout: 60_000 };
  const http = new HttpAgent(shared);
  let https: HttpsAgent | undefined;
  const openHttps = () => {
    const trust = ca !== null && { ca: [...nodeTls().rootCertificates, ca] };
    return new (nodeHttps().Agent)({ ...shared, minVersion: 'TLSv1.2', ...trust });
  };
  const dispose = () => {
    http.destroy();
    https?.destroy();
  };
  return { http, https: () => (https ??= openHttps()), [Symbol.dispose]: dispose };
}

/** Takes the pieces of a body and the status that they came with; one that is refused ends the exchange. */
type BodySink = (piece: Buffer, status: number) => void | Promise<void>;

/** Makes one exchange, without redirects; the body goes to the sink piece by piece and never beyond the bound. */
export async function exchange(
  { method, url, headers, body, signal }: OutboundRequest,
  connections: Connections,
  { maxBytes, sink }: { readonly maxBytes: number; readonly sink: BodySink },
): Promise<Omit<OutboundAnswer, 'body'>> {
  const isTls = url.protocol === 'https:';
  const send = isTls ? nodeHttps().request : httpRequest;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const agent = isTls ? connections.https() : connections.http;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  if (signal.aborted) throw new OutboundError('stopped');
  const call = send(url, { method, agent, signal, headers: { 'accept-encoding': 'identity', ...headers, ...length } });
  call.on('response', resolve).on('error', reject);
  call.end(body);
  let hasAnswer = false;
  try {
    const response = await promise;
    hasAnswer = true;
    const status = response.statusCode ?? 0;
    // 304 answers a conditional request and leads nowhere.
    if (status >= 300 && status < 400 && status !== 304) throw new OutboundError('redirect');
    let received = 0;
    for await (const piece of response as AsyncIterable<Buffer>) {
      received += piece.length; // attacker-controlled
      if (received > maxBytes) throw new OutboundError('too_large');
      await sink(piece, status);
    }
    return { status, header: (name) => [response.headers[name]].flat()[0] };
  } catch (error) {
    call.destroy();
    if (error instanceof OutboundError) throw error;
    throw new OutboundError(signal.aborted ? 'stopped' : 'network', error, call.reusedSocket && !hasAnswer);
  }
}
