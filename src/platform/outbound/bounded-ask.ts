import { exchange, openConnections, OutboundError, type OutboundRequest } from './exchange.ts';

export interface AskLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

export interface BoundedAnswer {
  readonly status: number;
  readonly text: string;
  header(name: string): string | undefined;
}

export interface AskedRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent by POST; without it the request is a GET. */
  readonly body?: string | undefined;
  /** A GET may be, unless told otherwise. */
  readonly mayRepeat?: boolean;
}

/** A crowd of payments may wait for the same host at once. */
const MAX_SOCKETS = 512;
const connections = openConnections(null, MAX_SOCKETS);

/**
 * One request that ends in time, follows no redirect and reads no more than its bound; throws OutboundFault otherwise.
 * What may be sent twice is, on a stale connection.
 */
export async function askBounded(
  url: string,
  { headers, body, mayRepeat = body === undefined }: AskedRequest,
  { timeoutMs, maxBytes }: AskLimits,
): Promise<BoundedAnswer> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), timeoutMs);
  const request = {
    method: body === undefined ? ('GET' as const) : ('POST' as const),
    url: new URL(url),
    signal: stop.signal,
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body }),
  };
  try {
    return await ask(request, maxBytes).catch((error: unknown) => {
      const isStale = error instanceof OutboundError && error.reason === 'network' && error.isStale;
      if (mayRepeat && isStale) return ask(request, maxBytes);
      throw error;
    });
  } finally {
    clearTimeout(timer);
  }
}

async function ask(request: OutboundRequest, maxBytes: number): Promise<BoundedAnswer> {
  const pieces: Buffer[] = [];
  const sink = (piece: Buffer) => void pieces.push(piece);
  const { status, header } = await exchange(request, connections, { maxBytes, sink });
  return { status, header, text: Buffer.concat(pieces).toString() };
}
