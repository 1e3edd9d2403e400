import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer, STATUS_CODES } from '#kernel/node-http.ts';
import type { AddressInfo, Socket } from 'node:net';
import type { Witness, WitnessAnswer } from './witness.ts';

const LIMITS = {
  requestTimeout: 10_000,
  headersTimeout: 5_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 8_192,
  // A request without one gets an answer in words instead of an empty one.
  requireHostHeader: false,
};
const MAX_CONNECTIONS = 512;
/** 64 lines of ML-DSA-44 are 212 KB. */
const MAX_BODY_BYTES = 262_144;
/** Read and thrown away, so that whoever sends too much still hears why; beyond it the connection ends. */
const MAX_DRAINED_BYTES = 8_388_608;
const STOP_MS = 2_000;
const STATUS_OF_CODE: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

interface Answer extends WitnessAnswer {
  readonly headers?: Readonly<Record<string, string>>;
}

interface Served {
  readonly witness: Witness;
  readonly report: (line: string) => void;
}

export interface Listening extends AsyncDisposable {
  readonly url: string;
}

/** Serves the witness until it is disposed of; requests under way are answered first. */
export async function serveWitness(served: Served, address: { host: string; port: number }): Promise<Listening> {
  const answerTo = (request: IncomingMessage, response: ServerResponse) => void handle(served, request, response);
  const server = createServer(LIMITS, answerTo);
  server.maxConnections = MAX_CONNECTIONS;
  server.on('checkExpectation', answerTo);
  server.on('connect', (_request, socket: Socket) => endWith(socket, 405));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    endWith(socket, STATUS_OF_CODE[error.code ?? ''] ?? 400),
  );
  server.listen(address.port, address.host);
  await once(server, 'listening');
  const { address: host, port, family } = server.address() as AddressInfo;
  const url = `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
  return { url, [Symbol.asyncDispose]: () => stop(server) };
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const timer = setTimeout(() => server.closeAllConnections(), STOP_MS);
  await closed;
  clearTimeout(timer);
}

async function handle({ witness, report }: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    send(response, await answer(witness, request));
  } catch (error) {
    // The caller has gone, or the disk: neither is the fault of what was asked.
    if (request.errored !== null) return;
    report(`not answered: ${error instanceof Error ? error.message : String(error)}`);
    send(response, plain(503, 'the witness cannot keep its state now: try again later'));
  }
}

interface Route {
  readonly path: RegExp;
  readonly methods: readonly string[];
  answer(witness: Witness, request: IncomingMessage, originHash: string): Promise<WitnessAnswer> | WitnessAnswer;
}

const ROUTES: readonly Route[] = [
  { path: /^\/$/, methods: ['GET', 'HEAD'], answer: (witness) => witness.about() },
  { path: /^\/add-checkpoint$/, methods: ['POST'], answer: addCheckpoint },
  {
    path: /^\/([0-9a-f]{64})\/checkpoint$/,
    methods: ['GET', 'HEAD'],
    answer: (witness, _request, originHash) => witness.latest(originHash),
  },
];

async function answer(witness: Witness, request: IncomingMessage): Promise<Answer> {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const route = ROUTES.find((candidate) => candidate.path.test(path));
  if (route === undefined) return plain(404, 'there are /, /add-checkpoint and /<hash of the origin>/checkpoint here');
  const allow = route.methods.join(', ');
  if (!route.methods.includes(request.method ?? ''))
    return { ...plain(405, `this takes ${allow}`), headers: { allow } };
  return route.answer(witness, request, route.path.exec(path)?.[1] ?? '');
}

async function addCheckpoint(witness: Witness, request: IncomingMessage): Promise<Answer> {
  const body = await bodyOf(request);
  if (body !== undefined) return witness.addCheckpoint(body);
  return { ...plain(413, `a request has at most ${MAX_BODY_BYTES} bytes`), headers: { connection: 'close' } };
}

/** Undefined when the body is too long. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  // attacker-controlled: the length is held against the bound as it comes
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= MAX_BODY_BYTES) chunks.push(chunk);
    if (length > MAX_DRAINED_BYTES) break;
  }
  return length <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
}

function plain(status: number, sentence: string): WitnessAnswer {
  return { status, contentType: 'text/plain; charset=utf-8', text: `${sentence}\n` };
}

function send(response: ServerResponse, { status, contentType, text, headers }: Answer): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-cache',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(text);
}

/** For what never became a request. */
function endWith(socket: Socket, status: number): void {
  if (!socket.writable) return void socket.destroy();
  const text = `${STATUS_CODES[status]}\n`;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
  );
}
