import { verifyJws } from '#protocol/payment/jws.ts';
import { OFFER_RECEIPT } from '#protocol/payment/offer-receipt.ts';
import type { PaymentRequired, PaymentRequirements } from '#protocol/payment/wire.ts';

export interface OfferQuestion {
  readonly challenge: PaymentRequired;
  /** The way to pay that was chosen of the challenge. */
  readonly chosen: PaymentRequirements;
  readonly url: string;
  /** Raw public keys of the service, base64. */
  readonly keys: readonly string[];
  readonly nowSeconds: number;
}

type OfferVerdict = { readonly state: 'ok' | 'none' } | { readonly state: 'failed'; readonly why: string };

const BOUND = ['scheme', 'network', 'asset', 'payTo', 'amount'] as const;

/** Whether the service itself signed this price and account for this address. */
export function checkOffer({ challenge, chosen, url, keys, nowSeconds }: OfferQuestion): OfferVerdict {
  const offers = offersIn(challenge);
  if (offers.length === 0) return { state: 'none' };
  const index = challenge.accepts.indexOf(chosen);
  const jws = offers.find((offer) => (offer.acceptIndex ?? 0) === index)?.signature;
  if (typeof jws !== 'string') return { state: 'failed', why: 'no offer is for this way to pay' };
  const payload = keys.map((key) => verifyJws(jws, Buffer.from(key, 'base64'))).find((found) => found !== undefined);
  if (payload === undefined) return { state: 'failed', why: 'it is not signed by a key of the service' };
  const other = BOUND.find((name) => payload[name] !== chosen[name]);
  if (other !== undefined) return { state: 'failed', why: `it was signed for another ${other}` };
  if (payload['resourceUrl'] !== url) return { state: 'failed', why: 'it was signed for another address' };
  if (!(Number(payload['validUntil']) >= nowSeconds)) return { state: 'failed', why: 'it has expired' };
  return { state: 'ok' };
}

interface SentOffer {
  readonly acceptIndex?: unknown;
  readonly signature?: unknown;
}

function offersIn({ extensions }: PaymentRequired): SentOffer[] {
  // attacker-controlled: anything of another shape offers nothing
  const { info } = (extensions?.[OFFER_RECEIPT] ?? {}) as { info?: { offers?: unknown } };
  return Array.isArray(info?.offers) ? info.offers.filter((one) => typeof one === 'object' && one !== null) : [];
}
