import { isoTime } from '#kernel/clock.ts';
import { type KeyRing, SignerError } from '#platform/keys/key-ring.ts';
import type { SignedPart } from '#protocol/payment/coverage.ts';
import {
  completeReceipt,
  type Receipt,
  type ReceiptBody,
  type ReceiptFrame,
  type ReceiptKey,
  type ReceiptSubject,
  signReceipt,
  type UnsignedReceipt,
} from '#protocol/payment/receipt.ts';
import type { PublishedReceiptKey } from '#protocol/payment/receipt-check.ts';

/** A receipt of an answer that nobody paid for over x402. */
export type UnpaidReceipt = ReceiptSubject & {
  /** Of answers that a wallet paid. */
  readonly charge?: ReceiptBody['charge'];
  readonly receiptId: `rcp_${string}`;
  readonly signed: SignedPart;
  readonly requestSha256: string;
  readonly issuedAt: string;
};

export interface ReceiptSignerOptions {
  readonly keyRing: Pick<KeyRing, 'records' | 'signingKey' | 'privateKey'>;
  readonly baseUrl: () => string;
  readonly sandbox: boolean;
}

/** Signs receipts in the name of the public address. */
export class ReceiptSigner {
  readonly #options: ReceiptSignerOptions;
  #did: { readonly baseUrl: string; readonly did: string } | undefined;

  constructor(options: ReceiptSignerOptions) {
    this.#options = options;
  }

  sign({ receiptId, signed, requestSha256, issuedAt, charge, ...subject }: UnpaidReceipt): Receipt {
    const { baseUrl, sandbox } = this.#options;
    return signReceipt(
      {
        ...subject,
        receipt_id: receiptId,
        ...signed,
        request_sha256: requestSha256,
        issued_at: issuedAt,
        issuer: baseUrl(),
        sandbox,
        ...(charge !== undefined && { charge }),
      },
      this.current(),
    );
  }

  /** What a receipt will say, for an answer that a transaction decides: `complete` signs it when that is durable. */
  frame(of: ReceiptSubject & Pick<UnpaidReceipt, 'receiptId' | 'requestSha256'>): ReceiptFrame {
    const { receiptId, requestSha256, ...subject } = of;
    const { baseUrl, sandbox } = this.#options;
    const { kid, publicKey } = this.current();
    const about = { receipt_id: receiptId, request_sha256: requestSha256, issuer: baseUrl(), sandbox };
    return { ...subject, ...about, kid, signer_pubkey: publicKey };
  }

  /** By the key that the receipt names, also when another is in force by now; by that one where its file is gone. */
  complete(receipt: UnsignedReceipt | Receipt): Receipt {
    return completeReceipt(receipt, this.#named(receipt) ?? this.current());
  }

  #named({ kid, signer_pubkey: publicKey }: UnsignedReceipt): ReceiptKey | undefined {
    const record = this.#records().find((one) => one.publicKey === publicKey);
    if (record === undefined) return undefined;
    try {
      return { privateKey: this.#options.keyRing.privateKey(record.keyId), publicKey, kid };
    } catch (error) {
      if (error instanceof SignerError) return undefined;
      throw error;
    }
  }

  did(): string {
    const baseUrl = this.#options.baseUrl();
    // Every price is asked for in its name.
    if (this.#did?.baseUrl !== baseUrl) {
      this.#did = { baseUrl, did: `did:web:${encodeURIComponent(new URL(baseUrl).host)}` };
    }
    return this.#did.did;
  }

  /** The public key that stays first whatever is rotated. */
  first(): string {
    return this.#records()[0]?.publicKey ?? '';
  }

  /** The key in force. */
  current(): ReceiptKey {
    const record = this.#records().find(({ retiredAtMs }) => retiredAtMs === null);
    if (record === undefined) throw new Error('there is no receipts key in force');
    const { publicKey, keyId } = record;
    return { privateKey: this.#options.keyRing.signingKey('receipts'), publicKey, kid: this.#kidOf(keyId) };
  }

  published(): PublishedReceiptKey[] {
    return this.#records().map(({ keyId, publicKey, retiredAtMs }) => ({
      kid: this.#kidOf(keyId),
      publicKey,
      role: retiredAtMs === null ? 'root' : 'legacy',
      retiredAt: retiredAtMs === null ? null : isoTime(retiredAtMs),
    }));
  }

  #records() {
    return this.#options.keyRing.records().filter(({ scope }) => scope === 'receipts');
  }

  #kidOf(keyId: string): string {
    return `${this.did()}#${keyId}`;
  }
}
