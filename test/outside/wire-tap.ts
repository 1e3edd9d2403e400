// A way to a service that remembers the secrets which pass it.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export class WireTap implements AsyncDisposable {
  /** Tokens of leases and seeds of seals, as they were sent or answered. */
  readonly secrets = new Set<string>();
  readonly #server;
  readonly #target: string;

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer((request, response) => {
      this.#pass(request, response).catch(() => response.destroy());
    });
  }

  static async before(target: string): Promise<WireTap> {
    const tap = new WireTap(target);
    await once(tap.#server.listen(0, '127.0.0.1'), 'listening');
    return tap;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers, url = '/' } = request;
    const token = headers['x-crossing-token'];
    if (typeof token === 'string') this.secrets.add(token);
    const forwarded = send(new URL(url, this.#target), { method, headers });
    request.pipe(forwarded);
    const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
    const body = await buffer(answer);
    for (const [, secret = ''] of body.toString().matchAll(/"(?:token|disclosure_seed)":"([^"]+)"/g)) {
      this.secrets.add(secret);
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers).end(body);
  }
}
