import { DAY_MS } from '#kernel/clock.ts';
import { jsonPage, type JsonRecord, mappedReader, number, objects } from './page-readers.ts';
import {
  authorityName,
  type DataSource,
  type DraftRow,
  foreign,
  type ReadContext,
  SourceError,
  Unchanged,
} from './source.ts';

interface Table {
  readonly id: string;
  readonly title: string;
  /** Of dimensions beside time and region only this value is kept. */
  readonly only?: Readonly<Record<string, string>>;
  readonly hasRegions?: true;
}

const TABLES: readonly Table[] = [
  {
    id: '83671NED',
    title: 'Dwelling permits per municipality',
    hasRegions: true,
    only: { Eigendom: 'T001258', Opdrachtgever: 'T001209' },
  },
  { id: '83672NED', title: 'Business building permits' },
  { id: '83673NED', title: 'Permit cost of new dwellings' },
  { id: '83707NED', title: 'Building cost by phase' },
  { id: '85728NED', title: 'Input price index of new dwellings, 2021 = 100', only: { Componenten: 'T001363' } },
  { id: '81139NED', title: 'Input price index of civil engineering' },
  { id: '84538NED', title: 'Input price index of civil engineering, newer base' },
  { id: '85880NED', title: 'Quarterly changes of gross domestic product', only: { SoortMutaties: 'A045299' } },
  { id: '85770NED', title: 'Producer prices' },
  { id: '82235NED', title: 'Changes of the stock of dwellings' },
];

const YEARS = 3;
const MAX_PAGES = 50;
const FINAL = 'Definitief';

interface Names {
  readonly measures: ReadonlyMap<string, JsonRecord>;
  readonly periods: ReadonlyMap<string, JsonRecord>;
  readonly regions: ReadonlyMap<string, JsonRecord>;
}

const NO_NAMES: Names = { measures: new Map(), periods: new Map(), regions: new Map() };
/** What is no dimension of an observation. */
const FIELDS = new Set(['Id', 'Measure', 'ValueAttribute', 'Value', 'StringValue', 'RegioS', 'Perioden']);

/** The first day of a period such as 2026KW03, 2026MM09 or 2025JJ00. */
export function periodStartMs(period: string): number | undefined {
  const [, year, unit, part] = /^(\d{4})(JJ|KW|MM)(\d{2})$/.exec(period) ?? [];
  if (year === undefined) return undefined;
  const month = unit === 'KW' ? (Number(part) - 1) * 3 : unit === 'MM' ? Number(part) - 1 : 0;
  return Date.UTC(Number(year), month, 1);
}

function code(value: unknown): string {
  return foreign(value).slice(0, 60);
}

function observationRow(
  table: Table,
  value: JsonRecord,
  { names, link, nowMs }: Pick<ReadContext, 'link' | 'nowMs'> & { readonly names: Names },
): DraftRow | undefined {
  const [measure, period, region] = [code(value['Measure']), code(value['Perioden']), code(value['RegioS'])];
  const sortAtMs = periodStartMs(period);
  const amount = number(value['Value']);
  if (measure === '' || sortAtMs === undefined || amount === null) return undefined;
  if (new Date(sortAtMs).getUTCFullYear() < new Date(nowMs).getUTCFullYear() - YEARS) return undefined;
  const others = Object.entries(value).filter(([name]) => !FIELDS.has(name));
  if (Object.entries(table.only ?? {}).some(([name, wanted]) => code(value[name]) !== wanted)) return undefined;
  const ofMeasure = names.measures.get(measure);
  const title = foreign(ofMeasure?.['Title']) || measure;
  const regionName = region === '' ? null : foreign(names.regions.get(region)?.['Title']) || region;
  const dimensions = others.map(([, dimension]) => code(dimension));
  const status = foreign(names.periods.get(period)?.['Status']) === FINAL ? 'final' : 'provisional';
  const unit = foreign(ofMeasure?.['Unit']) || null;
  const facets = [table.id, measure, title, period];
  return {
    id: [table.id, measure, period, region, ...dimensions].filter((part) => part !== '').join('.'),
    sourceUrl: link('cbs', `https://opendata.cbs.nl/statline/#/CBS/nl/dataset/${table.id}`),
    sortAtMs,
    kind: table.id.toLowerCase(),
    authority: authorityName(regionName ?? ''),
    facets,
    text: `${table.title} ${title} ${regionName ?? ''} ${period}`,
    item: { table: table.id, measure: title, period, region: regionName, value: amount, unit, status },
  };
}

interface ObservationPage {
  readonly rows: readonly DraftRow[];
  /** The query of the next page. */
  readonly next: Record<string, string> | undefined;
}

function observationPage(table: Table, names: Names, context: Pick<ReadContext, 'link' | 'nowMs'>) {
  return jsonPage((page): ObservationPage | undefined => {
    const values = objects(page['value']);
    if (values === undefined || values.some((value) => !('Measure' in value))) return undefined;
    const next = page['@odata.nextLink'];
    return {
      rows: values.flatMap((value) => observationRow(table, value, { ...context, names }) ?? []),
      // Only what it asks for is followed, never where to.
      next: typeof next === 'string' ? Object.fromEntries(URL.parse(next)?.searchParams ?? []) : undefined,
    };
  });
}

async function codeList({ ask }: ReadContext, table: Table, name: string): Promise<Map<string, JsonRecord>> {
  const values = await ask({ host: 'cbs', path: `/${table.id}/${name}` }, () =>
    jsonPage((page) => objects(page['value'])),
  );
  return new Map(values.map((value) => [code(value['Identifier']), value]));
}

async function modified({ ask }: ReadContext, table: Table): Promise<string> {
  const path = `/${table.id}/Properties`;
  return ask({ host: 'cbs', path }, () =>
    jsonPage((page) => (typeof page['Modified'] === 'string' ? page['Modified'] : undefined)),
  );
}

function tableSource(table: Table): DataSource {
  return {
    id: `cbs-${table.id}`,
    dataset: 'economy',
    title: table.title,
    licence: 'unconfirmed',
    publisher: 'Statistics Netherlands (CBS), https://www.cbs.nl',
    everyMs: DAY_MS,
    mode: 'full',
    maxBytes: 32 * 2 ** 20,
    maxRows: 100_000,
    indexed: 300,
    async *read(context) {
      const changed = await modified(context, table);
      if (changed === context.cursor) throw new Unchanged();
      const names: Names = {
        measures: await codeList(context, table, 'MeasureCodes'),
        periods: await codeList(context, table, 'PeriodenCodes'),
        regions: table.hasRegions ? await codeList(context, table, 'RegioSCodes') : new Map(),
      };
      const filter = Object.entries(table.only ?? {}).map(([name, value]) => `${name} eq '${value}'`);
      let query: Record<string, string> | undefined = filter.length === 0 ? {} : { $filter: filter.join(' and ') };
      for (let page = 0; query !== undefined; page += 1) {
        if (page === MAX_PAGES) throw new SourceError('TOO_LARGE', 'there are more pages than the limit');
        const path = `/${table.id}/Observations`;
        const answer: ObservationPage = await context.ask({ host: 'cbs', path, query }, () =>
          observationPage(table, names, context),
        );
        yield { rows: answer.rows, cursor: changed };
        query = answer.next;
      }
    },
    readFile: (context) => mappedReader(observationPage(table, NO_NAMES, context), ({ rows }) => rows),
  };
}

export const economySources: readonly DataSource[] = TABLES.map(tableSource);
