import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';

const RFC8410_ED25519_SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const RFC8410_ED25519_PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;
const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** The 32 raw bytes of a public key. */
export function ed25519PublicBytes(key: KeyObject): Uint8Array {
  return key.export({ type: 'spki', format: 'der' }).subarray(RFC8410_ED25519_SPKI_PREFIX.length);
}

/** The private key of an RFC 8032 seed. */
export function ed25519PrivateKeyFromSeed(seed: Uint8Array): KeyObject {
  if (!(seed instanceof Uint8Array) || seed.length !== SEED_BYTES) throw new TypeError('an Ed25519 seed is 32 bytes');
  const der = Buffer.concat([RFC8410_ED25519_PKCS8_PREFIX, seed]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** How documents and receipts name a key: the first 8 bytes of SHA-256 over the raw public key, in hex. */
export function ed25519KeyId(publicKey: Uint8Array): string {
  return hash('sha256', publicKey, 'hex').slice(0, 16);
}

export function ed25519Sign(privateKey: KeyObject, message: Uint8Array): Uint8Array {
  return sign(null, message, privateKey);
}

/** True when the signature is the key's over exactly these bytes; false for any other input of the right types. */
export function ed25519Verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  // attacker-controlled: lengths before content
  if (publicKey.length !== PUBLIC_KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  try {
    const der = Buffer.concat([RFC8410_ED25519_SPKI_PREFIX, publicKey]);
    return verify(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
  } catch {
    return false;
  }
}
