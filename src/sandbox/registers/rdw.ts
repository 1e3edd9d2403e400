import { compactDayFrom, jsonAnswer, type Simulator } from './simulator.ts';

type Row = Readonly<Record<string, string>>;
type Rows = Readonly<Record<string, (nowMs: number) => Row>>;

function ordinary(nowMs: number): Row {
  return {
    voertuigsoort: 'Personenauto',
    merk: 'VOORBEELD',
    handelsbenaming: 'MODEL A',
    vervaldatum_apk: compactDayFrom(nowMs, 300),
    datum_eerste_toelating: compactDayFrom(nowMs, -2_000),
    datum_eerste_tenaamstelling_in_nederland: compactDayFrom(nowMs, -2_000),
    datum_tenaamstelling: compactDayFrom(nowMs, -700),
    wacht_op_keuren: 'Geen verstrekking in Open Data',
    catalogusprijs: '20000',
    bruto_bpm: '3000',
    wam_verzekerd: 'Ja',
    export_indicator: 'Nee',
    openstaande_terugroepactie_indicator: 'Nee',
    taxi_indicator: 'Nee',
    tellerstandoordeel: 'Logisch',
    code_toelichting_tellerstandoordeel: '00',
    jaar_laatste_registratie_tellerstand: compactDayFrom(nowMs, -200).slice(0, 4),
    tenaamstellen_mogelijk: 'Ja',
  };
}

const VEHICLES: Rows = {
  TEST01: ordinary,
  TEST02: (now) => ({ ...ordinary(now), wam_verzekerd: 'Nee', vervaldatum_apk: compactDayFrom(now, -40) }),
  TEST03: ordinary,
  TEST04: (now) => ({
    ...ordinary(now),
    taxi_indicator: 'Ja',
    tellerstandoordeel: 'Onlogisch',
    datum_eerste_tenaamstelling_in_nederland: compactDayFrom(now, -900),
  }),
  TEST05: ordinary,
  TEST06: (now) => ({
    ...ordinary(now),
    vervaldatum_apk: compactDayFrom(now, 10),
    export_indicator: 'Ja',
    tenaamstellen_mogelijk: 'Nee',
    tellerstandoordeel: 'Geen oordeel',
    wacht_op_keuren: 'Wacht op keuren',
  }),
  // What is not registered is absent, and an older vehicle has its first Dutch date under the older name.
  TEST07: () => ({ voertuigsoort: 'Aanhangwagen', merk: 'VOORBEELD', datum_eerste_afgifte_nederland: '20200101' }),
};
const RECALLED = 'TEST03';
const RECALLS_OUT_OF_ORDER = 'TEST05';

export const RDW: Simulator = {
  answer({ path, query, nowMs, isMismatched }) {
    const plate = query.get('kenteken') ?? '';
    const vehicle = VEHICLES[plate];
    const kenteken = isMismatched ? 'OTHER1' : plate;
    if (path === '/resource/t49b-isb7.json' && plate === RECALLS_OUT_OF_ORDER)
      return jsonAnswer(503, { message: 'timeout' });
    if (vehicle === undefined) return jsonAnswer(200, isMismatched ? [{ kenteken }] : []);
    switch (path) {
      case '/resource/m9d7-ebf2.json':
        return jsonAnswer(200, [{ kenteken, ...vehicle(nowMs) }]);
      case '/resource/8ys7-d773.json':
        return jsonAnswer(200, [
          {
            kenteken,
            brandstof_omschrijving: 'Benzine',
            co2_uitstoot_gecombineerd: '95',
            uitlaatemissieniveau: 'EURO 6',
          },
        ]);
      case '/resource/t49b-isb7.json': {
        const open = {
          kenteken,
          referentiecode_rdw: 'XXX260001',
          code_status: 'O',
          status: 'Openstaande terugroepactie',
        };
        return jsonAnswer(200, plate === RECALLED ? [open] : []);
      }
      default:
        return jsonAnswer(404, { code: 'dataset.missing', error: true });
    }
  },
  throttle: () => jsonAnswer(429, { code: 'too_many_requests', error: true }),
};
