export interface FetchLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

export interface BoundedAnswer {
  readonly status: number;
  readonly text: string;
}

/** One request that ends in time, follows no redirect and reads no more than its bound; throws otherwise. */
export async function fetchBounded(url: string, init: RequestInit, limits: FetchLimits): Promise<BoundedAnswer> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  const response = await fetch(url, { ...init, redirect: 'error', signal });
  const chunks: Uint8Array[] = [];
  let length = 0;
  // attacker-controlled: the length is held against the bound as it comes
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > limits.maxBytes) throw new Error(`the answer is longer than ${limits.maxBytes} bytes`);
    chunks.push(chunk);
  }
  return { status: response.status, text: Buffer.concat(chunks).toString() };
}
