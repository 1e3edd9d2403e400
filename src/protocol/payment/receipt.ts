import { hash, type KeyObject } from 'node:crypto';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { ed25519Sign } from '../ed25519.ts';
import type { SignedPart } from './coverage.ts';

/** Every receipt of the service: which type gives which kinds. */
export const RECEIPT_KINDS = {
  'avouch.verdict-receipt.v1': [
    'counterparty',
    'sanctions',
    'vehicle',
    'eu_vat',
    'uk_company',
    'uk_vehicle',
    'budget_audit',
    'spend_fuse',
    'coord_audit',
  ],
  'avouch.amh-receipt.v1': ['amh_verify', 'amh_seal'],
  'avouch.wallet-receipt.v1': ['capability', 'calculation', 'order', 'task'],
  'avouch.lease-receipt.v1': ['lease'],
} as const;

type ReceiptType = keyof typeof RECEIPT_KINDS;
type Subject = { [T in ReceiptType]: { readonly type: T; readonly kind: (typeof RECEIPT_KINDS)[T][number] } };
/** A type with one of its own kinds. */
export type ReceiptSubject = Subject[ReceiptType];

interface ReceiptPayment {
  readonly scheme: 'exact';
  readonly network: string;
  readonly asset: string;
  readonly pay_to: string;
  readonly payer: string;
  /** Atomic units. */
  readonly amount: string;
  readonly nonce: string;
  readonly transaction: string;
  readonly log_index: number;
}

/** What a wallet paid; the hash names the price table that was in force. */
interface ReceiptCharge {
  readonly charged_eur: string;
  readonly price_table_sha256?: string;
}

/** A receipt before it is signed; the optional members are there only when they say something. */
export type ReceiptBody = ReceiptSubject &
  SignedPart & {
    readonly receipt_id: `rcp_${string}`;
    readonly request_sha256: string;
    readonly issued_at: string;
    readonly issuer: string;
    readonly sandbox: boolean;
    readonly payment?: ReceiptPayment;
    readonly charge?: ReceiptCharge;
    readonly agent?: string;
    readonly system?: string;
  };

export interface ReceiptKey {
  readonly privateKey: KeyObject;
  /** Raw public key, base64. */
  readonly publicKey: string;
  /** `did:web:<host>#<key id>`. */
  readonly kid: string;
}

type SignerName = { readonly kid: string; readonly signer_pubkey: string };

export type UnsignedReceipt = ReceiptBody & SignerName;
export type Receipt = UnsignedReceipt & { readonly signature: string };

/** SHA-256 over the canonical JSON of a result, in hex: whoever has the result recomputes it. */
export function resultSha256(result: unknown): string {
  return hash('sha256', canonicalJson(result), 'hex');
}

/** The bytes under the signature. They begin with `{`, those of a JWS with `ey`: one key cannot confuse the two. */
export function receiptBytes(receipt: object): Uint8Array {
  const { signature: _, ...signed } = receipt as { signature?: unknown };
  return Buffer.from(canonicalJson(signed));
}

/** Signs what was asked, answered and paid. The one way in which the service makes a receipt. */
export function signReceipt(body: ReceiptBody, key: ReceiptKey): Receipt {
  return signedBy({ ...body, ...named(key) }, key.privateKey);
}

/** How a receipt names the key that it is signed with. */
function named({ kid, publicKey }: Pick<ReceiptKey, 'kid' | 'publicKey'>): SignerName {
  return { kid, signer_pubkey: publicKey };
}

function signedBy(unsigned: UnsignedReceipt, privateKey: KeyObject): Receipt {
  const signature = Buffer.from(ed25519Sign(privateKey, receiptBytes(unsigned))).toString('base64');
  return { ...unsigned, signature };
}

/** What of a receipt is known before there is an answer: what it is for, and which key will sign it. */
export type ReceiptFrame = ReceiptSubject &
  Pick<ReceiptBody, 'receipt_id' | 'request_sha256' | 'issuer' | 'sandbox'> &
  SignerName;

/** A receipt of an answer that is decided but not durable yet: whoever has the key that it names completes it. */
export function unsignedReceipt(frame: ReceiptFrame, signed: SignedPart, issuedAt: string): UnsignedReceipt {
  const { receipt_id, request_sha256, issuer, sandbox, kid, signer_pubkey, ...subject } = frame;
  return {
    ...subject,
    receipt_id,
    ...signed,
    request_sha256,
    issued_at: issuedAt,
    issuer,
    sandbox,
    kid,
    signer_pubkey,
  };
}

/** Adds the signature; a signature of Ed25519 comes out the same each time. One that is signed stays as it is. */
export function completeReceipt(receipt: UnsignedReceipt | Receipt, key: ReceiptKey): Receipt {
  if ('signature' in receipt) return receipt;
  return signedBy({ ...receipt, ...named(key) }, key.privateKey);
}
