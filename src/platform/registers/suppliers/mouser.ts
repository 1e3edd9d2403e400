import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import { RegisterError, registerFailure, unavailable } from '../outcome.ts';
import type { RegisterClient, RegisterSession } from '../resilience/register-client.ts';
import { readJson, statusError, tryJson } from '../wire.ts';
import { inPortions, type OfferAdapter, type SupplierLookup } from './adapter.ts';
import type { PartOffer } from './offer.ts';
import { offerOf, wholeNumber } from './wire-price.ts';

const PORTION = 10;
const HOLD_MS = 60_000;
const text = z.union([z.string(), z.number()]).nullish();
const MouserPart = z.object({
  MouserPartNumber: z.string().nullish(),
  ManufacturerPartNumber: z.string().nullish(),
  Manufacturer: z.string().nullish(),
  LifecycleStatus: z.string().nullish(),
  Availability: text,
  AvailabilityInStock: text,
  LeadTime: text,
  Min: text,
  Mult: text,
  PriceBreaks: z.array(z.object({ Quantity: z.number(), Price: text, Currency: z.string().nullish() })).nullish(),
});
const Errors = z.array(z.object({ Code: z.string().nullish(), Message: z.string().nullish() }));
const Answered = z.object({
  Errors: Errors.nullish(),
  SearchResults: z.object({ Parts: z.array(MouserPart).nullish() }).nullish(),
});
const Refused = z.object({ Errors: Errors.min(1) });
const TOO_MANY = /TooManyRequests|maximum calls per (?:minute|day)/i;

export interface MouserDeps {
  readonly host: ConfiguredHost;
  readonly clock: Clock;
  readonly apiKey: () => string;
}

/** Ten part numbers at a time. The key stands in the query, so that no text of ours may hold the address. */
export class Mouser implements OfferAdapter {
  readonly name = 'mouser';
  readonly #client: RegisterClient;
  readonly #parts: MouserDeps;

  constructor(client: RegisterClient, parts: MouserDeps) {
    this.#client = client;
    this.#parts = parts;
  }

  lookup(mpns: readonly string[]): Promise<SupplierLookup> {
    // A bar parts the numbers of a question.
    const askable = mpns.filter((mpn) => !mpn.includes('|'));
    return inPortions(this.#client, { mpns: askable, size: PORTION }, async (portion, session) => {
      const request = { mouserPartNumber: portion.join('|'), partSearchOptions: 'Exact' };
      const answer = await session.send(this.#parts.host, {
        method: 'POST',
        path: '/api/v1/search/partnumber',
        query: { apiKey: this.#parts.apiKey() },
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ SearchByPartRequest: request }),
      });
      const said = tryJson(answer, Refused)
        ?.Errors.map(({ Code, Message }) => `${Code ?? ''} ${Message ?? ''}`)
        .join(' ');
      if (said !== undefined) throw refusal(said, session);
      if (answer.status !== 200) throw statusError(answer);
      const parts = readJson(answer, Answered).SearchResults?.Parts ?? [];
      const asOfMs = this.#parts.clock.now();
      return portion.map((mpn) => {
        const same = parts.filter((part) => part.ManufacturerPartNumber?.toLowerCase() === mpn.toLowerCase());
        return [mpn, same.flatMap((part) => offersOf(part, asOfMs))] as const;
      });
    });
  }
}

function refusal(said: string, session: RegisterSession): RegisterError {
  if (TOO_MANY.test(said)) {
    session.hold('TOO_MANY_REQUESTS', HOLD_MS);
    const outcome = unavailable('TOO_MANY_REQUESTS', 'throttled', HOLD_MS / 1_000);
    return new RegisterError(outcome, { final: true, harmless: true });
  }
  return /api ?key|Invalid unique identifier/i.test(said)
    ? registerFailure('AUTH_FAILED', 'config', 300)
    : registerFailure('SUPPLIER_ERROR');
}

function offersOf(part: z.output<typeof MouserPart>, asOfMs: number): PartOffer[] {
  const breaks = part.PriceBreaks ?? [];
  const read = offerOf({
    supplier: 'Mouser',
    sku: part.MouserPartNumber ?? '',
    moq: wholeNumber(part.Min),
    multiple: wholeNumber(part.Mult),
    stock: wholeNumber(part.AvailabilityInStock) ?? wholeNumber(part.Availability),
    leadDays: wholeNumber(part.LeadTime),
    currency: breaks[0]?.Currency ?? '',
    breaks: breaks.map(({ Quantity, Price }) => ({ quantity: Quantity, price: Price })),
    lifecycle: part.LifecycleStatus ?? null,
    manufacturer: part.Manufacturer ?? null,
    source: 'mouser',
    asOfMs,
  });
  return read === null ? [] : [read];
}
