const PREFIX = Buffer.from('ATT-');
export const ATTESTATION_ID_BYTES = 56;
/** The two letters of RFC 4648 base32 for every ten bits, the first one in the high byte. */
const BASE32_PAIRS = Uint16Array.from({ length: 1_024 }, (_, bits) => (letter(bits >>> 5) << 8) | letter(bits & 0x1f));

function letter(bits: number): number {
  return 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charCodeAt(bits);
}

/** True when the 56 bytes at `idAt` are the attestation id of the 32 bytes at `hashAt`; nothing is allocated. */
export function isIdOfHash(ids: Uint8Array, idAt: number, hashes: Uint8Array, hashAt: number): boolean {
  for (let i = 0; i < PREFIX.length; i += 1) if (ids[idAt + i] !== PREFIX[i]) return false;
  let at = idAt + PREFIX.length;
  // Five bytes are eight letters, six times; two bytes are left, the last six bits of which end in four zeros.
  for (let from = hashAt; from < hashAt + 30; from += 5, at += 8) {
    const b = hashes[from + 1] as number;
    const c = hashes[from + 2] as number;
    const d = hashes[from + 3] as number;
    if (!hasPair(ids, at, ((hashes[from] as number) << 2) | (b >>> 6))) return false;
    if (!hasPair(ids, at + 2, ((b & 0x3f) << 4) | (c >>> 4))) return false;
    if (!hasPair(ids, at + 4, ((c & 0x0f) << 6) | (d >>> 2))) return false;
    if (!hasPair(ids, at + 6, ((d & 0x03) << 8) | (hashes[from + 4] as number))) return false;
  }
  const last = hashes[hashAt + 31] as number;
  return (
    hasPair(ids, at, ((hashes[hashAt + 30] as number) << 2) | (last >>> 6)) && hasPair(ids, at + 2, (last & 0x3f) << 4)
  );
}

function hasPair(ids: Uint8Array, at: number, bits: number): boolean {
  return (((ids[at] as number) << 8) | (ids[at + 1] as number)) === BASE32_PAIRS[bits];
}

/** The ends that a canonical leaf may have after its time: the last names of an entry are sealed_at, type, v, verdict. */
const ENDS = [
  '","type":"seal","v":1,"verdict":"ACCEPT"}',
  '","type":"seal","v":1,"verdict":"REJECT"}',
  '","type":"mark","v":1}',
  '","type":"release","v":1}',
].map((end) => Buffer.from(end));
const NAME = Buffer.from('"sealed_at":"');
export const UTC_MILLISECONDS_BYTES = 24;

/**
 * Where the 24 bytes of sealed_at begin in the leaf that ends at `end`; -1 when it does not end as an entry does.
 * Exact for every leaf that parseLeaf takes, without parsing it.
 */
export function sealedAtOffset(bytes: Uint8Array, start: number, end: number): number {
  for (const text of ENDS) {
    const from = end - text.length;
    const timeAt = from - UTC_MILLISECONDS_BYTES;
    const nameAt = timeAt - NAME.length;
    if (nameAt > start && hasAt(bytes, from, text) && hasAt(bytes, nameAt, NAME)) return timeAt;
  }
  return -1;
}

/** From the back: the ends differ there first. */
function hasAt(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let i = text.length - 1; i >= 0; i -= 1) if (bytes[at + i] !== text[i]) return false;
  return true;
}
