import { Resolver } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { nodeHttps } from './node-tls.ts';
import { isPublicAddress } from './public-address.ts';
import { publicUrl, type UrlError } from './public-url.ts';

export interface GuardedClientOptions {
  readonly userAgent: string;
  readonly monotonicMs: () => number;
  /** What one GET may take, where it is more than a probe. */
  readonly limits?: { readonly timeoutMs: number; readonly maxBodyBytes: number };
  /** Headers that say who asks, made for each request. */
  readonly sign?: (url: URL) => Readonly<Record<string, string>>;
  /** For tests alone, which have no public addresses: another judge, port, name servers, and trust. */
  readonly testing?: {
    readonly isPublic?: (address: string) => boolean;
    readonly port?: number;
    readonly nameServers?: readonly string[];
    readonly ca?: string;
    readonly timeoutMs?: number;
  };
}

export type GuardedAnswer =
  | {
      readonly state: 'answered';
      readonly status: number;
      readonly latencyMs: number;
      header(name: string): string | undefined;
      readonly body: Buffer;
      /** The body was longer, or slower, than it may be. */
      readonly truncated: boolean;
    }
  | { readonly state: 'blocked'; readonly reason: UrlError }
  | {
      readonly state: 'failed';
      readonly reason: 'no_address' | 'timeout' | 'tls' | 'connection' | 'header_too_large';
    };

const PROBE_LIMITS = { timeoutMs: 5_000, maxBodyBytes: 65_536 };
const MAX_HEADER_BYTES = 16_384;
/** How long one question to a name server waits for its answer. */
const NAME_MS = 2_000;
const TLS_CODES = /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME|INVALID_)/;
const NO_ADDRESS = 'no address';

class NotPublicError extends Error {}

/**
 * The one way to an address that a caller chose: one GET over https to public addresses only. A name is resolved once,
 * by the connection itself, so that the address that was judged is the address that is connected to.
 */
export class GuardedClient {
  readonly #options: GuardedClientOptions;
  readonly #isPublic: (address: string) => boolean;

  constructor(options: GuardedClientOptions) {
    this.#options = options;
    this.#isPublic = options.testing?.isPublic ?? isPublicAddress;
  }

  /** Never rejects: that nothing came is an answer too. */
  async get(text: string): Promise<GuardedAnswer> {
    const url = publicUrl(text, this.#isPublic);
    if (typeof url === 'string') return { state: 'blocked', reason: url };
    const { limits = PROBE_LIMITS, testing } = this.#options;
    const signal = AbortSignal.timeout(testing?.timeoutMs ?? limits.timeoutMs);
    const startedMs = this.#options.monotonicMs();
    try {
      const response = await this.#ask(url, signal);
      const latencyMs = this.#options.monotonicMs() - startedMs;
      const { body, truncated } = await cutBody(response, limits.maxBodyBytes);
      const header = (name: string) => [response.headers[name]].flat()[0];
      return { state: 'answered', status: response.statusCode ?? 0, latencyMs, header, body, truncated };
    } catch (error) {
      if (error instanceof NotPublicError) return { state: 'blocked', reason: 'address_not_public' };
      return { state: 'failed', reason: signal.aborted ? 'timeout' : reasonOf(error) };
    }
  }

  #ask(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const { userAgent, sign, testing = {} } = this.#options;
    const plain = { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity', connection: 'close' };
    return new Promise((resolve, reject) => {
      const call = nodeHttps().request(url, {
        // An agent of its own: the global one may be sent through a proxy by the environment.
        agent: new (nodeHttps().Agent)({ keepAlive: false }),
        lookup: this.#lookup(),
        maxHeaderSize: MAX_HEADER_BYTES,
        minVersion: 'TLSv1.2',
        signal,
        headers: { ...plain, ...sign?.(url) },
        ...(testing.port !== undefined && { port: testing.port }),
        ...(testing.ca !== undefined && { ca: testing.ca }),
      });
      call.on('response', resolve).on('error', reject);
      call.end();
    });
  }

  /** Asked by the socket, once per connection; one record that is not public blocks the name. */
  #lookup(): LookupFunction {
    const judged = callbackify(async (name: string) => {
      const addresses = await this.#addressesOf(name);
      if (!addresses.every(({ address }) => this.#isPublic(address))) throw new NotPublicError();
      return addresses;
    });
    return (name, { all }, done) => {
      judged(name, (error, addresses) => {
        const [first] = addresses ?? [];
        if (first === undefined) done(error ?? new Error(NO_ADDRESS), []);
        else if (all === true) done(null, addresses);
        else done(null, first.address, first.family);
      });
    };
  }

  /** Not by getaddrinfo: a name that answers slowly would hold a thread that files need. */
  async #addressesOf(name: string): Promise<{ address: string; family: 4 | 6 }[]> {
    const { nameServers, timeoutMs = NAME_MS } = this.#options.testing ?? {};
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
    if (nameServers !== undefined) resolver.setServers(nameServers);
    const [four, six] = await Promise.all([
      resolver.resolve4(name).catch(() => []),
      resolver.resolve6(name).catch(() => []),
    ]);
    return [
      ...four.map((address) => ({ address, family: 4 as const })),
      ...six.map((address) => ({ address, family: 6 as const })),
    ];
  }
}

async function cutBody(response: IncomingMessage, maxBytes: number): Promise<{ body: Buffer; truncated: boolean }> {
  const pieces: Buffer[] = [];
  let received = 0;
  let truncated = false;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece);
      received += piece.length; // attacker-controlled
      if (received > maxBytes) break;
    }
    truncated = received > maxBytes;
  } catch {
    truncated = true;
  }
  response.destroy();
  return { body: Buffer.concat(pieces).subarray(0, maxBytes), truncated };
}

function reasonOf(error: unknown): 'no_address' | 'tls' | 'connection' | 'header_too_large' {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (message === NO_ADDRESS) return 'no_address';
  if (code === 'HPE_HEADER_OVERFLOW') return 'header_too_large';
  return TLS_CODES.test(code) ? 'tls' : 'connection';
}
