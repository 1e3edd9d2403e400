import { askBounded } from '#outbound/bounded-ask.ts';

const LIMITS = { timeoutMs: 30_000, maxBytes: 64_000_000 };
const HEADERS = { 'content-type': 'application/json' };

/** One call of a loopback chain; throws what the chain says against it. */
export async function callRpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const { text } = await askBounded(url, { headers: HEADERS, body }, LIMITS);
  const { result, error } = JSON.parse(text) as { result?: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}
