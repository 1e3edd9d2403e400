import { DAY_MS, utcDay } from '#kernel/clock.ts';
import { elementText, mappedReader, type XmlNode, xmlRecords } from './page-readers.ts';
import { type DataSource, type DraftRow, foreign, type ReadContext } from './source.ts';
import { sruTotal } from './permits.ts';

/** Acts and decrees that building in the Netherlands stands on, by the words that find them. */
const TITLES = [
  'Omgevingswet',
  'Omgevingsbesluit',
  'Besluit bouwwerken leefomgeving',
  'Besluit activiteiten leefomgeving',
  'Besluit kwaliteit leefomgeving',
  'Invoeringswet Omgevingswet',
  'Wet kwaliteitsborging voor het bouwen',
];

function lawRow(record: XmlNode, nowMs: number, link: ReadContext['link']): DraftRow | undefined {
  const id = foreign(elementText(record, 'identifier'));
  const title = foreign(elementText(record, 'title'));
  if (!/^BWB[A-Z]\d{4,10}$/.test(id) || title === '') return undefined;
  const item = {
    bwb_id: id,
    title,
    kind: foreign(elementText(record, 'type')),
    authority: foreign(elementText(record, 'authority')),
    valid_on: utcDay(nowMs),
  };
  return {
    id,
    sourceUrl: link('bwb', `https://wetten.overheid.nl/${id}`),
    sortAtMs: 0,
    kind: item.kind,
    text: `${title} ${item.kind} ${item.authority}`,
    item,
  };
}

function lawPage(nowMs: number, link: ReadContext['link']) {
  return xmlRecords({
    roots: ['searchRetrieveResponse'],
    records: ['record'],
    outer: ['numberOfRecords'],
    take: (record) => lawRow(record, nowMs, link),
  });
}

/** States of the same act that hold on one day are one act. */
function byId(rows: readonly DraftRow[]): DraftRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

export const laws: DataSource = {
  id: 'bwb-sru',
  dataset: 'laws',
  title: 'Construction acts and decrees',
  licence: 'CC0-1.0',
  publisher: 'KOOP, https://wetten.overheid.nl',
  everyMs: DAY_MS,
  mode: 'full',
  maxBytes: 8 * 2 ** 20,
  maxRows: 2_000,
  indexed: 2_000,
  async *read({ ask, nowMs, link }) {
    const rows: DraftRow[] = [];
    for (const title of TITLES) {
      // Without a day every state that ever was is a record of its own.
      const query = `overheidbwb.titel any "${title}" and overheidbwb.geldigheidsdatum==${utcDay(nowMs)}`;
      const answer = await ask(
        {
          host: 'bwb',
          path: '/Search',
          query: {
            version: '1.2',
            operation: 'searchRetrieve',
            'x-connection': 'BWB',
            maximumRecords: '25',
            query,
          },
        },
        () => lawPage(nowMs, link),
      );
      sruTotal(answer);
      rows.push(...answer.taken.filter((row) => String(row.item['title']).toLowerCase().includes(title.toLowerCase())));
    }
    yield { rows: byId(rows) };
  },
  readFile: ({ nowMs, link }) => mappedReader(lawPage(nowMs, link), ({ taken }) => byId(taken)),
};
