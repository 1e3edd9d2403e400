import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import type { OutboundAnswer } from '#platform/outbound/exchange.ts';
import { AccessToken } from '../access-token.ts';
import type { RegisterClient, RegisterSession } from '../resilience/register-client.ts';
import { readJson, statusError } from '../wire.ts';
import { inPortions, type OfferAdapter, type SupplierLookup } from './adapter.ts';
import type { PartOffer } from './offer.ts';
import { offerOf, wholeNumber } from './wire-price.ts';

const count = z.number().nullish();
const Pricing = z.array(z.object({ BreakQuantity: z.number(), UnitPrice: z.number() })).nullish();
const Variation = z.object({
  DigiKeyProductNumber: z.string().nullish(),
  MinimumOrderQuantity: count,
  StandardPricing: Pricing,
});
const Product = z.object({
  ManufacturerProductNumber: z.string(),
  Manufacturer: z.object({ Name: z.string().nullish() }).nullish(),
  ProductStatus: z.object({ Status: z.string().nullish() }).nullish(),
  QuantityAvailable: count,
  ManufacturerLeadWeeks: z.union([z.string(), z.number()]).nullish(),
  UnitPrice: count,
  StandardPricing: Pricing,
  ProductVariations: z.array(Variation).nullish(),
});
const Answered = z.object({ Products: z.array(Product).nullish() });
const CURRENCY = 'EUR';

export interface DigiKeyDeps {
  readonly host: ConfiguredHost;
  readonly tokenHost: ConfiguredHost;
  readonly clock: Clock;
  readonly credentials: () => { clientId: string; clientSecret: string; scope: string };
}

/** One part number a call; prices in euros, as the locale asks. */
export class DigiKey implements OfferAdapter {
  readonly name = 'digikey';
  readonly #client: RegisterClient;
  readonly #parts: DigiKeyDeps;
  readonly #token: AccessToken;

  constructor(client: RegisterClient, parts: DigiKeyDeps) {
    this.#client = client;
    this.#parts = parts;
    this.#token = new AccessToken(parts);
  }

  lookup(mpns: readonly string[]): Promise<SupplierLookup> {
    return inPortions(this.#client, { mpns, size: 1 }, async ([mpn = ''], session) => {
      const answer = await this.#ask(mpn, session);
      if (answer.status !== 200) throw statusError(answer);
      const products = readJson(answer, Answered).Products ?? [];
      const same = products.filter((one) => one.ManufacturerProductNumber.toLowerCase() === mpn.toLowerCase());
      const asOfMs = this.#parts.clock.now();
      return [[mpn, same.flatMap((product) => offersOf(product, asOfMs))]];
    });
  }

  /** A token that is no longer taken is renewed once. */
  async #ask(mpn: string, session: RegisterSession): Promise<OutboundAnswer> {
    const send = (token: string) =>
      session.send(this.#parts.host, {
        method: 'POST',
        path: '/products/v4/search/keyword',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json',
          'x-digikey-client-id': this.#parts.credentials().clientId,
          'x-digikey-locale-site': 'NL',
          'x-digikey-locale-language': 'en',
          'x-digikey-locale-currency': CURRENCY,
        },
        body: JSON.stringify({ Keywords: mpn, Limit: 10, Offset: 0 }),
      });
    const token = await this.#token.current(session);
    const answer = await send(token);
    return answer.status === 401 ? send(await this.#token.renewed(session, token)) : answer;
  }
}

/** Prices stand with each packaging or, in another form of the answer, with the product itself. */
function offersOf(product: z.output<typeof Product>, asOfMs: number): PartOffer[] {
  const weeks = wholeNumber(product.ManufacturerLeadWeeks);
  const packagings = (product.ProductVariations ?? []).filter(
    ({ StandardPricing }) => (StandardPricing ?? []).length > 0,
  );
  const single =
    product.UnitPrice === null || product.UnitPrice === undefined
      ? []
      : [{ BreakQuantity: 1, UnitPrice: product.UnitPrice }];
  const whole = {
    DigiKeyProductNumber: null,
    MinimumOrderQuantity: null,
    StandardPricing: product.StandardPricing ?? single,
  };
  return (packagings.length > 0 ? packagings : [whole]).flatMap((packaging) => {
    const read = offerOf({
      supplier: 'DigiKey',
      sku: packaging.DigiKeyProductNumber ?? product.ManufacturerProductNumber,
      moq: wholeNumber(packaging.MinimumOrderQuantity),
      multiple: null,
      stock: wholeNumber(product.QuantityAvailable),
      leadDays: weeks === null ? null : weeks * 7,
      currency: CURRENCY,
      breaks: (packaging.StandardPricing ?? []).map(({ BreakQuantity, UnitPrice }) => ({
        quantity: BreakQuantity,
        price: UnitPrice,
      })),
      lifecycle: product.ProductStatus?.Status ?? null,
      manufacturer: product.Manufacturer?.Name ?? null,
      source: 'digikey',
      asOfMs,
    });
    return read ?? [];
  });
}
