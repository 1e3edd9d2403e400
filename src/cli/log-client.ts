import { asSentence } from '#kernel/sentence.ts';
import type { OperationId } from '../../client/outcome.ts';
import { addressOf, type PreparedRequest, prepareRequest } from '../../client/request.ts';
import { type FieldName, type FieldProblem, fieldProblems } from './line/field-problems.ts';
import { UsageError } from './line/spec.ts';

const TIMEOUT_MS = 30_000;
/** A full bundle of the longest entries that C2SP allows is 16.8 MB. */
const MAX_BYTES = 17_000_000;

/** Reads bytes below the address of a service; throws one clear sentence when there are none. */
export async function fetchBytes(base: string, path: string): Promise<Uint8Array> {
  const address = httpAddress(addressOf(base, { path, query: {} }));
  const response = await answerOf(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new CallError(`${address.href} returned ${response.status}`, { status: response.status });
  return bodyOf(response, address);
}

/** No response that can be used: a refusal in the words of the service, or no response at all. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** Undefined where there is no response. */
  readonly status: number | undefined;
  /** The problem code of a refusal. */
  readonly code: string | undefined;

  constructor(message: string, { status, code }: { readonly status?: number; readonly code?: string } = {}) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Whether what was asked may have been done all the same. */
export function isOpen(error: unknown): boolean {
  return error instanceof CallError && (error.status === undefined || error.status >= 500);
}

interface CallOptions {
  /** Sent as it is, in its own spelling. */
  readonly body?: string;
  /** How the fields of the input are named to whoever typed the command. */
  readonly nameOf?: FieldName;
}

/** Calls an operation and gives its response; throws the words of its refusal. */
export async function callOperation(
  base: string,
  id: OperationId,
  input: Readonly<Record<string, unknown>>,
  { body, nameOf = (name) => name }: CallOptions = {},
): Promise<Record<string, unknown>> {
  const request = prepareRequest(id, input);
  const text = await answerText(base, body === undefined ? request : { ...request, body }, nameOf);
  const answer = objectIn(text);
  if (answer === undefined) {
    throw new CallError(`${addressOf(base, request)} did not return a JSON object. Is this an Avouch address?`);
  }
  return answer;
}

/** The text of the response to a request; throws the words of its refusal. */
export async function answerText(base: string, request: PreparedRequest, nameOf?: FieldName): Promise<string> {
  const response = await sent(base, request, { signal: AbortSignal.timeout(TIMEOUT_MS), nameOf });
  return textOf(response, httpAddress(addressOf(base, request)));
}

/** The pieces of a response that has no end. */
export async function answerPieces(
  base: string,
  request: PreparedRequest,
  nameOf?: FieldName,
): Promise<AsyncIterable<Uint8Array>> {
  const { body } = await sent(base, request, { nameOf });
  return (body ?? []) as AsyncIterable<Uint8Array>;
}

interface SendOptions {
  readonly signal?: AbortSignal;
  readonly nameOf: FieldName | undefined;
}

async function sent(base: string, request: PreparedRequest, { signal, nameOf }: SendOptions): Promise<Response> {
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
  throw refusedCall(await textOf(response, address), response.status, { address, nameOf });
}

async function answerOf(address: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch {
    throw new CallError(`Cannot reach ${address.origin}. Check the address and that the service is running.`);
  }
}

interface RefusedCall {
  readonly address: URL;
  readonly nameOf?: FieldName | undefined;
}

/** What a service says where it does not do what it was asked. */
export function refusedCall(text: string, status: number, { address, nameOf }: RefusedCall): CallError {
  const { code, detail, errors, wait_s: wait } = objectIn(text) ?? {};
  // attacker-controlled: whatever is not of that shape is not shown
  if (typeof code !== 'string' || typeof detail !== 'string') {
    return new CallError(`${address.href} returned ${status}`, { status });
  }
  const named = fieldProblems(problemsIn(errors), nameOf);
  if (named.length > 0) return new CallError(named.join(' '), { status, code });
  const isWaitKnown = typeof wait === 'number' && wait > 0 && !detail.includes(`${wait} s`);
  const waits = isWaitKnown ? [`Wait at most ${wait} s.`] : [];
  return new CallError([`Refused (${status} ${code}): ${asSentence(detail)}`, ...waits].join(' '), { status, code });
}

/** Every field that the service found wrong. */
function problemsIn(errors: unknown): FieldProblem[] {
  const listed = Array.isArray(errors) ? (errors as Partial<Record<keyof FieldProblem, unknown>>[]) : [];
  return listed.map((one) => ({
    pointer: String(one?.pointer),
    code: String(one?.code),
    detail: String(one?.detail),
  }));
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
    throw new CallError(`The connection to ${href} closed early. Try again.`);
  }
  if (length > MAX_BYTES) throw new Error(`${href} returned more than ${MAX_BYTES} bytes.`);
  return Buffer.concat(chunks);
}

/** An address that can be asked. */
export function httpAddress(url: string): URL {
  const address = URL.parse(url);
  if (address === null || !/^https?:$/.test(address.protocol))
    throw new UsageError(`${JSON.stringify(url)} is not an address: it must begin with http:// or https://.`);
  return address;
}

/** Every Ed25519 key with which the service says that it signs or signed checkpoints. */
export async function logKeysOf(base: string): Promise<string[]> {
  const keys = await publishedKeys(base, 'log-checkpoint', 'vkey');
  if (keys.length === 0) throw new Error('The service publishes no log key.');
  return keys;
}

/** Every public key with which the service says that it signs or signed receipts. */
export async function receiptKeysOf(base: string): Promise<string[]> {
  const keys = await publishedKeys(base, 'receipts', 'public_key');
  if (keys.length === 0) throw new Error('The service publishes no receipt key.');
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
