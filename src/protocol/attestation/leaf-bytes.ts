const PREFIX = Buffer.from('ATT-');
const RFC4648_BASE32_CODES = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');
export const ATTESTATION_ID_BYTES = 56;
const HASH_BYTES = 32;

/** True when the 56 bytes at `idAt` are the attestation id of the 32 bytes at `hashAt`; nothing is allocated. */
export function isIdOfHash(ids: Uint8Array, idAt: number, hashes: Uint8Array, hashAt: number): boolean {
  for (let i = 0; i < PREFIX.length; i += 1) if (ids[idAt + i] !== PREFIX[i]) return false;
  let pending = 0;
  let pendingBits = 0;
  let at = idAt + PREFIX.length;
  for (let i = 0; i < HASH_BYTES; i += 1) {
    pending = ((pending & 0x1f) << 8) | (hashes[hashAt + i] as number);
    pendingBits += 8;
    while (pendingBits >= 5) {
      pendingBits -= 5;
      if (ids[at++] !== RFC4648_BASE32_CODES[(pending >>> pendingBits) & 0x1f]) return false;
    }
  }
  return ids[at] === RFC4648_BASE32_CODES[(pending << (5 - pendingBits)) & 0x1f];
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
