/** A value of RLP: bytes, or a list of such values. */
export type Rlp = Uint8Array | readonly Rlp[];

const SHORT = 55;
/** No transaction nests deeper; what does is not read. */
const MAX_DEPTH = 8;

export function encodeRlp(value: Rlp): Uint8Array {
  if (!(value instanceof Uint8Array)) return prefixed(0xc0, Buffer.concat(value.map(encodeRlp)));
  return value.length === 1 && (value[0] as number) < 0x80 ? value : prefixed(0x80, value);
}

function prefixed(kind: 0x80 | 0xc0, payload: Uint8Array): Uint8Array {
  if (payload.length <= SHORT) return Buffer.concat([Uint8Array.of(kind + payload.length), payload]);
  const length = rlpUint(payload.length);
  return Buffer.concat([Uint8Array.of(kind + SHORT + length.length), length, payload]);
}

/** A number as RLP writes it: big-endian, without a leading zero. */
export function rlpUint(value: bigint | number): Uint8Array {
  const hex = value.toString(16);
  return hex === '0' ? new Uint8Array(0) : Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

/** Reads exactly one value in its only form; undefined for anything else. */
export function decodeRlp(bytes: Uint8Array): Rlp | undefined {
  const read = readItem(bytes, 0, 0);
  return read !== undefined && read.end === bytes.length ? read.value : undefined;
}

interface Read {
  readonly value: Rlp;
  readonly end: number;
}

/** attacker-controlled: every length is held against what there is. */
function readItem(bytes: Uint8Array, at: number, depth: number): Read | undefined {
  const first = bytes[at];
  if (first === undefined || depth > MAX_DEPTH) return undefined;
  if (first < 0x80) return { value: bytes.subarray(at, at + 1), end: at + 1 };
  const isList = first >= 0xc0;
  const code = first - (isList ? 0xc0 : 0x80);
  const lengthBytes = Math.max(0, code - SHORT);
  const start = at + 1 + lengthBytes;
  const length = code <= SHORT ? code : longLength(bytes.subarray(at + 1, start), lengthBytes);
  if (length === undefined || start + length > bytes.length) return undefined;
  const end = start + length;
  if (!isList) {
    const value = bytes.subarray(start, end);
    return length === 1 && (value[0] as number) < 0x80 ? undefined : { value, end };
  }
  const values: Rlp[] = [];
  for (let next = start; next < end; ) {
    const read = readItem(bytes.subarray(0, end), next, depth + 1);
    if (read === undefined) return undefined;
    values.push(read.value);
    next = read.end;
  }
  return { value: values, end };
}

function longLength(bytes: Uint8Array, expected: number): number | undefined {
  if (bytes.length !== expected || expected > 4 || bytes[0] === 0) return undefined;
  const length = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  return length > SHORT ? length : undefined;
}
