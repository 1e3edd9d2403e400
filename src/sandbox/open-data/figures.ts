import { jsonAnswer, type Simulator } from '../registers/simulator.ts';

const YEAR_OF = (nowMs: number) => new Date(nowMs).getUTCFullYear();
const throttle = () => jsonAnswer(429, { error: { message: 'Too many requests' } }, { 'retry-after': '1' });

function observations(nowMs: number) {
  const year = YEAR_OF(nowMs);
  return [year - 1, year].flatMap((one) =>
    ['KW01', 'KW02'].flatMap((quarter, part) =>
      ['M000001', 'M000002'].flatMap((Measure, measure) =>
        ['GM0001', 'GM0002'].map((RegioS, region) => ({
          Measure,
          ValueAttribute: 'None',
          Value: 100 + part * 10 + measure + region / 2,
          StringValue: null,
          RegioS,
          Perioden: `${one}${quarter}`,
          Eigendom: 'T001258',
          Opdrachtgever: 'T001209',
          Componenten: 'T001363',
          SoortMutaties: 'A045299',
        })),
      ),
    ),
  );
}

const LISTS: Readonly<Record<string, (nowMs: number) => readonly object[]>> = {
  MeasureCodes: () => [
    { Identifier: 'M000001', Title: 'Voorbeeldvergunningen', Unit: 'aantal' },
    { Identifier: 'M000002', Title: 'Voorbeeldprijsindex', Unit: '2021 = 100' },
    { Identifier: 'M000003', Title: 'Maat zonder waarnemingen', Unit: '' },
  ],
  PeriodenCodes: (nowMs) =>
    [YEAR_OF(nowMs) - 1, YEAR_OF(nowMs)].flatMap((year, index) =>
      ['KW01', 'KW02'].map((part) => ({
        Identifier: `${year}${part}`,
        Title: `${year} ${part}`,
        Status: index === 0 ? 'Definitief' : 'Voorlopig',
      })),
    ),
  RegioSCodes: () => [
    { Identifier: 'GM0001', Title: 'Voorbeeldstad' },
    { Identifier: 'GM0002', Title: 'Modeldorp' },
  ],
};

/** The statistics office: any table has the same invented figures. The one thing that changes is the day of a change. */
export class Statistics implements Simulator {
  modified = '2026-01-01T02:00:00+01:00';

  answer({ path, query, nowMs, isMismatched }: Parameters<Simulator['answer']>[0]) {
    const [, table = '', list = ''] = /^\/(\w+)\/(\w+)$/.exec(path) ?? [];
    if (list === 'Properties') return jsonAnswer(200, { Identifier: table, Modified: this.modified });
    const codes = LISTS[list];
    if (codes !== undefined) return jsonAnswer(200, { value: codes(nowMs) });
    if (list !== 'Observations') return jsonAnswer(200, { fictional: true });
    const all = isMismatched ? observations(nowMs).slice(0, 2) : observations(nowMs);
    const skip = Number(query.get('$skip') ?? '0');
    const next = skip + 10 < all.length ? { '@odata.nextLink': `https://cbs.invalid${path}?$skip=${skip + 10}` } : {};
    return jsonAnswer(200, {
      value: all.slice(skip, skip + 10).map((one, Id) => ({ Id: skip + Id, ...one })),
      ...next,
    });
  }

  throttle = throttle;
}
