import { ProtocolError } from './protocol-error.ts';

/** The part of CBOR (RFC 8949) that receipts and keys are made of. */
export type Cbor = number | string | Uint8Array | null | readonly Cbor[] | CborMap | CborTag;
export type CborMap = ReadonlyMap<number | string, Cbor>;

export class CborTag {
  readonly tag: number;
  readonly value: Cbor;

  constructor(tag: number, value: Cbor) {
    this.tag = tag;
    this.value = value;
  }
}

const UINT = 0;
const NEGATIVE = 1;
const BYTES = 2;
const TEXT = 3;
const ARRAY = 4;
const MAP = 5;
const TAG = 6;
const NULL = 0xf6;
const MAX_DEPTH = 8;
const TOO_LARGE = 'a number beyond 2^53';
/** Of additional information in a head: how many bytes follow, and the least value that needs them. */
const LONG_HEADS: Readonly<Record<number, { readonly bytes: number; readonly least: number }>> = {
  24: { bytes: 1, least: 24 },
  25: { bytes: 2, least: 0x100 },
  26: { bytes: 4, least: 0x1_0000 },
  27: { bytes: 8, least: 0x1_0000_0000 },
};
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Deterministic (RFC 8949, 4.2.1): shortest heads, definite lengths, map keys in the order of their bytes. */
export function encodeCbor(value: Cbor): Uint8Array {
  if (typeof value === 'number') return encodedInteger(value);
  if (value === null) return Uint8Array.of(NULL);
  if (typeof value === 'string') return joined(head(TEXT, Buffer.byteLength(value)), Buffer.from(value));
  if (value instanceof Uint8Array) return joined(head(BYTES, value.length), value);
  if (value instanceof CborTag) return joined(head(TAG, value.tag), encodeCbor(value.value));
  if (value instanceof Map) return encodedMap(value as CborMap);
  if (Array.isArray(value)) return joined(head(ARRAY, value.length), ...value.map((item) => encodeCbor(item as Cbor)));
  throw new ProtocolError('argument_invalid', 'not a value of CBOR');
}

function encodedInteger(value: number): Uint8Array {
  if (!Number.isSafeInteger(value)) throw new ProtocolError('argument_invalid', 'not a safe integer');
  return value < 0 ? head(NEGATIVE, -1 - value) : head(UINT, value);
}

function encodedMap(map: CborMap): Uint8Array {
  const members = [...map].map(([key, value]) => ({ key: encodeCbor(key), value: encodeCbor(value) }));
  members.sort((a, b) => Buffer.compare(a.key, b.key));
  return joined(head(MAP, map.size), ...members.flatMap(({ key, value }) => [key, value]));
}

function head(major: number, value: number): Uint8Array {
  const long = Object.entries(LONG_HEADS).findLast(([, { least }]) => value >= least);
  if (long === undefined) return Uint8Array.of((major << 5) | value);
  const [info, { bytes }] = long;
  const buffer = Buffer.alloc(1 + bytes);
  buffer[0] = (major << 5) | Number(info);
  if (bytes === 8) buffer.writeBigUInt64BE(BigInt(value), 1);
  else buffer.writeUIntBE(value, 1, bytes);
  return buffer;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

/** Reads one value that fills the bytes. Only what `encodeCbor` writes is accepted: a value has one encoding. */
export function decodeCbor(bytes: Uint8Array): Cbor {
  if (!(bytes instanceof Uint8Array)) throw new ProtocolError('argument_invalid', 'CBOR is bytes');
  const reader = new Reader(bytes);
  const value = reader.value(0);
  if (!reader.isAtEnd) throw malformed('bytes after the value');
  return value;
}

/** attacker-controlled: lengths are compared with what is left before anything is read or made. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  value(depth: number): Cbor {
    if (depth > MAX_DEPTH) throw malformed('nested too deeply');
    const first = this.#take(1)[0] as number;
    if (first === NULL) return null;
    const major = first >> 5;
    const argument = this.#argument(first & 0x1f);
    switch (major) {
      case UINT:
        return argument;
      case NEGATIVE:
        if (argument === Number.MAX_SAFE_INTEGER) throw malformed(TOO_LARGE);
        return -1 - argument;
      case BYTES:
        return new Uint8Array(this.#take(argument));
      case TEXT:
        return this.#text(argument);
      case ARRAY:
        return this.#array(argument, depth);
      case MAP:
        return this.#map(argument, depth);
      case TAG:
        return new CborTag(argument, this.value(depth + 1));
      default:
        throw malformed('a simple value or a float');
    }
  }

  #argument(info: number): number {
    if (info < 24) return info;
    const long = LONG_HEADS[info];
    if (long === undefined) throw malformed('an indefinite length');
    const value = this.#take(long.bytes).reduce((sum, byte) => sum * 256 + byte, 0);
    if (value < long.least) throw malformed('a head that is not the shortest');
    if (!Number.isSafeInteger(value)) throw malformed(TOO_LARGE);
    return value;
  }

  #text(length: number): string {
    try {
      return strictUtf8.decode(this.#take(length));
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      throw malformed('text that is not UTF-8');
    }
  }

  #array(length: number, depth: number): Cbor[] {
    this.#require(length);
    return Array.from({ length }, () => this.value(depth + 1));
  }

  #map(length: number, depth: number): CborMap {
    this.#require(2 * length);
    const map = new Map<number | string, Cbor>();
    let last: Uint8Array | undefined;
    for (let i = 0; i < length; i++) {
      const start = this.#at;
      const key = this.value(depth + 1);
      if (typeof key !== 'number' && typeof key !== 'string') throw malformed('a key that is neither number nor text');
      const encoded = this.#bytes.subarray(start, this.#at);
      if (last !== undefined && Buffer.compare(last, encoded) >= 0) throw malformed('keys out of order');
      last = encoded;
      map.set(key, this.value(depth + 1));
    }
    return map;
  }

  #take(length: number): Buffer {
    this.#require(length);
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  #require(length: number): void {
    if (length > this.#bytes.length - this.#at) throw malformed('ends too early');
  }
}

function malformed(detail: string): ProtocolError {
  return new ProtocolError('cbor_malformed', detail);
}
