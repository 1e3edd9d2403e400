import { jsonAnswer, type Simulator } from '../registers/simulator.ts';
import { MOT_LOGIN } from '../registers/mot.ts';
import { euro, MAKER, partOf } from './fictional-parts.ts';

/** Issues access tokens as any other client-credentials grant. */
export const NEXAR_LOGIN: Simulator = MOT_LOGIN;

/** Answers supMultiMatch about the fictional parts. */
export const NEXAR: Simulator = {
  answer({ path, header, body }) {
    if (!/^Bearer sandbox-\d+$/.test(header('authorization') ?? '')) return jsonAnswer(401, { error: 'Unauthorized' });
    if (path !== '/graphql') return jsonAnswer(404, {});
    const { variables } = JSON.parse(body) as { variables: { queries: { mpn: string; reference: string }[] } };
    const supMultiMatch = variables.queries.map(({ mpn, reference }) => {
      const part = partOf(mpn);
      return {
        reference,
        hits: part === undefined ? 0 : 1,
        error: null,
        parts: part === undefined ? [] : [view(part)],
      };
    });
    return jsonAnswer(200, { data: { supMultiMatch } });
  },
  throttle: () => jsonAnswer(200, { errors: [{ message: 'You have exceeded your part limit of 1000.' }], data: null }),
};

function view({ mpn, stock, leadDays, breaks }: NonNullable<ReturnType<typeof partOf>>): object {
  const prices = breaks.map(([quantity, price]) => ({
    quantity,
    price: euro(price) * 1.25,
    currency: 'USD',
    convertedPrice: euro(price),
    convertedCurrency: 'EUR',
  }));
  const offer = {
    id: '1',
    sku: `N-${mpn}`,
    inventoryLevel: stock,
    moq: 1,
    orderMultiple: 1,
    packaging: null,
    factoryLeadDays: leadDays,
  };
  const seller = { company: { id: '1', name: 'EXAMPLE-SUPPLY' }, isAuthorized: true, offers: [{ ...offer, prices }] };
  return {
    id: '1',
    mpn,
    name: mpn,
    manufacturer: { name: MAKER },
    totalAvail: stock,
    estimatedFactoryLeadDays: leadDays,
    sellers: [seller],
  };
}
