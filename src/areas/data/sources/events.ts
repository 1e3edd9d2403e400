import { DAY_MS, HOUR_MS, isoTime } from '#kernel/clock.ts';
import { elementText, find, findAll, mappedReader, type XmlNode, xmlRecords } from './page-readers.ts';
import { authorityName, type DataSource, type DraftRow, foreign, type ReadContext, timeMs } from './source.ts';

export const DATEX_ROOTS = ['messageContainer', 'payload', 'd2LogicalModel', 'd2Payload'];
const AHEAD_MS = 90 * DAY_MS;

const KINDS: ReadonlyMap<string, string> = new Map([
  ['MaintenanceWorks', 'works'],
  ['ConstructionWorks', 'works'],
  ['PublicEvent', 'event'],
  ['RoadOrCarriagewayOrLaneManagement', 'closure'],
]);

function place(record: XmlNode): { lat: number; lon: number } | undefined {
  const [lat, lon] = [Number(elementText(record, 'latitude')), Number(elementText(record, 'longitude'))];
  if (lat > 0 && lon > 0) return { lat, lon };
  const [first, second] = (find(record, 'posList')?.text.trim() ?? '').split(/\s+/).map(Number);
  return first !== undefined && second !== undefined && first > 0 && second > 0
    ? { lat: first, lon: second }
    : undefined;
}

function situationRow(situation: XmlNode, { nowMs, link, path }: Feed): DraftRow | undefined {
  const id = foreign(situation.attributes.get('id'));
  const records = findAll(situation, 'situationRecord');
  const kinds = records.map(({ attributes }) => {
    const type = [...attributes].find(([name]) => name.endsWith('type'))?.[1] ?? '';
    return KINDS.get(type.slice(type.indexOf(':') + 1));
  });
  const kind = kinds.find((one) => one !== undefined);
  const startsMs = Math.min(...records.flatMap((record) => timeMs(elementText(record, 'overallStartTime')) ?? []));
  const ends = records.flatMap((record) => timeMs(elementText(record, 'overallEndTime')) ?? []);
  const endsMs = ends.length < records.length || ends.length === 0 ? null : Math.max(...ends);
  if (id === '' || id.length > 100 || kind === undefined || !Number.isFinite(startsMs)) return undefined;
  if (startsMs > nowMs + AHEAD_MS || (endsMs !== null && endsMs < nowMs)) return undefined;
  const authority = foreign(elementText(situation, 'sourceName'));
  const at = records.map(place).find((found) => found !== undefined);
  return {
    id,
    sourceUrl: link('ndw', `https://opendata.ndw.nu${path}`),
    sortAtMs: startsMs,
    // What has no end is under way until the source says otherwise.
    untilMs: endsMs ?? Number.MAX_SAFE_INTEGER,
    kind,
    authority: authorityName(authority),
    text: `${kind} ${authority} ${foreign(elementText(situation, 'comment'))}`,
    ...at,
    item: {
      situation_id: id,
      kind,
      starts: isoTime(startsMs),
      ends: endsMs === null ? null : isoTime(endsMs),
      authority,
      ...at,
    },
  };
}

interface Feed extends Pick<ReadContext, 'nowMs' | 'link'> {
  readonly path: string;
}

/** The whole feed is unpacked and read as it comes; only what falls into the next 90 days is kept. */
function situations(feed: Feed) {
  const take = (situation: XmlNode) => situationRow(situation, feed);
  return mappedReader(xmlRecords({ roots: DATEX_ROOTS, records: ['situation'], take }), ({ taken }) => taken);
}

function feedSource(id: string, title: string, path: string): DataSource {
  return {
    id,
    dataset: 'events',
    title,
    licence: 'unconfirmed',
    publisher: 'NDW, https://www.ndw.nu',
    everyMs: 6 * HOUR_MS,
    mode: 'full',
    maxBytes: 512 * 2 ** 20,
    maxRows: 50_000,
    indexed: 1_000,
    async *read({ ask, nowMs, link }) {
      yield { rows: await ask({ host: 'ndw', path, isConditional: true }, () => situations({ nowMs, link, path })) };
    },
    readFile: ({ nowMs, link }) => situations({ nowMs, link, path }),
  };
}

export const events: readonly DataSource[] = [
  feedSource('ndw-planning', 'Planned road works and events', '/planningsfeed_wegwerkzaamheden_en_evenementen.xml.gz'),
  feedSource('ndw-afsluitingen', 'Temporary closures', '/tijdelijke_verkeersmaatregelen_afsluitingen.xml.gz'),
];
