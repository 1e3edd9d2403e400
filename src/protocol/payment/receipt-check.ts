import { ed25519Verify } from '../ed25519.ts';
import { RECEIPT_KINDS, receiptBytes, resultSha256 } from './receipt.ts';
import { type FingerprintedRequest, requestFingerprint } from './request-fingerprint.ts';

/** A public key that the service says is or was its own. */
export interface PublishedKey {
  readonly kid: string;
  /** Raw, base64. */
  readonly publicKey: string;
  readonly role: string;
  readonly retiredAt: string | null;
}

interface ReceiptCheck {
  readonly name: 'signature' | 'key_published' | 'result_sha256' | 'request_sha256';
  /** Null when the part that it needs was not given. */
  readonly ok: boolean | null;
}

export interface ReceiptVerdict {
  /** True when no check failed. */
  readonly valid: boolean;
  readonly checks: readonly ReceiptCheck[];
  /** The published key that signed. */
  readonly key: PublishedKey | undefined;
  /** Undefined when the receipt does not say. */
  readonly sandbox: boolean | undefined;
}

export interface ReceiptQuestion {
  /** attacker-controlled */
  readonly receipt: unknown;
  readonly result?: unknown;
  readonly request?: FingerprintedRequest | undefined;
  readonly keys: readonly PublishedKey[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Says which of a receipt's promises hold. Never throws for a bad receipt. */
export function verifyReceipt({ receipt, result, request, keys }: ReceiptQuestion): ReceiptVerdict {
  const fields = fieldsOf(receipt);
  const key = keys.find(({ kid, publicKey }) => kid === fields.kid && publicKey === fields.signer_pubkey);
  const checks: readonly ReceiptCheck[] = [
    { name: 'signature', ok: isKnownKind(fields) && isSigned(fields) },
    { name: 'key_published', ok: key !== undefined },
    { name: 'result_sha256', ok: isSame(fields.result_sha256, result, resultSha256) },
    { name: 'request_sha256', ok: isSame(fields.request_sha256, request, requestFingerprint) },
  ];
  const valid = checks.every(({ ok }) => ok !== false);
  return { valid, checks, key, sandbox: typeof fields.sandbox === 'boolean' ? fields.sandbox : undefined };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** A signature over something that is no receipt proves nothing about a receipt. */
function isKnownKind({ type, kind, sandbox }: Fields): boolean {
  if (typeof type !== 'string' || !Object.hasOwn(RECEIPT_KINDS, type) || typeof sandbox !== 'boolean') return false;
  return (RECEIPT_KINDS[type as keyof typeof RECEIPT_KINDS] as readonly unknown[]).includes(kind);
}

function isSigned(fields: Fields): boolean {
  const publicKey = strictBase64(fields.signer_pubkey);
  const signature = strictBase64(fields.signature);
  if (publicKey === undefined || signature === undefined) return false;
  try {
    return ed25519Verify(publicKey, receiptBytes(fields), signature);
  } catch {
    return false; // no canonical form
  }
}

/** The bytes of a base64 text in its one spelling. */
function strictBase64(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string' || text.length > 128) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

function isSame<T>(claimed: unknown, part: T | undefined, digest: (part: T) => string): boolean | null {
  if (part === undefined) return null;
  try {
    return claimed === digest(part);
  } catch {
    return false;
  }
}
