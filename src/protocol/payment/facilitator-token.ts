import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { ed25519PrivateKeyFromSeed, ed25519PublicBytes } from '../ed25519.ts';
import { publicKeyOf } from '../note-key.ts';

/** How long a token is good. */
const LIFE_SECONDS = 120;
const SECRET_BYTES = 64;
const SEED_BYTES = 32;

export interface FacilitatorKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

/** The call that a token is for, and no other. */
export interface TokenCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** 32 hex digits, new for each token. */
  readonly nonce: string;
  readonly nowSeconds: number;
}

/** How a token names a call: method, host and path, without the scheme. */
export function tokenUri(method: string, url: string): string {
  const { host, pathname } = new URL(url);
  return `${method} ${host}${pathname}`;
}

/** A bearer token in the form of the CDP facilitator: a JWT (RFC 7519) that is good for one method and path. */
export function facilitatorToken({ keyId, privateKey }: FacilitatorKey, call: TokenCall): string {
  const { method, url, nonce, nowSeconds } = call;
  const isEd25519 = privateKey.asymmetricKeyType === 'ed25519';
  const header = { alg: isEd25519 ? 'EdDSA' : 'ES256', kid: keyId, typ: 'JWT', nonce };
  const claims = {
    sub: keyId,
    iss: 'cdp',
    uris: [tokenUri(method, url)],
    iat: nowSeconds,
    nbf: nowSeconds,
    exp: nowSeconds + LIFE_SECONDS,
  };
  const input = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = isEd25519
    ? sign(null, Buffer.from(input), privateKey)
    : sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

/** The secret as a facilitator gives it out: base64 of an Ed25519 seed and its public key, or a P-256 key in PEM. */
export function facilitatorSecret(text: string): KeyObject | undefined {
  try {
    return text.includes('-----BEGIN') ? p256Key(text) : seedKey(text);
  } catch {
    return undefined;
  }
}

function p256Key(pem: string): KeyObject | undefined {
  const key = createPrivateKey(pem);
  return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
}

function seedKey(text: string): KeyObject | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== SECRET_BYTES || bytes.toString('base64') !== text) return undefined;
  const key = ed25519PrivateKeyFromSeed(bytes.subarray(0, SEED_BYTES));
  return bytes.subarray(SEED_BYTES).equals(ed25519PublicBytes(publicKeyOf(key, 'ed25519'))) ? key : undefined;
}
