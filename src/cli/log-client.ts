import { readConfig } from '#platform/config/config.ts';
import type { Env } from '#platform/config/env.ts';
import { UsageError } from './command.ts';

const TIMEOUT_MS = 30_000;
/** A full bundle of the longest entries that C2SP allows is 16.8 MB. */
const MAX_BYTES = 17_000_000;

/** Reads bytes below the address of a service; throws one clear sentence when there are none. */
export async function fetchBytes(base: string, path: string): Promise<Uint8Array> {
  const address = addressOf(base, path);
  const response = await answerOf(address);
  if (!response.ok) throw new Error(`${address.href} answers ${response.status}`);
  return bodyOf(response, address);
}

/** Calls the service, with a JSON body by POST, and gives its answer; throws the words of its refusal. */
export async function callService(
  base: string,
  path: string,
  body?: string,
  given: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const address = addressOf(base, path);
  const headers = { 'content-type': 'application/json', ...given };
  const response = await answerOf(address, body === undefined ? { headers: given } : { method: 'POST', headers, body });
  const answer = objectIn(Buffer.from(await bodyOf(response, address)).toString());
  if (!response.ok) throw new Error(refusalOf(answer, response.status, address));
  if (answer === undefined) throw new Error(`${address.href} answers something else than a JSON object`);
  return answer;
}

async function answerOf(address: URL, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(address, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    throw new Error(`${address.href} cannot be reached: check the address and that the service runs`);
  }
}

function refusalOf(problem: Record<string, unknown> | undefined, status: number, { href }: URL): string {
  const { code, detail, errors, wait_s: wait } = problem ?? {};
  // attacker-controlled: whatever is not of that shape is not shown
  if (typeof code !== 'string' || typeof detail !== 'string') return `${href} answers ${status}`;
  const faults = Array.isArray(errors) ? (errors as { pointer?: unknown; detail?: unknown }[]) : [];
  const named = faults.map((fault) => `${String(fault?.pointer)} ${String(fault?.detail)}`);
  const waits = typeof wait === 'number' && wait > 0 ? [`it takes at most ${wait} s`] : [];
  return [`the service refuses (${status} ${code}): ${detail}`, ...waits, ...named].join('; ');
}

/** The service of this machine unless another one is named. */
export function serviceUrl(given: string | undefined, env: Env): string {
  const { baseUrl, host, port } = readConfig(env);
  const url = given ?? baseUrl;
  if (url !== null) return url;
  if (port === 0) throw new UsageError('give --url: the service has no fixed port');
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function bodyOf({ body }: Response, { href }: URL): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    // attacker-controlled: the length is held against the bound as it comes
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > MAX_BYTES) break;
      chunks.push(chunk);
    }
  } catch {
    throw new Error(`${href} broke off its answer: try again`);
  }
  if (length > MAX_BYTES) throw new Error(`${href} answers more than ${MAX_BYTES} bytes`);
  return Buffer.concat(chunks);
}

function addressOf(base: string, path: string): URL {
  const address = URL.parse(`${base.replace(/\/+$/, '')}${path}`);
  if (address === null || !/^https?:$/.test(address.protocol)) throw new UsageError('the url must begin with http');
  return address;
}

/** Every Ed25519 key with which the service says that it signs or signed checkpoints. */
export async function logKeysOf(base: string): Promise<string[]> {
  const keys = await publishedKeys(base, 'log-checkpoint', 'vkey');
  if (keys.length === 0) throw new Error('the service publishes no key of a log');
  return keys;
}

/** Every public key with which the service says that it signs or signed receipts. */
export async function receiptKeysOf(base: string): Promise<string[]> {
  const keys = await publishedKeys(base, 'receipts', 'public_key');
  if (keys.length === 0) throw new Error('the service publishes no key of receipts');
  return keys;
}

async function publishedKeys(base: string, scope: string, member: 'vkey' | 'public_key'): Promise<string[]> {
  const text = Buffer.from(await fetchBytes(base, '/.well-known/avouch-keys.json')).toString();
  try {
    // attacker-controlled: whatever is not of that shape holds no key
    const { keys } = JSON.parse(text) as { keys: Record<'scope' | 'alg' | 'vkey' | 'public_key', unknown>[] };
    const named = keys.filter((key) => key.scope === scope && key.alg === 'ed25519').map((key) => key[member]);
    return named.filter((key) => typeof key === 'string');
  } catch {
    return [];
  }
}

/** The JSON object in a text; undefined for any other text. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text); // attacker-controlled
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
