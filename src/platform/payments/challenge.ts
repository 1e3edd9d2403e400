import { NewestMap } from '#kernel/newest-map.ts';
import type { Operation } from '#kernel/operation.ts';
import {
  BAZAAR,
  PAYMENT_IDENTIFIER,
  PAYMENT_IDENTIFIER_EXTENSION,
  type PaymentExtension,
} from '#protocol/payment/extension.ts';
import { encodeHeader, MAX_CHALLENGE_HEADER_CHARS } from '#protocol/payment/header.ts';
import { OFFER_RECEIPT, offersExtension } from '#protocol/payment/offer-receipt.ts';
import type { ReceiptKey } from '#protocol/payment/receipt.ts';
import type { PaymentRequired, PaymentRequirements } from '#protocol/payment/wire.ts';
import { type Discovery, discoveryOf } from './discovery.ts';
import { type PaymentTerms, requirementsOf } from './terms.ts';

/** A longer address is named without its query: it would not fit into any header. */
const MAX_RESOURCE_URL_CHARS = 2048;

/** Of those that were asked within a minute, so many are kept. */
const MAX_KEPT = 64;

export interface Challenge {
  /** Everything, for the body. */
  readonly whole: PaymentRequired;
  /** The members of a problem that says it. */
  readonly members: PaymentRequired & { readonly charged: false };
  /** What the PAYMENT-REQUIRED header holds. */
  readonly header: string;
}

export interface ChallengerOptions {
  readonly operation: Operation;
  readonly terms: PaymentTerms;
  readonly serviceName: string;
  readonly baseUrl: () => string;
  readonly receiptKey: () => ReceiptKey;
}

/** What is asked for a call, without the offer that is signed anew for each challenge. */
export function unsignedChallenge(
  { operation, terms, serviceName, baseUrl }: Omit<ChallengerOptions, 'receiptKey'>,
  resourceUrl: string,
  error: string,
) {
  return {
    x402Version: 2 as const,
    error,
    resource: {
      url: resourceUrl,
      description: operation.summary,
      mimeType: 'application/json',
      serviceName,
      tags: [operation.tag],
      iconUrl: `${baseUrl()}/logo.svg`,
    },
    accepts: [requirementsOf(operation, terms)],
    extensions: { [PAYMENT_IDENTIFIER]: PAYMENT_IDENTIFIER_EXTENSION },
  };
}

/** Asks for the price of one operation. Pure but for the key: no store and no chain is asked. */
export class Challenger {
  readonly requirements: PaymentRequirements;
  /** What a client may echo; the signed offers differ with every challenge. The shortest `bazaar` is part of every other one. */
  readonly advertised: Readonly<Record<string, PaymentExtension>>;
  readonly #options: ChallengerOptions;
  readonly #discovery: Discovery;
  readonly #kept = new NewestMap<string, Challenge>(MAX_KEPT);
  #minute = 0;
  #kid = '';

  constructor(options: ChallengerOptions) {
    const { operation, terms } = options;
    this.#options = options;
    this.requirements = requirementsOf(operation, terms);
    this.#discovery = discoveryOf(operation);
    const shortest = this.#discovery.short.at(-1) as PaymentExtension;
    this.advertised = { [PAYMENT_IDENTIFIER]: PAYMENT_IDENTIFIER_EXTENSION, [BAZAAR]: shortest };
  }

  resourceUrl(url: string): string {
    if (!url.startsWith('/')) return url;
    const whole = `${this.#options.baseUrl()}${url}`;
    return whole.length <= MAX_RESOURCE_URL_CHARS ? whole : `${this.#options.baseUrl()}${this.#options.operation.path}`;
  }

  /** The offer in it is good for five minutes at least; who asks again within the minute gets the same. */
  challenge(url: string, error: string, nowSeconds: number): Challenge {
    const minute = Math.floor(nowSeconds / 60);
    const key = this.#options.receiptKey();
    if (minute !== this.#minute || key.kid !== this.#kid) this.#kept.clear();
    this.#minute = minute;
    this.#kid = key.kid;
    const resourceUrl = this.resourceUrl(url);
    const asked = `${error} ${resourceUrl}`;
    const known = this.#kept.get(asked);
    if (known !== undefined) return known;
    const challenge = this.#made(resourceUrl, error, (minute + 1) * 60, key);
    this.#kept.set(asked, challenge);
    return challenge;
  }

  #made(resourceUrl: string, error: string, nowSeconds: number, key: ReceiptKey): Challenge {
    const plain = unsignedChallenge(this.#options, resourceUrl, error);
    const offer = { resourceUrl, nowSeconds, sandbox: this.#options.terms.sandbox };
    const offers = offersExtension(plain.accepts, offer, key);
    const small = { ...plain, extensions: { ...plain.extensions, [OFFER_RECEIPT]: offers } };
    const withBazaar = (bazaar: PaymentExtension) => ({
      ...small,
      extensions: { ...small.extensions, [BAZAAR]: bazaar },
    });
    const fits = (header: string) => header.length <= MAX_CHALLENGE_HEADER_CHARS;
    const headers = Iterator.from(this.#discovery.short).map((bazaar) => encodeHeader(withBazaar(bazaar)));
    const whole = withBazaar(this.#discovery.full);
    return { whole, members: { ...whole, charged: false }, header: headers.find(fits) ?? encodeHeader(small) };
  }
}
