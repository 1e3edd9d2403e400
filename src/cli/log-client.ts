import { UsageError } from './command.ts';

const TIMEOUT_MS = 30_000;
/** A full bundle of the longest entries that C2SP allows is 16.8 MB. */
const MAX_BYTES = 17_000_000;

/** Reads bytes below the address of a service; throws one clear sentence when there are none. */
export async function fetchBytes(base: string, path: string): Promise<Uint8Array> {
  const address = addressOf(base, path);
  let response: Response;
  try {
    response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    throw new Error(`${address.href} cannot be reached: check the address and that the service runs`);
  }
  if (!response.ok) throw new Error(`${address.href} answers ${response.status}`);
  return bodyOf(response, address);
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

/** Every key with which the service says that it signs or signed checkpoints. */
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
    const { keys } = JSON.parse(text) as { keys: { scope: unknown; vkey: unknown; public_key: unknown }[] };
    const named = keys.filter((key) => key.scope === scope).map((key) => key[member]);
    return named.filter((key) => typeof key === 'string');
  } catch {
    return [];
  }
}
