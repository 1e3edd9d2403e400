import { DAY_MS, HOUR_MS, utcDay } from '#kernel/clock.ts';
import { elementText, findAll, mappedReader, type XmlNode, type XmlPage, xmlRecords } from './page-readers.ts';
import {
  authorityName,
  type DataSource,
  type DraftRow,
  foreign,
  type ReadContext,
  SourceError,
  timeMs,
} from './source.ts';

/** Asked window by window, so that a first read of a year is many small commits. */
const WINDOW_MS = 7 * DAY_MS;
const PAGE = 100;
/** The service counts on without end where it does not know a page. */
const MAX_PAGES = 500;

/** What a publication announces, from its title: the first that fits. */
const TYPES: readonly (readonly [type: string, title: RegExp])[] = [
  ['extension', /verleng/i],
  ['decision', /verle+n|geweigerd|weigering|besluit|buiten behandeling|ingetrokken|intrekking/i],
  ['application', /aanvra+g|ingekomen|ingediend/i],
];

/** Two decimals that can only be a place in the Netherlands, in either order. */
function dutchPlace(text: string): { lat: number; lon: number } | undefined {
  for (const [, first, second] of text.matchAll(/(\d{1,2}\.\d+)[\s,]+(\d{1,2}\.\d+)/g)) {
    const [a, b] = [Number(first), Number(second)];
    if (a > 50 && a < 54 && b > 3 && b < 8) return { lat: a, lon: b };
    if (b > 50 && b < 54 && a > 3 && a < 8) return { lat: b, lon: a };
  }
  return undefined;
}

function permitRow(record: XmlNode, link: ReadContext['link']): DraftRow | undefined {
  const id = foreign(elementText(record, 'identifier'));
  const title = foreign(elementText(record, 'title'));
  const published = elementText(record, 'available').slice(0, 10);
  const sortAtMs = timeMs(published);
  if (!/^[\w-]{3,60}$/.test(id) || title === '' || sortAtMs === undefined) return undefined;
  const authority = foreign(elementText(record, 'creator'));
  const activity = findAll(record, 'activiteit')
    .map(({ text }) => foreign(text))
    .filter((text) => text !== '')
    .join('; ');
  const reference = foreign(elementText(record, 'referentienummer'));
  const type = TYPES.find(([, form]) => form.test(title))?.[0] ?? 'other';
  const place = findAll(record, 'geometrie')
    .map(({ text, children }) => dutchPlace([text, ...children.map((child) => child.text)].join(' ')))
    .find((found) => found !== undefined);
  return {
    id,
    sourceUrl: link('koop', `https://zoek.officielebekendmakingen.nl/${id}.html`),
    sortAtMs,
    kind: type,
    authority: authorityName(authority),
    facets: [activity],
    reference,
    text: `${title} ${authority} ${activity}`,
    ...place,
    item: {
      identifier: id,
      title,
      type,
      authority,
      activity,
      reference,
      published,
      ...(type === 'decision' && { decided: published }),
      ...place,
    },
  };
}

/** Records by local names; the prefixes of this service vary. */
function permitPage(link: ReadContext['link']) {
  return xmlRecords({
    roots: ['searchRetrieveResponse'],
    records: ['record'],
    outer: ['numberOfRecords'],
    take: (record) => permitRow(record, link),
  });
}

/** A wrong question is answered by a diagnostic or by none at all, never by a fault of HTTP. */
export function sruTotal(page: XmlPage<unknown>): number {
  const total = Number(page.outer.get('numberOfRecords') ?? Number.NaN);
  if (!Number.isSafeInteger(total)) throw new SourceError('WRONG_FORMAT', 'the response has no record count');
  return total;
}

async function windowRows({ ask, link }: ReadContext, fromMs: number, toMs: number): Promise<DraftRow[]> {
  const rows: DraftRow[] = [];
  const query = [
    'c.product-area=="officielepublicaties"',
    'dt.type=="omgevingsvergunning"',
    `dt.available>="${utcDay(fromMs)}"`,
    `dt.available<="${utcDay(toMs)}"`,
  ].join(' AND ');
  for (let page = 0, seen = 0; page < MAX_PAGES; page += 1) {
    const paging = { startRecord: String(seen + 1), maximumRecords: String(PAGE) };
    const answer = await ask(
      {
        host: 'koop',
        path: '/sru',
        query: {
          operation: 'searchRetrieve',
          version: '2.0',
          httpAccept: 'application/xml',
          recordSchema: 'gzd',
          ...paging,
          query,
        },
      },
      () => permitPage(link),
    );
    rows.push(...answer.taken);
    seen += answer.seen;
    if (seen >= sruTotal(answer)) return rows;
    if (answer.seen === 0) throw new SourceError('TRUNCATED', 'a page is missing');
  }
  throw new SourceError('TOO_LARGE', 'there are more pages than the limit');
}

export const permits: DataSource = {
  id: 'koop-sru',
  dataset: 'permits',
  title: 'Official publications of environmental permits',
  licence: 'unconfirmed',
  publisher: 'KOOP, https://www.officielebekendmakingen.nl',
  everyMs: HOUR_MS,
  mode: 'incremental',
  overlapMs: 7 * DAY_MS,
  firstReadMs: 400 * DAY_MS,
  keepMs: 400 * DAY_MS,
  maxBytes: 16 * 2 ** 20,
  maxRows: 50_000,
  indexed: 5_000,
  async *read(context) {
    for (let fromMs = context.sinceMs; fromMs <= context.nowMs; fromMs += WINDOW_MS + DAY_MS) {
      const toMs = Math.min(fromMs + WINDOW_MS, context.nowMs);
      yield { rows: await windowRows(context, fromMs, toMs), window: { fromMs, toMs } };
    }
  },
  readFile: ({ link }) => mappedReader(permitPage(link), ({ taken }) => taken),
};
