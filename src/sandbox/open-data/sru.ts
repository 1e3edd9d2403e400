import { escapeXml } from '#kernel/xml.ts';
import { dayFrom, type Simulator, type SimulatorRequest } from '../registers/simulator.ts';

/** Records of one answer, fewer than callers ask for: they must turn the page. */
const PAGE = 25;
const ACTIVITIES = ['bouwen', 'slopen', 'kappen'];
const AUTHORITIES = ['Voorbeeldstad', 'Modeldorp', 'Proefgemeente'];
const CASES = 36;

interface Publication {
  readonly id: string;
  readonly day: string;
  readonly title: string;
  readonly authority: string;
  readonly activity: string;
  readonly reference: string;
}

/** Applications of the last months and the decisions on most of them; every name is invented. */
function publications(nowMs: number): Publication[] {
  return Array.from({ length: CASES }, (_, index): Publication[] => {
    const [authority, activity] = [AUTHORITIES[index % 3] ?? '', ACTIVITIES[(index >> 1) % 3] ?? ''];
    const reference = `Z-0000-${String(index).padStart(3, '0')}`;
    const appliedDaysAgo = 20 + index * 2;
    const decidedDaysAgo = appliedDaysAgo - 15 - ((index * 7) % 30);
    const street = `Verzonnenstraat ${index + 1}`;
    const of = (kind: string, daysAgo: number, verb: string) => ({
      id: `gmb-0000-${index}${kind}`,
      day: dayFrom(nowMs, -daysAgo),
      authority,
      activity,
      reference,
      title: `${verb} omgevingsvergunning ${activity}, ${street} te ${authority}`,
    });
    const decision = decidedDaysAgo < 0 ? [] : [of('2', decidedDaysAgo, 'Verleende')];
    return [of('1', appliedDaysAgo, 'Aanvraag'), ...decision];
  }).flat();
}

function permitRecord({ id, day, title, authority, activity, reference }: Publication): string {
  return `<sru:record><sru:recordData><gzd:gzd><gzd:originalData><overheidwetgeving:meta>
    <owmskern><dcterms:identifier>${id}</dcterms:identifier><dcterms:title>${escapeXml(title)}</dcterms:title>
    <dcterms:type scheme="overheid:Informatietype">omgevingsvergunning</dcterms:type><dcterms:creator scheme="overheid:Gemeente">${authority}</dcterms:creator></owmskern>
    <owmsmantel><dcterms:available>${day}</dcterms:available></owmsmantel>
    <tpmeta><activiteit>${activity}</activiteit><referentienummer>${reference}</referentienummer><geometrie>POINT(5.1200 52.0900)</geometrie></tpmeta>
    </overheidwetgeving:meta></gzd:originalData></gzd:gzd></sru:recordData></sru:record>`;
}

function response(total: number, records: readonly string[]) {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<sru:searchRetrieveResponse xmlns:sru="http://docs.oasis-open.org/ns/search-ws/sruResponse" xmlns:gzd="http://standaarden.overheid.nl/sru" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:overheidwetgeving="http://standaarden.overheid.nl/wetgeving/"><sru:version>2.0</sru:version><sru:numberOfRecords>${total}</sru:numberOfRecords><sru:records>${records.join('\n')}</sru:records></sru:searchRetrieveResponse>`;
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}

function page<T>(found: readonly T[], { query, isMismatched }: SimulatorRequest, record: (one: T) => string) {
  // A mismatch is a source that lost most of what it had.
  const left = isMismatched ? found.slice(0, Math.floor(found.length / 5)) : found;
  const from = Number(query.get('startRecord') ?? '1') - 1;
  const size = Math.min(PAGE, Number(query.get('maximumRecords') ?? PAGE));
  return response(left.length, left.slice(from, from + size).map(record));
}

const throttle = () => ({ status: 429, headers: { 'retry-after': '1' }, body: '' });
const human = { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Fictional record of the sandbox</p>' };

/** The search of official publications: an unknown question finds nothing and says nothing. */
export const KOOP: Simulator = {
  answer(request) {
    if (request.path !== '/sru') return human;
    const asked = request.query.get('query') ?? '';
    const [, from = '9999'] = /dt\.available>="([\d-]+)"/.exec(asked) ?? [];
    const [, to = '9999'] = /dt\.available<="([\d-]+)"/.exec(asked) ?? [];
    const found = publications(request.nowMs).filter(({ day }) => day >= from && day <= to);
    return page(found, request, permitRecord);
  },
  throttle,
};

const LAWS: readonly (readonly [id: string, title: string, kind: string])[] = [
  ['BWBR0000001', 'Omgevingswet (voorbeeld)', 'wet'],
  ['BWBR0000002', 'Omgevingsbesluit (voorbeeld)', 'AMvB'],
  ['BWBR0000003', 'Besluit bouwwerken leefomgeving (voorbeeld)', 'AMvB'],
  ['BWBR0000004', 'Besluit activiteiten leefomgeving (voorbeeld)', 'AMvB'],
  ['BWBR0000005', 'Besluit kwaliteit leefomgeving (voorbeeld)', 'AMvB'],
  ['BWBR0000006', 'Invoeringswet Omgevingswet (voorbeeld)', 'wet'],
  ['BWBR0000007', 'Wet kwaliteitsborging voor het bouwen (voorbeeld)', 'wet'],
];

/** The search of acts in force. */
export const BWB: Simulator = {
  answer(request) {
    if (request.path !== '/Search') return human;
    const [, title = ''] = /titel any "([^"]+)"/.exec(request.query.get('query') ?? '') ?? [];
    const words = title.toLowerCase().split(' ');
    const all = request.isMismatched ? LAWS.slice(0, 2) : LAWS;
    const found = all.filter(([, name]) => words.some((word) => name.toLowerCase().includes(word)));
    return page(found, { ...request, isMismatched: false }, ([id, name, kind]) => {
      return `<sru:record><sru:recordData><gzd:gzd><dcterms:identifier>${id}</dcterms:identifier><dcterms:title>${name}</dcterms:title><dcterms:type>${kind}</dcterms:type><overheid:authority>Voorbeeldministerie</overheid:authority></gzd:gzd></sru:recordData></sru:record>`;
    });
  },
  throttle,
};
