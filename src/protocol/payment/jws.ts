import { canonicalJson } from '#kernel/canonical-json.ts';
import { parseExactJson } from '#kernel/exact-json.ts';
import { ed25519Sign, ed25519Verify } from '../ed25519.ts';
import type { ReceiptKey } from './receipt.ts';

/** Longer than any offer or receipt for an address of 8 KiB. */
const MAX_JWS_CHARS = 16_384;
const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/** A compact JWS (RFC 7515) with EdDSA over the canonical JSON of the payload. */
export function signJws(payload: object, { kid, privateKey }: Pick<ReceiptKey, 'kid' | 'privateKey'>): string {
  const header = Buffer.from(canonicalJson({ alg: 'EdDSA', kid })).toString('base64url');
  const input = `${header}.${Buffer.from(canonicalJson(payload)).toString('base64url')}`;
  return `${input}.${Buffer.from(ed25519Sign(privateKey, Buffer.from(input))).toString('base64url')}`;
}

/** The payload of a JWS that this key signed, else undefined. */
export function verifyJws(jws: string, publicKey: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  // attacker-controlled
  if (jws.length > MAX_JWS_CHARS || !COMPACT.test(jws)) return undefined;
  const [header, payload, signature] = jws.split('.') as [string, string, string];
  if (jsonOf(header)?.alg !== 'EdDSA') return undefined;
  const isSigned = ed25519Verify(publicKey, Buffer.from(`${header}.${payload}`), Buffer.from(signature, 'base64url'));
  return isSigned ? jsonOf(payload) : undefined;
}

function jsonOf(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const { value, faults } = parseExactJson(Buffer.from(part, 'base64url').toString());
    return faults.length === 0 && typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
