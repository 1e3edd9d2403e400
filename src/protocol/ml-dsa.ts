import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** RFC 9881: the DER in front of the raw public key, and in front of the seed of a private key. */
const RFC9881_ML_DSA_44_SPKI_PREFIX = Buffer.from('30820532300b06096086480165030403110382052100', 'hex');
const RFC9881_ML_DSA_44_SEED_PREFIX = Buffer.from('3034020100300b060960864801650304031104228020', 'hex');
const SEED_BYTES = 32;
const PUBLIC_KEY_BYTES = 1312;
const SIGNATURE_BYTES = 2420;

/** The 1312 raw bytes of a public key. */
export function mlDsa44PublicBytes(key: KeyObject): Uint8Array {
  return key.export({ type: 'spki', format: 'der' }).subarray(RFC9881_ML_DSA_44_SPKI_PREFIX.length);
}

/** The private key of a FIPS 204 seed. */
export function mlDsa44PrivateKeyFromSeed(seed: Uint8Array): KeyObject {
  if (!(seed instanceof Uint8Array) || seed.length !== SEED_BYTES) throw new TypeError('an ML-DSA seed is 32 bytes');
  const der = Buffer.concat([RFC9881_ML_DSA_44_SEED_PREFIX, seed]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** OpenSSL hedges the signature with fresh randomness: two signatures over the same bytes differ, and both are good. */
export function mlDsa44Sign(privateKey: KeyObject, message: Uint8Array): Uint8Array {
  return sign(null, message, privateKey);
}

/** True when the signature is the key's over exactly these bytes; false for any other input of the right types. */
export function mlDsa44Verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  // attacker-controlled: lengths before content
  if (publicKey.length !== PUBLIC_KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  try {
    const der = Buffer.concat([RFC9881_ML_DSA_44_SPKI_PREFIX, publicKey]);
    return verify(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
  } catch {
    return false;
  }
}
