import { MAX_ANSWER_BYTES, type WitnessReply } from './witness-client.ts';

export const WITNESS_TIMEOUT_MS = 5_000;

/** Sends a request to a witness; throws when no whole answer comes in time. */
export function postToWitness(url: string, body: string, timeoutMs = WITNESS_TIMEOUT_MS): Promise<WitnessReply> {
  return exchange(url, timeoutMs, { method: 'POST', body, headers: { 'content-type': 'text/plain; charset=utf-8' } });
}

/** Reads from a witness; throws when no whole answer comes in time. */
export function getFromWitness(url: string, timeoutMs = WITNESS_TIMEOUT_MS): Promise<WitnessReply> {
  return exchange(url, timeoutMs);
}

async function exchange(url: string, timeoutMs: number, init: RequestInit = {}): Promise<WitnessReply> {
  // A redirect is an answer like any other wrong one: the address is what the operator configured.
  const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  const { status, headers } = response;
  return { status, contentType: headers.get('content-type'), body: await cappedBody(response) };
}

/** The body up to one byte beyond the bound, by which the reader knows that it is too long. */
async function cappedBody({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // attacker-controlled: the length is held against the bound as it comes
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks)
    .subarray(0, MAX_ANSWER_BYTES + 1)
    .toString();
}
