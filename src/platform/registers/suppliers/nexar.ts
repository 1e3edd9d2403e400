import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import type { OutboundAnswer } from '#platform/outbound/exchange.ts';
import { AccessToken } from '../access-token.ts';
import { RegisterError, registerFailure, unavailable } from '../outcome.ts';
import type { RegisterClient, RegisterSession } from '../resilience/register-client.ts';
import { readJson, statusError } from '../wire.ts';
import { inPortions, type OfferAdapter, type SupplierLookup } from './adapter.ts';
import type { PartOffer } from './offer.ts';
import { offerOf, wholeNumber } from './wire-price.ts';

const PORTION = 20;
const HOLD_MS = 60_000;
const text = z.string().nullish();
const count = z.number().nullish();

const Price = z.object({
  quantity: z.number(),
  price: z.number(),
  currency: z.string(),
  convertedPrice: count,
  convertedCurrency: text,
});
const SupplierOffer = z.object({
  sku: text,
  inventoryLevel: count,
  moq: count,
  orderMultiple: count,
  factoryLeadDays: count,
  prices: z.array(Price).nullish(),
});
const NexarPart = z.object({
  mpn: z.string(),
  manufacturer: z.object({ name: text }).nullish(),
  estimatedFactoryLeadDays: count,
  sellers: z.array(z.object({ company: z.object({ name: z.string() }), offers: z.array(SupplierOffer) })).nullish(),
});
const Match = z.object({ reference: text, error: text, parts: z.array(NexarPart).nullish() });
const Answered = z.object({
  data: z.object({ supMultiMatch: z.array(Match) }).nullish(),
  errors: z.array(z.object({ message: z.string() })).nullish(),
});

const QUERY = `query Offers($queries: [SupPartMatchQuery!]!) {
  supMultiMatch(queries: $queries, country: "NL", currency: "EUR") {
    reference hits error
    parts { mpn manufacturer { name } estimatedFactoryLeadDays
      sellers(authorizedOnly: true) { company { name }
        offers { sku inventoryLevel moq orderMultiple factoryLeadDays
          prices { quantity price currency convertedPrice convertedCurrency } } } } } }`;

export interface NexarDeps {
  readonly host: ConfiguredHost;
  readonly tokenHost: ConfiguredHost;
  readonly clock: Clock;
  readonly credentials: () => { clientId: string; clientSecret: string; scope: string };
}

/** Offers of many sellers by GraphQL, about twenty part numbers at a time. */
export class Nexar implements OfferAdapter {
  readonly name = 'nexar';
  readonly #client: RegisterClient;
  readonly #parts: NexarDeps;
  readonly #token: AccessToken;

  constructor(client: RegisterClient, parts: NexarDeps) {
    this.#client = client;
    this.#parts = parts;
    this.#token = new AccessToken(parts);
  }

  lookup(mpns: readonly string[]): Promise<SupplierLookup> {
    return inPortions(this.#client, { mpns, size: PORTION }, async (portion, session) => {
      const answer = await this.#ask(portion, session);
      if (answer.status !== 200) throw statusError(answer);
      const { data, errors } = readJson(answer, Answered);
      if (data === null || data === undefined) throw refusal(errors?.[0]?.message ?? '', session);
      const asOfMs = this.#parts.clock.now();
      return data.supMultiMatch.flatMap(({ reference, parts }) => {
        if (reference === null || reference === undefined) return [];
        const same = (parts ?? []).filter(({ mpn }) => mpn.toLowerCase() === reference.toLowerCase());
        return [[reference, same.flatMap((part) => offersOf(part, asOfMs))] as const];
      });
    });
  }

  /** A token that is no longer taken is renewed once. */
  async #ask(portion: readonly string[], session: RegisterSession): Promise<OutboundAnswer> {
    const queries = portion.map((mpn) => ({ mpn, reference: mpn, start: 0, limit: 1 }));
    const body = JSON.stringify({ query: QUERY, variables: { queries } });
    const send = (token: string) =>
      session.send(this.#parts.host, {
        method: 'POST',
        path: '/graphql',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
        body,
      });
    const token = await this.#token.current(session);
    const answer = await send(token);
    return answer.status === 401 ? send(await this.#token.renewed(session, token)) : answer;
  }
}

function refusal(message: string, session: RegisterSession): RegisterError {
  if (!/limit|quota|exceeded/i.test(message)) return registerFailure('GRAPHQL_ERROR');
  session.hold('QUOTA', HOLD_MS);
  return new RegisterError(unavailable('QUOTA', 'throttled', HOLD_MS / 1_000), { final: true, harmless: true });
}

function offersOf(
  { manufacturer, estimatedFactoryLeadDays, sellers }: z.output<typeof NexarPart>,
  asOfMs: number,
): PartOffer[] {
  return (sellers ?? []).flatMap(({ company, offers }) =>
    offers.flatMap((offer) => {
      const prices = offer.prices ?? [];
      const isEuro = prices.length > 0 && prices.every(({ convertedCurrency }) => convertedCurrency === 'EUR');
      const read = offerOf({
        supplier: company.name,
        sku: offer.sku ?? '',
        moq: wholeNumber(offer.moq),
        multiple: wholeNumber(offer.orderMultiple),
        stock: wholeNumber(offer.inventoryLevel),
        leadDays: wholeNumber(offer.factoryLeadDays ?? estimatedFactoryLeadDays),
        currency: isEuro ? 'EUR' : (prices[0]?.currency ?? ''),
        breaks: prices.map(({ quantity, price, convertedPrice }) => ({
          quantity,
          price: isEuro ? convertedPrice : price,
        })),
        lifecycle: null,
        manufacturer: manufacturer?.name ?? null,
        source: 'nexar',
        asOfMs,
      });
      return read ?? [];
    }),
  );
}
