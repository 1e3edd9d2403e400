import { gzipSync } from 'node:zlib';
import { sha256Hex } from '#kernel/ids.ts';
import {
  dayFrom,
  jsonAnswer,
  type Simulator,
  type SimulatorAnswer,
  type SimulatorRequest,
} from '../registers/simulator.ts';

const PAGE = 5;
const MUNICIPALITIES = ['Voorbeeldstad', 'Modeldorp', 'Proefgemeente', 'Testerveen', 'Schijnhaven', 'Verzonburg'];
const throttle = () => jsonAnswer(429, { message: 'Too many requests' }, { 'retry-after': '1' });

/** Two parts of one area and areas with one part: 7 features, 6 areas. */
const AREAS = [
  ...[1, 1, 2, 3, 4, 5, 6].map((nr, index) => ({
    naamN2K: `Voorbeeldveen ${nr}`,
    nr,
    beschermin: index === 0 ? 'VR' : index === 1 ? 'VR+HR' : 'HR',
    sitecodeV: index < 2 ? 'NL0000101' : ' ',
    sitecodeH: index === 0 ? ' ' : `NL000000${nr}`,
    status: 'definitief',
    shape_area: 10_000 * (index + 1),
  })),
];

const COLLECTIONS: Readonly<Record<string, readonly object[]>> = {
  '/kadaster/bestuurlijkegebieden/ogc/v1/collections/gemeentegebied/items': MUNICIPALITIES.map((naam, index) => ({
    naam,
    code: `000${index + 1}`,
    identificatie: `GM000${index + 1}`,
    ligt_in_provincie_naam: 'Voorbeeldland',
  })),
  '/rvo/natura2000/ogc/v1/collections/natura2000/items': AREAS,
};

/** Features in pages that name the next one. */
export const PDOK: Simulator = {
  answer({ path, query, isMismatched }) {
    const all = COLLECTIONS[path];
    if (all === undefined) return jsonAnswer(200, { fictional: true });
    const left = isMismatched ? all.slice(0, 1) : all;
    const from = Number(query.get('cursor') ?? '0');
    const features = left.slice(from, from + PAGE).map((properties) => ({
      type: 'Feature',
      properties,
      geometry: { type: 'Point', coordinates: [5.1, 52.1] },
    }));
    const href = `https://pdok.invalid${path}?f=json&limit=${query.get('limit')}&cursor=${from + PAGE}`;
    const links = from + PAGE < left.length ? [{ rel: 'next', href }] : [];
    return jsonAnswer(200, { type: 'FeatureCollection', features, links });
  },
  throttle,
};

const TYPES = [
  'sit:MaintenanceWorks',
  'sit:ConstructionWorks',
  'sit:PublicEvent',
  'sit:RoadOrCarriagewayOrLaneManagement',
];

function situation(nowMs: number, name: string, index: number): string {
  const day = (days: number) => `${dayFrom(nowMs, days)}T06:00:00Z`;
  // The last ones are beyond the time that is kept.
  const startsIn = index * 10 - 5;
  return `<sit:situation id="NDW-0000-${name}-${index}"><sit:situationRecord xsi:type="${TYPES[index % 4]}" id="r${index}">
    <sit:source><com:sourceName><com:values><com:value lang="nl">Gemeente ${MUNICIPALITIES[index % 3]}</com:value></com:values></com:sourceName></sit:source>
    <sit:validity><com:validityTimeSpecification><com:overallStartTime>${day(startsIn)}</com:overallStartTime><com:overallEndTime>${day(startsIn + 20)}</com:overallEndTime></com:validityTimeSpecification></sit:validity>
    <sit:locationReference><loc:pointByCoordinates><loc:latitude>52.09</loc:latitude><loc:longitude>5.12</loc:longitude></loc:pointByCoordinates></sit:locationReference>
    </sit:situationRecord></sit:situation>`;
}

function zone(name: string, index: number): string {
  return `<cz:urbanVehicleAccessRegulation id="EZ-0000-${index}"><cz:name><com:values><com:value lang="nl">Milieuzone ${name}</com:value></com:values></cz:name>
    <cz:controlledZoneType>lowEmissionZone</cz:controlledZoneType><cz:status>active</cz:status><cz:issuingAuthority>Gemeente ${name}</cz:issuingAuthority></cz:urbanVehicleAccessRegulation>`;
}

function records(path: string, { nowMs, isMismatched }: SimulatorRequest): string | undefined {
  const few = <T>(all: readonly T[]) => (isMismatched ? all.slice(0, 1) : all);
  if (path === '/emissiezones.xml.gz') return few(MUNICIPALITIES.slice(0, 4)).map(zone).join('');
  const [, feed] = /^\/(planningsfeed|tijdelijke)_\w+\.xml\.gz$/.exec(path) ?? [];
  if (feed === undefined) return undefined;
  const indices = few(Array.from({ length: 12 }, (_, index) => index));
  return indices.map((index) => situation(nowMs, feed, index)).join('\n');
}

/** Packed files that no header calls packed, with what a conditional request needs. */
export const NDW: Simulator = {
  answer(request): SimulatorAnswer {
    const inner = records(request.path, request);
    if (inner === undefined) return jsonAnswer(200, { fictional: true });
    const document = `<?xml version="1.0" encoding="UTF-8"?><mc:messageContainer xmlns:mc="http://datex2.eu/schema/3/messageContainer" xmlns:sit="http://datex2.eu/schema/3/situation" xmlns:com="http://datex2.eu/schema/3/common" xmlns:loc="http://datex2.eu/schema/3/locationReferencing" xmlns:cz="http://datex2.eu/schema/3/controlledZone" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><mc:payload>${inner}</mc:payload></mc:messageContainer>`;
    const etag = `"${sha256Hex(document).slice(0, 32)}"`;
    if (request.header('if-none-match') === etag) return { status: 304, headers: { etag }, body: '' };
    return { status: 200, headers: { 'content-type': 'application/xml', etag }, body: gzipSync(document) };
  },
  throttle,
};
