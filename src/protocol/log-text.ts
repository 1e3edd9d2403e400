import { ProtocolError, type ProtocolErrorCode } from './protocol-error.ts';

/** A size or an index. Parsers give bigint, because C2SP allows 63 bits and JavaScript numbers hold 53. */
export type LogInteger = number | bigint;

export const HASH_BYTES = 32;
export const HASH_BASE64_LENGTH = 44;
/** C2SP tlog-witness lets no client send more hashes than a tree of 63 bits can need. */
export const C2SP_MAX_PROOF_HASHES = 63;

const MAX_LOG_INTEGER = 2n ** 63n - 1n;
const DECIMAL = /^(?:0|[1-9][0-9]{0,18})$/;
// A byte order mark must stay in the text: what is signed is what was sent.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The value as bigint when it is an integer from 0 to 2^63-1, whatever its type; otherwise undefined. */
export function logInteger(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  return typeof value === 'bigint' && value >= 0n && value <= MAX_LOG_INTEGER ? value : undefined;
}

/** True for exactly 32 bytes. */
export function isHash(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && value.length === HASH_BYTES;
}

/** The text of well-formed Unicode within the bound, from bytes or from a string; throws the given code otherwise. */
export function readText(input: unknown, maxBytes: number, code: ProtocolErrorCode): string {
  // attacker-controlled: length before content
  if (typeof input === 'string') {
    if (input.length > maxBytes) throw new ProtocolError(code, `longer than ${maxBytes} characters`);
    if (!input.isWellFormed()) throw new ProtocolError(code, 'not well-formed Unicode');
    return input;
  }
  if (!(input instanceof Uint8Array)) throw new ProtocolError(code, 'neither text nor bytes');
  if (input.length > maxBytes) throw new ProtocolError(code, `longer than ${maxBytes} bytes`);
  try {
    return utf8.decode(input);
  } catch {
    throw new ProtocolError(code, 'not valid UTF-8');
  }
}

/** The bytes to sign of a text that is one: nothing is turned into text on the way. */
export function textBytes(text: string): Uint8Array {
  if (typeof text !== 'string' || !text.isWellFormed()) throw new ProtocolError('argument_invalid', 'not a text');
  return Buffer.from(text);
}

/** ASCII decimal without leading zeros, up to 2^63-1; otherwise undefined. */
export function parseDecimal(text: string): bigint | undefined {
  return DECIMAL.test(text) ? logInteger(BigInt(text)) : undefined;
}

/** RFC 4648 section 4 with padding, in its one canonical spelling; otherwise undefined. */
export function parseBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const bytes = Buffer.from(text, 'base64');
  // Buffer skips what it does not know and ignores stray bits, so a second spelling shows only in the way back.
  return bytes.toString('base64') === text ? bytes : undefined;
}

/** One hash of 32 bytes in base64; otherwise undefined. */
export function parseHash(text: string): Uint8Array | undefined {
  if (text.length !== HASH_BASE64_LENGTH) return undefined;
  const hash = parseBase64(text);
  return isHash(hash) ? hash : undefined;
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}
