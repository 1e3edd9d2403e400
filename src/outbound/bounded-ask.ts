import { exchange, openConnections } from './exchange.ts';

export interface AskLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

export interface BoundedAnswer {
  readonly status: number;
  readonly text: string;
}

/** A crowd of payments may wait for the same host at once. */
const MAX_SOCKETS = 512;
const connections = openConnections(undefined, MAX_SOCKETS);

/** One request that ends in time, follows no redirect and reads no more than its bound; throws OutboundFault otherwise. */
export async function askBounded(
  url: string,
  { headers, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string | undefined },
  { timeoutMs, maxBytes }: AskLimits,
): Promise<BoundedAnswer> {
  const pieces: Buffer[] = [];
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), timeoutMs);
  try {
    const { status } = await exchange(
      {
        method: body === undefined ? 'GET' : 'POST',
        url: new URL(url),
        signal: stop.signal,
        ...(headers !== undefined && { headers }),
        ...(body !== undefined && { body }),
      },
      connections,
      { maxBytes, sink: (piece) => void pieces.push(piece) },
    );
    return { status, text: Buffer.concat(pieces).toString() };
  } finally {
    clearTimeout(timer);
  }
}
