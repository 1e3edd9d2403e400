import { signJws } from './jws.ts';
import type { ReceiptKey } from './receipt.ts';
import type { PaymentRequirements } from './wire.ts';

export const OFFER_RECEIPT = 'offer-receipt';
const OFFER_VALID_SECONDS = 300;
const EXTENSION_VERSION = 1;

type Signer = Pick<ReceiptKey, 'kid' | 'privateKey'>;

export interface PaymentOffer {
  readonly resourceUrl: string;
  readonly nowSeconds: number;
  /** Stands in the signed part, so that nobody takes an offer of the sandbox for a real one. */
  readonly sandbox: boolean;
}

const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const JSON_SCHEMA = 'https://json-schema.org/draft/2020-12/schema';

const OFFERS_SCHEMA = {
  $schema: JSON_SCHEMA,
  type: 'object',
  properties: {
    offers: {
      type: 'array',
      items: {
        type: 'object',
        properties: { format: text, acceptIndex: integer, signature: text },
        required: ['format', 'signature'],
      },
    },
  },
  required: ['offers'],
} as const;

const RECEIPT_SCHEMA = {
  $schema: JSON_SCHEMA,
  type: 'object',
  properties: {
    receipt: { type: 'object', properties: { format: text, signature: text }, required: ['format', 'signature'] },
  },
  required: ['receipt'],
} as const;

/** The extension of a challenge: each way to pay, signed, so that a proxy cannot put in an account of its own. */
export function offersExtension(accepts: readonly PaymentRequirements[], offer: PaymentOffer, signer: Signer) {
  const offers = accepts.map((requirements, acceptIndex) => ({
    format: 'jws' as const,
    acceptIndex,
    signature: signJws(offerPayload(requirements, offer), signer),
  }));
  return { info: { offers }, schema: OFFERS_SCHEMA };
}

function offerPayload(requirements: PaymentRequirements, { resourceUrl, nowSeconds, sandbox }: PaymentOffer): object {
  const { amount, asset, network, payTo, scheme } = requirements;
  return {
    amount,
    asset,
    network,
    payTo,
    resourceUrl,
    ...(sandbox && { sandbox }),
    scheme,
    validUntil: nowSeconds + OFFER_VALID_SECONDS,
    version: EXTENSION_VERSION,
  };
}

export interface PaidResource extends PaymentOffer {
  readonly network: string;
  readonly payer: string;
  readonly transaction: string;
}

/** The extension of a settled answer: that this payer paid for this resource, in this transaction. */
export function paidExtension(paid: PaidResource, signer: Signer) {
  const { network, payer, resourceUrl, sandbox, transaction, nowSeconds: issuedAt } = paid;
  const mark = sandbox ? { sandbox } : {};
  const payload = { issuedAt, network, payer, resourceUrl, ...mark, transaction, version: EXTENSION_VERSION };
  return { info: { receipt: { format: 'jws' as const, signature: signJws(payload, signer) } }, schema: RECEIPT_SCHEMA };
}
