import { ed25519Verify } from '../ed25519.ts';
import { agrees, coveredSha256, type Covers, readCovers, uncovered } from './coverage.ts';
import { RECEIPT_KINDS, receiptBytes } from './receipt.ts';
import { type FingerprintedRequest, requestFingerprint } from './request-fingerprint.ts';

/** A public key that the service says is or was its own. */
export interface PublishedReceiptKey {
  readonly kid: string;
  /** Raw, base64. */
  readonly publicKey: string;
  readonly role: string;
  readonly retiredAt: string | null;
}

interface ReceiptCheck {
  readonly name: 'signature' | 'key_published' | 'result_sha256' | 'request_sha256' | 'sandbox';
  /** Null when it was not made. */
  readonly ok: boolean | null;
}

/**
 * `valid`: a published key signed this answer, and the request too where one was given. `answer_not_given` and
 * `answer_not_covered`: a published key signed the receipt, and nothing is known of the answer.
 */
export const RECEIPT_OUTCOMES = ['valid', 'invalid', 'answer_not_given', 'answer_not_covered'] as const;
type ReceiptOutcome = (typeof RECEIPT_OUTCOMES)[number];

export interface ReceiptVerdict {
  readonly outcome: ReceiptOutcome;
  readonly checks: readonly ReceiptCheck[];
  /** Parts of the answer that the receipt does not sign, as JSON Pointers. */
  readonly uncovered: readonly string[];
  /** The published key that signed. */
  readonly key: PublishedReceiptKey | undefined;
  /** Undefined when the receipt does not say. */
  readonly sandbox: boolean | undefined;
}

export interface ReceiptQuestion {
  /** attacker-controlled */
  readonly receipt: unknown;
  /** The whole answer; what the receipt signs of it, the receipt says. */
  readonly answer?: Fields | undefined;
  readonly request?: FingerprintedRequest | undefined;
  readonly keys: readonly PublishedReceiptKey[];
  /** Whether the receipt must be of a sandbox; else it must not be of one. */
  readonly sandbox: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Says which of a receipt's promises hold. Never throws for a bad receipt. */
export function verifyReceipt({ receipt, answer, request, keys, sandbox }: ReceiptQuestion): ReceiptVerdict {
  const fields = fieldsOf(receipt);
  const covers = readCovers(fields.covers);
  const key = keys.find(({ kid, publicKey }) => kid === fields.kid && publicKey === fields.signer_pubkey);
  const checks: readonly ReceiptCheck[] = [
    { name: 'signature', ok: isKnownKind(fields) && isSigned(fields) },
    { name: 'key_published', ok: key !== undefined },
    { name: 'result_sha256', ok: answer === undefined ? null : isAnswer(answer, fields, covers) },
    { name: 'request_sha256', ok: isRequest(request, fields) },
    { name: 'sandbox', ok: fields.sandbox === sandbox },
  ];
  return {
    outcome: outcomeOf(checks, answer),
    checks,
    uncovered: answer === undefined || covers === undefined ? [] : uncovered(answer, covers),
    key,
    sandbox: typeof fields.sandbox === 'boolean' ? fields.sandbox : undefined,
  };
}

function outcomeOf(checks: readonly ReceiptCheck[], answer: Fields | undefined): ReceiptOutcome {
  if (checks.some(({ ok }) => ok === false)) return 'invalid';
  if (answer === undefined) return 'answer_not_given';
  return checks.some(({ name, ok }) => name === 'result_sha256' && ok === null) ? 'answer_not_covered' : 'valid';
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

/** Null for a receipt that does not say what it covers. */
function isAnswer(answer: Fields, receipt: Fields, covers: Covers | undefined): boolean | null {
  if (covers === undefined) return receipt.covers === undefined ? null : false;
  try {
    const digest = coveredSha256(answer, covers);
    return digest !== undefined && receipt.result_sha256 === digest && agrees(answer, receipt);
  } catch {
    return false; // no canonical form
  }
}

function isRequest(request: FingerprintedRequest | undefined, { request_sha256: signed }: Fields): boolean | null {
  if (request === undefined) return null;
  try {
    return signed === requestFingerprint(request);
  } catch {
    return false; // no canonical form
  }
}
