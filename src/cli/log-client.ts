import type { OperationId } from '../../client/outcome.ts';
import { addressOf, type PreparedRequest, prepareRequest } from '../../client/request.ts';
import { readConfig } from '#platform/config/config.ts';
import type { Env } from '#platform/config/env.ts';
import { UsageError } from './command.ts';

const TIMEOUT_MS = 30_000;
/** A full bundle of the longest entries that C2SP allows is 16.8 MB. */
const MAX_BYTES = 17_000_000;

/** Reads bytes below the address of a service; throws one clear sentence when there are none. */
export async function fetchBytes(base: string, path: string): Promise<Uint8Array> {
  const address = httpAddress(addressOf(base, { path, query: {} }));
  const response = await answerOf(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${address.href} answers ${response.status}`);
  return bodyOf(response, address);
}

/** No answer that can be used: a refusal in the words of the service, or nothing that it said. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** Undefined where there is no answer. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** Calls an operation and gives its answer; throws the words of its refusal. A body in its own spelling goes as it is. */
export async function callOperation(
  base: string,
  id: OperationId,
  input: Readonly<Record<string, unknown>>,
  body?: string,
): Promise<Record<string, unknown>> {
  const request = prepareRequest(id, input);
  const text = await answerText(base, body === undefined ? request : { ...request, body });
  const answer = objectIn(text);
  if (answer === undefined) {
    throw new CallError(`${addressOf(base, request)} answers something else than a JSON object`);
  }
  return answer;
}

/** The text of the answer to a request; throws the words of its refusal. */
export async function answerText(base: string, request: PreparedRequest): Promise<string> {
  const response = await sent(base, request, AbortSignal.timeout(TIMEOUT_MS));
  return textOf(response, httpAddress(addressOf(base, request)));
}

/** The pieces of an answer that has no end. */
export async function answerPieces(base: string, request: PreparedRequest): Promise<AsyncIterable<Uint8Array>> {
  const { body } = await sent(base, request);
  return (body ?? []) as AsyncIterable<Uint8Array>;
}

async function sent(base: string, request: PreparedRequest, signal?: AbortSignal): Promise<Response> {
  const address = httpAddress(addressOf(base, request));
  const { method, headers, body } = request;
  // A redirect could take keys to another place.
  const response = await answerOf(address, {
    method,
    headers,
    redirect: 'error',
    ...(body !== undefined && { body }),
    ...(signal !== undefined && { signal }),
  });
  if (response.ok) return response;
  throw refusedCall(await textOf(response, address), response.status, address);
}

async function answerOf(address: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch {
    throw new CallError(`${address.href} cannot be reached: check the address and that the service runs`);
  }
}

/** What a service says where it does not do what it was asked. */
export function refusedCall(text: string, status: number, { href }: URL): CallError {
  const { code, detail, errors, wait_s: wait } = objectIn(text) ?? {};
  // attacker-controlled: whatever is not of that shape is not shown
  if (typeof code !== 'string' || typeof detail !== 'string') return new CallError(`${href} answers ${status}`, status);
  const faults = Array.isArray(errors) ? (errors as { pointer?: unknown; detail?: unknown }[]) : [];
  const named = faults.map((fault) => `${String(fault?.pointer)} ${String(fault?.detail)}`);
  const waits = typeof wait === 'number' && wait > 0 ? [`it takes at most ${wait} s`] : [];
  return new CallError([`the service refuses (${status} ${code}): ${detail}`, ...waits, ...named].join('; '), status);
}

/** The service of this machine unless another one is named. */
export function serviceUrl(given: string | undefined, env: Env): string {
  const { baseUrl, host, port } = readConfig(env);
  const url = given ?? baseUrl;
  if (url !== null) return url;
  if (port === 0) throw new UsageError('give --url: the service has no fixed port');
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function textOf(response: Response, address: URL): Promise<string> {
  return Buffer.from(await bodyOf(response, address)).toString();
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
    throw new CallError(`${href} broke off its answer: try again`);
  }
  if (length > MAX_BYTES) throw new Error(`${href} answers more than ${MAX_BYTES} bytes`);
  return Buffer.concat(chunks);
}

/** An address that can be asked. */
export function httpAddress(url: string): URL {
  const address = URL.parse(url);
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
