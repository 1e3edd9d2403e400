import { X509Certificate } from 'node:crypto';
import { Ap2Error } from './ap2-error.ts';
import { type P256Jwk, readP256Jwk } from './es256.ts';
import { isObject, type JsonObject } from './token-json.ts';

/** Whom an operator trusts to know the users whose mandates are imported. */
export interface Ap2Roots {
  readonly certificates: readonly X509Certificate[];
  /** By `kid`. */
  readonly keys: ReadonlyMap<string, P256Jwk>;
}

export const NO_ROOTS: Ap2Roots = { certificates: [], keys: new Map() };

const MAX_CHAIN = 5;
const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** Certificates in PEM, or a JWK set whose keys have a `kid`, with certificates in its member `certificates`. */
export function parseAp2Roots(text: string): Ap2Roots {
  const set: unknown = text.trimStart().startsWith('{') ? JSON.parse(text) : { certificates: text.match(PEM) ?? [] };
  const { keys = [], certificates = [] } = isObject(set) ? set : {};
  if (!Array.isArray(keys) || !Array.isArray(certificates) || keys.length + certificates.length === 0) {
    throw new TypeError('it has no certificate and no key');
  }
  return {
    certificates: certificates.map((pem) => new X509Certificate(String(pem))),
    keys: new Map(keys.map((key: unknown, i) => [kidOf(key, i), readP256Jwk(key, `key ${i + 1}`)])),
  };
}

function kidOf(key: unknown, i: number): string {
  const kid = isObject(key) ? key['kid'] : undefined;
  if (typeof kid !== 'string' || kid === '') throw new TypeError(`key ${i + 1} has no kid`);
  return kid;
}

/** The key that signed a token with this header, where the operator trusts it; undefined where it does not. */
export function trustedKey({ kid, x5c }: JsonObject, roots: Ap2Roots, nowMs: number): P256Jwk | undefined {
  if (typeof kid === 'string' && roots.keys.has(kid)) return roots.keys.get(kid);
  // attacker-controlled
  if (!Array.isArray(x5c) || x5c.length > MAX_CHAIN || roots.certificates.length === 0) return undefined;
  try {
    const chain = x5c.map((der) => new X509Certificate(Buffer.from(String(der), 'base64')));
    const [leaf] = chain;
    if (leaf === undefined || !isTrusted(chain, roots, nowMs)) return undefined;
    return readP256Jwk(leaf.publicKey.export({ format: 'jwk' }), 'the certificate');
  } catch (error) {
    const isUnusable = error instanceof Ap2Error || (error instanceof Error && 'code' in error);
    if (isUnusable) return undefined;
    throw error;
  }
}

/** Every certificate is issued by the next, the last one by a root, and all of them are valid now. */
function isTrusted(chain: readonly X509Certificate[], { certificates }: Ap2Roots, nowMs: number): boolean {
  const last = chain.at(-1);
  const root = certificates.find((one) => last !== undefined && (isSame(one, last) || isIssuedBy(last, one)));
  if (root === undefined) return false;
  const isLinked = chain.slice(1).every((issuer, i) => isIssuedBy(chain[i] as X509Certificate, issuer));
  return isLinked && [...chain, root].every((one) => isCurrent(one, nowMs));
}

function isSame(one: X509Certificate, other: X509Certificate): boolean {
  return one.fingerprint256 === other.fingerprint256;
}

function isIssuedBy(one: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && one.checkIssued(issuer) && one.verify(issuer.publicKey);
}

function isCurrent({ validFromDate, validToDate }: X509Certificate, nowMs: number): boolean {
  return validFromDate.getTime() <= nowMs && nowMs < validToDate.getTime();
}
