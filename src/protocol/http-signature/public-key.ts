import { constants, createPublicKey, hash, type KeyObject, verify } from 'node:crypto';

/** Algorithms of RFC 9421, 3.3 that a public key can have. */
export type SignatureAlgorithm = 'ed25519' | 'ecdsa-p256-sha256' | 'rsa-pss-sha512';

/** A key of a directory. */
export interface PublicKey {
  /** RFC 7638 thumbprint, recomputed from the key. */
  readonly keyid: string;
  readonly algorithm: SignatureAlgorithm;
  readonly key: KeyObject;
}

interface KeyForm {
  readonly algorithm: SignatureAlgorithm;
  /** Members of its thumbprint, in the order of RFC 7638. */
  readonly members: readonly string[];
  readonly curve?: string;
}

const FORMS: Readonly<Record<string, KeyForm>> = {
  OKP: { algorithm: 'ed25519', members: ['crv', 'kty', 'x'], curve: 'Ed25519' },
  EC: { algorithm: 'ecdsa-p256-sha256', members: ['crv', 'kty', 'x', 'y'], curve: 'P-256' },
  RSA: { algorithm: 'rsa-pss-sha512', members: ['e', 'kty', 'n'] },
};
const MIN_RSA_BITS = 2_048;
const MAX_RSA_BITS = 4_096;
const RFC9421_PSS_SALT_BYTES = 64;

/** The public key of a JWK (attacker-controlled); undefined for a kind that is not verified here. */
export function readJwk(jwk: unknown): PublicKey | undefined {
  if (typeof jwk !== 'object' || jwk === null) return undefined;
  const { kty, crv } = jwk as Readonly<Record<string, unknown>>;
  const form = typeof kty === 'string' && Object.hasOwn(FORMS, kty) ? FORMS[kty] : undefined;
  if (form === undefined || (form.curve !== undefined && crv !== form.curve)) return undefined;
  try {
    const given = jwk as Readonly<Record<string, unknown>>;
    const members = Object.fromEntries(form.members.map((name) => [name, given[name]]));
    const key = createPublicKey({ key: members, format: 'jwk' });
    const bits = key.asymmetricKeyDetails?.modulusLength;
    if (bits !== undefined && (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS)) return undefined;
    return { keyid: thumbprint(key), algorithm: form.algorithm, key };
  } catch {
    return undefined;
  }
}

/** RFC 7638 over SHA-256, of the public part of a key: from the key, so that no second spelling of a JWK has another one. */
export function thumbprint(key: KeyObject): string {
  const jwk: Readonly<Record<string, unknown>> = { ...key.export({ format: 'jwk' }) };
  const { members } = FORMS[String(jwk['kty'])] as KeyForm;
  return hash('sha256', JSON.stringify(Object.fromEntries(members.map((name) => [name, jwk[name]]))), 'base64url');
}

export function verifySignature({ algorithm, key }: PublicKey, base: string, signature: Uint8Array): boolean {
  const message = Buffer.from(base, 'latin1');
  try {
    switch (algorithm) {
      case 'ed25519':
        return verify(null, message, key, signature);
      case 'ecdsa-p256-sha256':
        return verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature);
      case 'rsa-pss-sha512': {
        const padding = constants.RSA_PKCS1_PSS_PADDING;
        return verify('sha512', message, { key, padding, saltLength: RFC9421_PSS_SALT_BYTES }, signature);
      }
    }
  } catch {
    return false;
  }
}
