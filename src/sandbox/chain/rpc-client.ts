const TIMEOUT_MS = 30_000;

/** One call of a loopback chain; throws what the chain says against it. */
export async function callRpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}
