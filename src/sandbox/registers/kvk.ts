import { compactDayFrom, jsonAnswer, type Simulator, type SimulatorAnswer } from './simulator.ts';

interface Company {
  readonly name: string;
  readonly city: string;
  /** Days from now; absent while it is registered. */
  readonly endsInDays?: number;
  /** The search itself says that it is inactive. */
  readonly isInactive?: true;
  /** The search shows it and the profile does not. */
  readonly isInconsistent?: true;
  /** Answers in the older form of links. */
  readonly hasOldLinks?: true;
}

const COMPANIES: Readonly<Record<string, Company>> = {
  '11998877': { name: 'Voorbeeld Handel B.V.', city: 'Voorbeeldstad' },
  '11998878': { name: 'Gestopte Zaak B.V.', city: 'Voorbeeldstad', endsInDays: -200 },
  '11998879': { name: 'Slapende Zaak B.V.', city: 'Voorbeeldstad', isInactive: true },
  '11998880': { name: 'Dubbele Naam B.V.', city: 'Voorbeeldstad' },
  '11998881': { name: 'Dubbele Naam B.V.', city: 'Monsterstad' },
  '69599084': { name: 'Test Eenmanszaak', city: 'Amsterdam', hasOldLinks: true },
  '68750110': { name: 'Test BV Donald', city: 'Lollum' },
  '90000001': { name: 'Sample B.V.', city: 'Monsterstad' },
  '90000009': { name: 'Half Sample B.V.', city: 'Monsterstad', isInconsistent: true },
  '90000749': { name: 'Test Stichting', city: 'Utrecht' },
  '90001354': { name: 'Test VOF', city: 'Utrecht' },
};

/** The search fails for it. */
const OUT_OF_ORDER = '90000008';

export const KVK: Simulator = {
  answer({ path, query, header, nowMs, isMismatched }) {
    if ((header('apikey') ?? '') === '') return jsonAnswer(401, { message: 'Unauthorized' });
    if (path === '/v2/zoeken') return search(query, isMismatched);
    const [, number] = /^\/v1\/basisprofielen\/(\d{8})$/.exec(path) ?? [];
    const company = COMPANIES[number ?? ''];
    if (number === undefined || company === undefined || company.isInconsistent) return fault(404, 'IPD0005');
    const href = `https://kvk.invalid/v1/basisprofielen/${number}`;
    const { endsInDays } = company;
    return jsonAnswer(200, {
      kvkNummer: isMismatched ? '00000000' : number,
      indNonMailing: 'Ja',
      naam: company.name,
      formeleRegistratiedatum: compactDayFrom(nowMs, -3_000),
      materieleRegistratie: {
        datumAanvang: compactDayFrom(nowMs, -3_000),
        ...(endsInDays !== undefined && { datumEinde: compactDayFrom(nowMs, endsInDays) }),
      },
      handelsnamen: [{ naam: company.name, volgorde: 0 }],
      ...(company.hasOldLinks ? { links: [{ rel: 'self', href }] } : { _links: { self: { href } } }),
    });
  },
  throttle: () => jsonAnswer(429, { message: 'Too Many Requests' }, { 'retry-after': '1' }),
};

function search(query: URLSearchParams, isMismatched: boolean): SimulatorAnswer {
  const [number, name, city] = [query.get('kvkNummer'), query.get('naam'), query.get('plaats')];
  if (number !== null && !/^\d{8}$/.test(number)) return fault(400, 'IPD0004');
  if (number === OUT_OF_ORDER) return fault(500, 'IPD9999');
  const found = Object.entries(COMPANIES).filter(
    ([kvkNumber, company]) =>
      (number === null || kvkNumber === number) &&
      (name === null || company.name.toUpperCase().includes(name.toUpperCase())) &&
      (city === null || company.city === city),
  );
  if (found.length === 0 || (number === null && name === null)) return fault(404, 'IPD5200');
  const [page, size] = [Number(query.get('pagina') ?? 1), Number(query.get('resultatenPerPagina') ?? 10)];
  return jsonAnswer(200, {
    pagina: page,
    resultatenPerPagina: size,
    totaal: found.length,
    resultaten: found.slice((page - 1) * size, page * size).map(([kvkNumber, company]) => ({
      kvkNummer: isMismatched ? '00000000' : kvkNumber,
      naam: company.name,
      adres: { binnenlandsAdres: { type: 'bezoekadres', straatnaam: 'Voorbeeldweg', plaats: company.city } },
      type: 'hoofdvestiging',
      ...(company.isInactive && { actief: 'Nee' }),
    })),
  });
}

function fault(status: number, code: string): SimulatorAnswer {
  return jsonAnswer(status, { fout: [{ code, omschrijving: 'Fictief antwoord.' }] });
}
