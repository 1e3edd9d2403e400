import { dayFrom, jsonAnswer, type Simulator } from '../registers/simulator.ts';

const TENDERS = 30;
const WORK = ['Nieuwbouw school', 'Renovatie gemeentehuis', 'Aanleg fietspad', 'Levering kantoormeubilair'];
/** The last of the works is no construction. */
const CPV = ['45214200-2', '45453100-8', '45233162-2', '39130000-2'];
const BUYERS = ['Gemeente Voorbeeldstad', 'Gemeente Modeldorp'];
const throttle = () => jsonAnswer(429, { message: 'Too many requests' }, { 'retry-after': '1' });

function publications(nowMs: number) {
  return Array.from({ length: TENDERS }, (_, index) => ({
    publicatieId: 900_000 + index,
    publicatieDatum: dayFrom(nowMs, -Math.floor(index / 3)),
    typePublicatie: { code: 'AAO', omschrijving: 'Aankondiging opdracht' },
    aanbestedingNaam: `${WORK[index % 4]} ${index + 1} (voorbeeld)`,
    opdrachtgeverNaam: BUYERS[index % 2],
    sluitingsDatum: `${dayFrom(nowMs, index % 5 === 0 ? -1 : 20 + index)}T12:00:00`,
    procedure: { code: 'OPE', omschrijving: 'Openbaar' },
    typeOpdracht: { code: 'W' },
    europees: index % 2 === 0,
    digitaal: true,
    kenmerk: 900_000 + index,
    link: { href: 'https://tenders.invalid' },
  }));
}

/** The Dutch tender platform: what it does not know as a parameter it ignores, and tells of everything. */
export const TENDERNED: Simulator = {
  answer({ path, query, nowMs, isMismatched }) {
    const all = publications(nowMs);
    const [, id] = /^\/publicaties\/(\d+)$/.exec(path) ?? [];
    const one = all.find(({ publicatieId }) => String(publicatieId) === id);
    if (one !== undefined) {
      const code = CPV[(one.publicatieId - 900_000) % 4];
      const cpvCodes = [{ code, omschrijving: 'voorbeeld', isHoofdOpdracht: true }];
      return jsonAnswer(200, { ...one, cpvCodes, nutsCodes: [{ code: 'NL310', omschrijving: 'Voorbeeldland' }] });
    }
    if (path !== '/publicaties') return jsonAnswer(200, { fictional: true });
    const size = Number(query.get('size'));
    if (!(size >= 1 && size <= 100)) return jsonAnswer(400, { message: 'size' });
    const from = query.get('publicatieDatumVanaf') ?? '';
    const found = all.filter(({ publicatieDatum }) => publicatieDatum >= from);
    const left = isMismatched ? found.slice(0, 1) : found;
    const shown = Math.min(size, 20);
    const page = Number(query.get('page') ?? '0');
    const content = left.slice(page * shown, (page + 1) * shown);
    const totalPages = Math.ceil(left.length / shown);
    return jsonAnswer(200, {
      content,
      first: page === 0,
      last: page + 1 >= totalPages,
      totalElements: left.length,
      totalPages,
      size: shown,
      number: page,
    });
  },
  throttle,
};

/** The European journal: texts by language, dates with a zone, pages by number. */
export const TED: Simulator = {
  answer({ method, path, body, nowMs, isMismatched }) {
    if (path !== '/notices/search' || method !== 'POST') return jsonAnswer(200, { fictional: true });
    const { limit = 10, page = 1 } = JSON.parse(body || '{}') as { limit?: number; page?: number };
    const all = Array.from({ length: 12 }, (_, index) => ({
      'publication-number': `00000${index}-2026`,
      'publication-date': `${dayFrom(nowMs, -index)}+01:00`,
      'notice-title': { deu: `Neubau Beispielhaus ${index}`, eng: `Example building ${index}` },
      'buyer-name': { deu: ['Gemeinde Beispielstadt'] },
      'buyer-country': [index % 2 === 0 ? 'BEL' : 'DEU'],
      'classification-cpv': ['45210000', '45000000'],
      'deadline-receipt-tender-date-lot': [`${dayFrom(nowMs, 15 + index)}+01:00`],
      'procedure-type': 'open',
    }));
    const left = isMismatched ? all.slice(0, 1) : all;
    const shown = Math.min(limit, 5);
    const notices = left.slice((page - 1) * shown, page * shown);
    return jsonAnswer(200, { notices, totalNoticeCount: left.length, timedOut: false });
  },
  throttle,
};
