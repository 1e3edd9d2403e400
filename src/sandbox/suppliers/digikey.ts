import { MOT_LOGIN } from '../registers/mot.ts';
import { jsonAnswer, type Simulator } from '../registers/simulator.ts';
import { euro, MAKER, partOf } from './fictional-parts.ts';

/** Answers keyword searches; prices stand with each packaging. */
export const DIGIKEY: Simulator = {
  answer(request) {
    const { path, header, body } = request;
    // Asked without a scope, which the other token service wants.
    if (path === '/v1/oauth2/token') return MOT_LOGIN.answer({ ...request, body: `${body}&scope=none` });
    if (!/^Bearer sandbox-\d+$/.test(header('authorization') ?? '')) return jsonAnswer(401, { title: 'Unauthorized' });
    if (path !== '/products/v4/search/keyword') return jsonAnswer(404, {});
    const { Keywords } = JSON.parse(body) as { Keywords: string };
    const part = partOf(Keywords);
    return jsonAnswer(200, {
      Products: part === undefined ? [] : [view(part)],
      ProductsCount: part === undefined ? 0 : 1,
    });
  },
  throttle: () => jsonAnswer(429, { title: 'Daily Ratelimit exceeded' }, { 'retry-after': '60' }),
};

function view({ mpn, stock, leadDays, lifecycle, breaks }: NonNullable<ReturnType<typeof partOf>>): object {
  const StandardPricing = breaks.map(([BreakQuantity, price]) => ({ BreakQuantity, UnitPrice: euro(price * 1.05) }));
  return {
    ManufacturerProductNumber: mpn,
    Manufacturer: { Id: 1, Name: MAKER },
    ProductStatus: { Id: 0, Status: lifecycle },
    QuantityAvailable: stock,
    ManufacturerLeadWeeks: String(Math.ceil(leadDays / 7)),
    UnitPrice: StandardPricing[0]?.UnitPrice ?? null,
    ProductVariations: [{ DigiKeyProductNumber: `DK-${mpn}`, MinimumOrderQuantity: 1, StandardPricing }],
  };
}
