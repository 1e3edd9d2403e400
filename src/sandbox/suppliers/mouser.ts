import { jsonAnswer, type Simulator, type SimulatorAnswer } from '../registers/simulator.ts';
import { euro, MAKER, partOf } from './fictional-parts.ts';

/** Answers searches by part number; all figures are texts, prices with a decimal comma. */
export const MOUSER: Simulator = {
  answer({ path, query, body }) {
    if ((query.get('apiKey') ?? '') === '') return refused('Invalid', 'Invalid unique identifier.');
    if (path !== '/api/v1/search/partnumber') return jsonAnswer(404, {});
    const { SearchByPartRequest: asked } = JSON.parse(body) as { SearchByPartRequest: { mouserPartNumber: string } };
    const Parts = asked.mouserPartNumber.split('|').flatMap((mpn) => {
      const part = partOf(mpn);
      return part === undefined ? [] : [view(part)];
    });
    return jsonAnswer(200, { Errors: [], SearchResults: { NumberOfResult: Parts.length, Parts } });
  },
  throttle: () => refused('TooManyRequests', 'Maximum calls per minute exceeded.'),
};

function refused(Code: string, Message: string): SimulatorAnswer {
  return jsonAnswer(200, { Errors: [{ Id: 0, Code, Message }], SearchResults: null });
}

function view({
  mpn,
  description,
  stock,
  leadDays,
  lifecycle,
  breaks,
}: NonNullable<ReturnType<typeof partOf>>): object {
  const price = (of: number) =>
    `${euro(of).toLocaleString('de-DE', { minimumFractionDigits: 2, maximumFractionDigits: 5 })} €`;
  return {
    MouserPartNumber: `999-${mpn}`,
    ManufacturerPartNumber: mpn,
    Manufacturer: MAKER,
    Description: description,
    Availability: `${stock.toLocaleString('en-US')} In Stock`,
    AvailabilityInStock: String(stock),
    LeadTime: `${leadDays} Days`,
    LifecycleStatus: lifecycle === 'Active' ? null : lifecycle,
    Min: '1',
    Mult: '1',
    PriceBreaks: breaks.map(([Quantity, of]) => ({ Quantity, Price: price(of * 1.02), Currency: 'EUR' })),
  };
}
