import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { thumbprint } from '../http-signature/public-key.ts';
import { malformed } from './ap2-error.ts';
import { fromBase64url, isObject } from './token-json.ts';

/** A public key on P-256, without any other member of its JWK. */
export interface P256Jwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
}

const COORDINATE_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** Refuses a private key, another curve and a point that is not on the curve. */
export function readP256Jwk(value: unknown, place: string): P256Jwk {
  // attacker-controlled
  if (!isObject(value) || value['kty'] !== 'EC' || value['crv'] !== 'P-256')
    throw malformed(`${place} must be a P-256 key.`);
  if ('d' in value) throw malformed(`${place} must not be a private key.`);
  const { alg = 'ES256', x, y } = value;
  const isWhole = [x, y].every((part) => typeof part === 'string' && fromBase64url(part)?.length === COORDINATE_BYTES);
  if (alg !== 'ES256' || !isWhole) throw malformed(`${place} must be a key for ES256.`);
  const jwk: P256Jwk = { kty: 'EC', crv: 'P-256', x: x as string, y: y as string };
  try {
    keyObject(jwk);
  } catch {
    throw malformed(`${place} must be a point on P-256.`);
  }
  return jwk;
}

function keyObject({ kty, crv, x, y }: P256Jwk): KeyObject {
  return createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
}

/**
 * True where the signature is the key's over this text. For each signature (r, s) there is a second one, (r, n - s), and
 * there are other keys that it fits: neither the signature nor the key says which text was signed before.
 */
export function es256Verify(jwk: P256Jwk, text: string, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  return verify('sha256', Buffer.from(text), { key: keyObject(jwk), dsaEncoding: 'ieee-p1363' }, signature);
}

/** RFC 7638. */
export function jwkThumbprint(jwk: P256Jwk): string {
  return thumbprint(keyObject(jwk));
}
