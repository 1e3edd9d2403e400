import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from '#kernel/node-http.ts';
import type { AddressInfo } from 'node:net';

const HOST = '127.0.0.1';

/** A server that only this machine reaches. */
export interface LoopbackServer extends AsyncDisposable {
  readonly url: string;
}

/** Never throws. */
type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Listens on a free port. At the end open connections are cut. */
export async function listenOnLoopback(handle: Handle): Promise<LoopbackServer> {
  const server = createServer((request, response) => void handle(request, response));
  await once(server.listen({ port: 0, host: HOST, exclusive: true }), 'listening');
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await server[Symbol.asyncDispose]();
  };
  return { url, [Symbol.asyncDispose]: close };
}
