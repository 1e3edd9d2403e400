import { DAY_MS, dutchDate } from '#kernel/clock.ts';
import {
  elementText,
  isJson,
  jsonPage,
  type JsonRecord,
  mappedReader,
  number,
  objects,
  type XmlNode,
  xmlRecords,
} from './page-readers.ts';
import {
  authorityName,
  type DataSource,
  type DraftRow,
  foreign,
  type ReadContext,
  SourceError,
  timeMs,
} from './source.ts';
import { DATEX_ROOTS } from './events.ts';

const MAX_PAGES = 100;

interface FeaturePage {
  readonly properties: readonly JsonRecord[];
  /** The query of the next page. */
  readonly next: Record<string, string> | undefined;
}

/** One page of OGC API Features: properties only, shapes are not kept. */
function featurePage() {
  return jsonPage((page): FeaturePage | undefined => {
    const features = objects(page['features']);
    if (features === undefined) return undefined;
    const next = (objects(page['links']) ?? []).find(({ rel }) => rel === 'next')?.['href'];
    return {
      properties: features.flatMap(({ properties }) => (isJson(properties) ? [properties] : [])),
      // Only what it asks for is followed, never where to.
      next: typeof next === 'string' ? Object.fromEntries(URL.parse(next)?.searchParams ?? []) : undefined,
    };
  });
}

async function allFeatures({ ask }: ReadContext, path: string, limit: number): Promise<JsonRecord[]> {
  const found: JsonRecord[] = [];
  let query: Record<string, string> | undefined = { f: 'json', limit: String(limit) };
  for (let page = 0; query !== undefined; page += 1) {
    if (page === MAX_PAGES) throw new SourceError('TOO_LARGE', 'there are more pages than the limit');
    const answer: FeaturePage = await ask({ host: 'pdok', path, query }, featurePage);
    found.push(...answer.properties);
    query = answer.next;
  }
  return found;
}

function municipalityRow(properties: JsonRecord, link: ReadContext['link']): DraftRow | undefined {
  const name = foreign(properties['naam']);
  const id = foreign(properties['code']);
  if (!/^\w{2,10}$/.test(id) || name === '') return undefined;
  const province = foreign(properties['ligt_in_provincie_naam']);
  return {
    id: `GM-${id}`,
    sourceUrl: link('pdok', 'https://api.pdok.nl/kadaster/bestuurlijkegebieden/ogc/v1/collections/gemeentegebied'),
    sortAtMs: 0,
    kind: 'municipality',
    authority: authorityName(name),
    text: `${name} ${province}`,
    item: { name, kind: 'municipality', status: 'current', authority: province === '' ? name : province },
  };
}

const full = { everyMs: DAY_MS, mode: 'full', maxBytes: 64 * 2 ** 20, maxRows: 20_000, indexed: 500 } as const;

export const municipalities: DataSource = {
  ...full,
  id: 'pdok-gemeenten',
  dataset: 'zones',
  title: 'Municipalities',
  licence: 'CC-BY-4.0',
  publisher: 'Kadaster and PDOK, https://www.pdok.nl',
  async *read(context) {
    const path = '/kadaster/bestuurlijkegebieden/ogc/v1/collections/gemeentegebied/items';
    const features = await allFeatures(context, path, 50);
    yield { rows: features.flatMap((properties) => municipalityRow(properties, context.link) ?? []) };
  },
  readFile: ({ link }) =>
    mappedReader(featurePage(), ({ properties }) => properties.flatMap((one) => municipalityRow(one, link) ?? [])),
};

function emissionRow(zone: XmlNode, link: ReadContext['link']): DraftRow | undefined {
  const id = foreign(zone.attributes.get('id'));
  const name = foreign(elementText(zone, 'name'));
  if (id === '' || name === '') return undefined;
  const authority = foreign(elementText(zone, 'issuingAuthority'));
  const from = timeMs(elementText(zone, 'overallStartTime'));
  const kind = foreign(elementText(zone, 'controlledZoneType'));
  return {
    id: id.slice(0, 80),
    sourceUrl: link('ndw', 'https://opendata.ndw.nu/emissiezones.xml.gz'),
    sortAtMs: 0,
    kind: 'emission',
    authority: authorityName(authority),
    facets: [kind],
    text: `${name} ${authority} ${kind}`,
    item: {
      name,
      kind: 'emission',
      status: foreign(elementText(zone, 'status')) || 'unknown',
      authority,
      ...(from !== undefined && { valid_from: dutchDate(from) }),
    },
  };
}

function emissionFile(link: ReadContext['link']) {
  return mappedReader(
    xmlRecords({
      roots: DATEX_ROOTS,
      records: ['urbanVehicleAccessRegulation', 'controlledZone'],
      take: (zone) => emissionRow(zone, link),
    }),
    ({ taken }) => taken,
  );
}

export const emissionZones: DataSource = {
  ...full,
  id: 'ndw-emissiezones',
  dataset: 'zones',
  title: 'Emission zones',
  licence: 'unconfirmed',
  publisher: 'NDW, https://www.ndw.nu',
  async *read({ ask, link }) {
    yield {
      rows: await ask({ host: 'ndw', path: '/emissiezones.xml.gz', isConditional: true }, () => emissionFile(link)),
    };
  },
  readFile: ({ link }) => emissionFile(link),
};

/** A part of an area stands in the register once for each directive that protects it. */
function areaRows(features: readonly JsonRecord[], link: ReadContext['link']): DraftRow[] {
  const areas = Map.groupBy(
    features.filter(({ nr, naamN2K }) => number(nr) !== null && typeof naamN2K === 'string'),
    ({ nr }) => nr as number,
  );
  return [...areas].map(([nr, parts]) => {
    const texts = (...names: readonly string[]) => [
      ...new Set(parts.flatMap((part) => names.map((name) => foreign(part[name])))).difference(new Set([''])),
    ];
    const name = texts('naamN2K')[0] ?? '';
    const protection = texts('beschermin').toSorted();
    const squareMetres = parts.reduce((sum, part) => sum + (number(part['shape_area']) ?? 0), 0);
    return {
      id: String(nr),
      sourceUrl: link('pdok', 'https://api.pdok.nl/rvo/natura2000/ogc/v1/collections/natura2000'),
      sortAtMs: 0,
      facets: protection,
      text: name,
      item: {
        area_nr: nr,
        name,
        protection,
        site_codes: texts('sitecodeV', 'sitecodeH').toSorted(),
        area_ha: Math.round(squareMetres / 100) / 100,
      },
    };
  });
}

export const natura: DataSource = {
  ...full,
  id: 'pdok-natura2000',
  dataset: 'natura',
  title: 'Natura 2000 areas',
  licence: 'Public Domain Mark 1.0',
  publisher: 'RVO and PDOK, https://www.pdok.nl',
  async *read(context) {
    const features = await allFeatures(context, '/rvo/natura2000/ogc/v1/collections/natura2000/items', 100);
    yield { rows: areaRows(features, context.link) };
  },
  readFile: ({ link }) => mappedReader(featurePage(), ({ properties }) => areaRows(properties, link)),
};
