import type { Id } from '#kernel/ids.ts';

export type AttestationId = Id<'ATT-'>;

const PREFIX = 'ATT-';
const HASH_BYTES = 32;
const RFC4648_BASE32_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** 52 digits hold 260 bits: the last one carries a single bit of the hash, so that each hash has one text only. */
export const ATTESTATION_ID_PATTERN = '^ATT-[A-Z2-7]{51}[AQ]$';
const ATTESTATION_ID = new RegExp(ATTESTATION_ID_PATTERN);

/** RFC 4648 base32 without padding. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let pending = 0;
  let pendingBits = 0;
  for (const byte of bytes) {
    pending = ((pending & 0x1f) << 8) | byte;
    pendingBits += 8;
    while (pendingBits >= 5) {
      pendingBits -= 5;
      text += RFC4648_BASE32_ALPHABET[(pending >>> pendingBits) & 0x1f];
    }
  }
  return pendingBits === 0 ? text : text + RFC4648_BASE32_ALPHABET[(pending << (5 - pendingBits)) & 0x1f];
}

/** The id of a log entry: anyone who holds the entry recomputes it. */
export function attestationId(leafHash: Uint8Array): AttestationId {
  if (leafHash.length !== HASH_BYTES) throw new TypeError('a leaf hash has 32 bytes');
  return `${PREFIX}${base32(leafHash)}`;
}

export function isAttestationId(text: unknown): text is AttestationId {
  return typeof text === 'string' && ATTESTATION_ID.test(text); // attacker-controlled
}

/** The leaf hash that an id names, or null for any text that is not exactly the id of some hash. */
export function parseAttestationId(text: string): Uint8Array | null {
  if (!isAttestationId(text)) return null;
  const bytes = new Uint8Array(HASH_BYTES);
  let pending = 0;
  let pendingBits = 0;
  let at = 0;
  for (const digit of text.slice(PREFIX.length)) {
    pending = ((pending & 0x7f) << 5) | RFC4648_BASE32_ALPHABET.indexOf(digit);
    pendingBits += 5;
    if (pendingBits >= 8) {
      pendingBits -= 8;
      bytes[at++] = (pending >>> pendingBits) & 0xff;
    }
  }
  return bytes;
}
