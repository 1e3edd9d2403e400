import { DAY_MS, HOUR_MS, utcDay } from '#kernel/clock.ts';
import { isJson, jsonPage, type JsonRecord, mappedReader, number, objects } from './page-readers.ts';
import {
  authorityName,
  type DataSource,
  type DraftRow,
  foreign,
  type ReadContext,
  SourceError,
  timeMs,
} from './source.ts';

const PAGE = 100;
const MAX_PAGES = 400;
/** CPV divisions of construction work and of engineering for it. */
const CONSTRUCTION = /^(?:45|71)/;

interface Publication {
  readonly id: string;
  readonly publishedMs: number;
  readonly closes: string | null;
  readonly item: JsonRecord;
}

interface Codes {
  readonly cpv: readonly string[];
  readonly nuts: readonly string[];
}

function codes(values: unknown): string[] {
  return (objects(values) ?? []).map(({ code }) => foreign(code).slice(0, 20)).filter((code) => code !== '');
}

function publication(value: JsonRecord): Publication | undefined {
  const id = foreign(`${number(value['publicatieId']) ?? ''}`);
  const publishedMs = timeMs(value['publicatieDatum']);
  const title = foreign(value['aanbestedingNaam']);
  if (!/^[\w-]{1,40}$/.test(id) || publishedMs === undefined || title === '') return undefined;
  const closes = foreign(value['sluitingsDatum']) || null;
  const procedure = isJson(value['procedure']) ? foreign(value['procedure']['omschrijving']) : '';
  const item = {
    publication_id: id,
    title,
    buyer: foreign(value['opdrachtgeverNaam']),
    published: utcDay(publishedMs),
    closes,
    procedure,
    european: value['europees'] === true,
    country: 'NL',
  };
  return { id, publishedMs, closes, item };
}

function tenderRow({ id, publishedMs, closes, item }: Publication, found: Codes, link: ReadContext['link']): DraftRow {
  const { cpv, nuts } = found;
  return {
    id,
    sourceUrl: link('tenderned', `https://www.tenderned.nl/aankondigingen/overzicht/${id}`),
    sortAtMs: publishedMs,
    untilMs: timeMs(closes) ?? 0,
    kind: 'nl',
    authority: authorityName(String(item['buyer'])),
    facets: cpv,
    text: `${String(item['title'])} ${String(item['buyer'])}`,
    item: { ...item, cpv, nuts },
  };
}

function tenderPage() {
  return jsonPage((page) => {
    const content = objects(page['content']);
    if (content === undefined || typeof page['last'] !== 'boolean') return undefined;
    return { content, isLast: page['last'] };
  });
}

const tenderDetail = () =>
  jsonPage((page) =>
    Array.isArray(page['cpvCodes']) ? { cpv: codes(page['cpvCodes']), nuts: codes(page['nutsCodes']) } : undefined,
  );

async function publications({ ask, sinceMs, nowMs }: ReadContext): Promise<Publication[]> {
  const found: Publication[] = [];
  const range = { publicatieDatumVanaf: utcDay(sinceMs), publicatieDatumTot: utcDay(nowMs) };
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const paging = { page: String(page), size: String(PAGE) };
    const answer = await ask({ host: 'tenderned', path: '/publicaties', query: { ...paging, ...range } }, tenderPage);
    const read = answer.content.flatMap((value) => publication(value) ?? []);
    // A parameter that it does not know is ignored without a word: then it tells of everything that it has.
    if (read.some(({ publishedMs }) => publishedMs < sinceMs - DAY_MS)) {
      throw new SourceError('FILTER_IGNORED', 'the response contains data that was not requested');
    }
    found.push(...read);
    if (answer.isLast) return found;
    if (answer.content.length === 0) throw new SourceError('TRUNCATED', 'a page is missing');
  }
  throw new SourceError('TOO_LARGE', 'there are more pages than the limit');
}

/** What is no construction work is asked about once and then only remembered by its number. */
function seenOf(cursor: string | null): Set<string> {
  const seen: unknown = cursor === null ? [] : JSON.parse(cursor);
  return new Set(Array.isArray(seen) ? seen.map(String) : []);
}

const shared = {
  dataset: 'tenders',
  everyMs: HOUR_MS,
  mode: 'incremental',
  overlapMs: 2 * DAY_MS,
  firstReadMs: 30 * DAY_MS,
  keepMs: 400 * DAY_MS,
  maxBytes: 16 * 2 ** 20,
  maxRows: 50_000,
  indexed: 3_000,
} as const;

export const tenderned: DataSource = {
  ...shared,
  id: 'tenderned',
  title: 'Dutch tender notices for construction work',
  licence: 'CC0-1.0',
  publisher: 'TenderNed, https://www.tenderned.nl',
  async *read(context) {
    const { ask, link, known, sinceMs, nowMs } = context;
    const found = await publications(context);
    const stored = await known(found.map(({ id }) => id));
    const before = seenOf(context.cursor);
    const others: string[] = [];
    const rows: DraftRow[] = [];
    for (const one of found) {
      const kept = stored.get(one.id)?.item as (Codes & JsonRecord) | undefined;
      if (before.has(one.id)) others.push(one.id);
      else {
        const detail = kept ?? (await ask({ host: 'tenderned', path: `/publicaties/${one.id}` }, tenderDetail));
        if (detail.cpv.some((code) => CONSTRUCTION.test(code))) rows.push(tenderRow(one, detail, link));
        else others.push(one.id);
      }
    }
    yield { rows, window: { fromMs: sinceMs, toMs: nowMs }, cursor: JSON.stringify(others) };
  },
  // A downloaded page has no details: what it lacks is not guessed.
  readFile: ({ link }) =>
    mappedReader(tenderPage(), ({ content }) =>
      content.flatMap((value) => {
        const one = publication(value);
        const found = { cpv: codes(value['cpvCodes']), nuts: codes(value['nutsCodes']) };
        return one === undefined ? [] : [tenderRow(one, found, link)];
      }),
    ),
};

const COUNTRIES: ReadonlyMap<string, string> = new Map([
  ['BEL', 'BE'],
  ['DEU', 'DE'],
  ['NLD', 'NL'],
]);
const FIELDS = [
  ...['publication-number', 'publication-date', 'notice-title', 'buyer-name', 'buyer-country', 'classification-cpv'],
  ...['deadline-receipt-tender-date-lot', 'procedure-type'],
];

/** Texts are maps of languages, fields lists or single values. */
function spoken(value: unknown): string {
  const texts = isJson(value) ? (value['nld'] ?? value['eng'] ?? value['deu'] ?? Object.values(value)[0]) : value;
  return foreign(Array.isArray(texts) ? texts[0] : texts);
}

function list(value: unknown): string[] {
  return [value].flat().filter((one): one is string => typeof one === 'string');
}

function noticeRow(notice: JsonRecord, link: ReadContext['link']): DraftRow | undefined {
  const id = foreign(notice['publication-number']);
  // A day with a zone: its midnight there can be the day before in UTC.
  const publishedMs = timeMs(foreign(notice['publication-date']).slice(0, 10));
  const title = spoken(notice['notice-title']);
  const country = COUNTRIES.get(list(notice['buyer-country'])[0] ?? '');
  if (!/^[\w-]{3,40}$/.test(id) || publishedMs === undefined || title === '' || country === undefined) return undefined;
  const buyer = spoken(notice['buyer-name']);
  const cpv = [...new Set(list(notice['classification-cpv']).map((code) => foreign(code).slice(0, 20)))];
  const closes = list(notice['deadline-receipt-tender-date-lot']).toSorted().at(-1)?.slice(0, 10) ?? null;
  return {
    id,
    sourceUrl: link('ted', `https://ted.europa.eu/en/notice/-/detail/${id}`),
    sortAtMs: publishedMs,
    untilMs: closes === null ? 0 : (timeMs(closes) ?? -DAY_MS) + DAY_MS,
    kind: country.toLowerCase(),
    authority: authorityName(buyer),
    facets: cpv,
    text: `${title} ${buyer}`,
    item: {
      publication_id: id,
      title,
      buyer,
      published: utcDay(publishedMs),
      closes,
      procedure: spoken(notice['procedure-type']),
      european: true,
      country,
      cpv,
      nuts: [],
    },
  };
}

function noticePage(link: ReadContext['link']) {
  return jsonPage((page) => {
    const notices = objects(page['notices']);
    const total = page['totalNoticeCount'];
    if (notices === undefined || typeof total !== 'number') return undefined;
    return { rows: notices.flatMap((notice) => noticeRow(notice, link) ?? []), seen: notices.length, total };
  });
}

export const ted: DataSource = {
  ...shared,
  id: 'ted',
  title: 'European tender notices for construction work in Belgium and Germany',
  licence: 'CC-BY-4.0',
  publisher: 'Publications Office of the EU, https://ted.europa.eu',
  async *read({ ask, link, sinceMs, nowMs }) {
    const rows: DraftRow[] = [];
    const day = utcDay(sinceMs).replaceAll('-', '');
    const query = `classification-cpv IN (45000000) AND buyer-country IN (BEL DEU) AND PD>=${day} SORT BY PD DESC`;
    for (let page = 1, seen = 0; page <= MAX_PAGES; page += 1) {
      const body = JSON.stringify({ query, fields: FIELDS, limit: PAGE, page });
      const answer = await ask({ host: 'ted', path: '/notices/search', body }, () => noticePage(link));
      rows.push(...answer.rows);
      seen += answer.seen;
      if (seen >= answer.total) return yield { rows, window: { fromMs: sinceMs, toMs: nowMs } };
      if (answer.seen === 0) throw new SourceError('TRUNCATED', 'a page is missing');
    }
    throw new SourceError('TOO_LARGE', 'there are more pages than the limit');
  },
  readFile: ({ link }) => mappedReader(noticePage(link), ({ rows }) => rows),
};
