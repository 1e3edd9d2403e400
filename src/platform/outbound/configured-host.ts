import { open, rename, rm } from 'node:fs/promises';
import { type Connections, exchange, openConnections, type OutboundAnswer, type OutboundRequest } from './exchange.ts';

export interface ConfiguredHostOptions {
  /** From the settings of the operator, never from a caller. Paths are appended to it. */
  readonly baseUrl: string;
  readonly userAgent: string;
  /** Certificates (PEM) that are trusted beside those of the runtime. */
  readonly ca?: string | null;
  readonly maxBytes?: number;
}

export interface HostRequest extends Omit<OutboundRequest, 'url' | 'method'> {
  readonly method?: 'GET' | 'POST';
  /** Appended to the base address; may be empty. */
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
}

const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/** The one way to a host that the operator configured: bounded answers, no redirects, no proxy of the environment. */
export class ConfiguredHost implements Disposable {
  readonly #options: ConfiguredHostOptions;
  readonly #connections: Connections;

  constructor(options: ConfiguredHostOptions) {
    this.#options = options;
    this.#connections = openConnections(options.ca);
  }

  /** The whole answer, whatever its status; throws OutboundFault when none comes. */
  async ask(request: HostRequest): Promise<OutboundAnswer> {
    const { maxBytes = MAX_ANSWER_BYTES } = this.#options;
    const pieces: Buffer[] = [];
    const answer = await exchange(this.#request(request), this.#connections, {
      maxBytes,
      sink: (piece) => void pieces.push(piece),
    });
    return { ...answer, body: Buffer.concat(pieces) };
  }

  /** Hands on the body of a 200 as it comes; of other answers only status and headers are kept. */
  async stream(
    request: HostRequest,
    { maxBytes, sink }: { readonly maxBytes: number; readonly sink: (piece: Buffer) => void | Promise<void> },
  ): Promise<Omit<OutboundAnswer, 'body'>> {
    return exchange(this.#request(request), this.#connections, {
      maxBytes,
      sink: (piece, status) => (status === 200 ? sink(piece) : undefined),
    });
  }

  /** Lets a large answer flow into a file; the file appears under its name only when it is whole and on the disk. */
  async download(
    request: HostRequest,
    { path, maxBytes }: { readonly path: string; readonly maxBytes: number },
  ): Promise<{ readonly status: number; readonly bytes: number }> {
    const part = `${path}.part`;
    const file = await open(part, 'w', 0o600);
    let bytes = 0;
    try {
      const { status } = await exchange(this.#request(request), this.#connections, {
        maxBytes,
        sink: async (piece) => {
          bytes += piece.length;
          await file.writeFile(piece);
        },
      });
      await file.sync();
      if (status === 200) await rename(part, path);
      return { status, bytes };
    } finally {
      await file.close();
      await rm(part, { force: true });
    }
  }

  #request({ method = 'GET', path = '', query = {}, headers, ...rest }: HostRequest): OutboundRequest {
    const { baseUrl, userAgent } = this.#options;
    const url = new URL(baseUrl.replace(/\/$/, '') + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return { ...rest, method, url, headers: { 'user-agent': userAgent, ...headers } };
  }

  [Symbol.dispose](): void {
    this.#connections[Symbol.dispose]();
  }
}
