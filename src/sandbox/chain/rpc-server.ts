import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EmbeddedChain } from './embedded-chain.ts';
import { RpcError } from './rpc-error.ts';
import { answerRpc } from './rpc-methods.ts';

const MAX_BODY_BYTES = 4_000_000;
const MAX_BATCH = 1000;
const HOST = '127.0.0.1';

interface RpcAnswer {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
}

/** Serves a chain as JSON-RPC over HTTP, to this machine only. */
export class RpcServer {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  }

  static async listen(chain: EmbeddedChain, port = 0): Promise<RpcServer> {
    const server = createServer((request, response) => void handle(chain, request, response));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject).listen({ port, host: HOST, exclusive: true }, resolve);
    await promise;
    return new RpcServer(server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }
}

async function handle(chain: EmbeddedChain, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = request.method === 'POST' ? await bodyOf(request) : undefined;
  const answer =
    body === undefined ? failed(null, new RpcError(-32600, 'send JSON-RPC by POST')) : await answerTo(chain, body);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer));
}

/** Undefined for a body that is too long or breaks off. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > MAX_BODY_BYTES) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString();
}

async function answerTo(chain: EmbeddedChain, body: string): Promise<RpcAnswer | RpcAnswer[]> {
  let question: unknown;
  try {
    question = JSON.parse(body);
  } catch {
    return failed(null, new RpcError(-32700, 'the body is not JSON'));
  }
  if (!Array.isArray(question)) return answerOne(chain, question);
  if (question.length === 0 || question.length > MAX_BATCH) {
    return failed(null, new RpcError(-32600, `a batch holds 1 to ${MAX_BATCH} calls`));
  }
  return Promise.all(question.map((one) => answerOne(chain, one)));
}

async function answerOne(chain: EmbeddedChain, question: unknown): Promise<RpcAnswer> {
  const { id, method, params } = (question ?? {}) as { id?: unknown; method?: unknown; params?: unknown };
  const answerId = typeof id === 'string' || typeof id === 'number' ? id : null;
  if (typeof method !== 'string') return failed(answerId, new RpcError(-32600, 'a method is missing'));
  try {
    return { jsonrpc: '2.0', id: answerId, result: await answerRpc(chain, method, params) };
  } catch (error) {
    return failed(answerId, error instanceof RpcError ? error : new RpcError(-32603, 'internal error'));
  }
}

function failed(id: RpcAnswer['id'], { code, message, data }: RpcError): RpcAnswer {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}
