import type { z } from 'zod';
import type { CounterpartyResult } from './counterparty.ts';
import type { EuVatResult } from './eu-vat.ts';
import type { SanctionsResult } from './sanctions.ts';
import type { UkCompanyResult } from './uk-company.ts';
import type { UkVehicleResult } from './uk-vehicle.ts';
import type { VehicleResult } from './vehicle.ts';

// What the sandbox answers to the documented inputs.

export const counterparty: z.output<typeof CounterpartyResult> = {
  status: 'NO_OPEN_QUESTIONS',
  flags: [],
  registry: { status: 'ANSWERED', active_registration: true, name_match: true },
  vat: { status: 'ANSWERED', valid: true, name_match: true },
  sanctions: {
    status: 'ANSWERED',
    hit_count: 0,
    list_generated: '2026-11-15',
    list_loaded_at: '2026-11-15T10:00:00.000Z',
  },
  insolvency: { status: 'ANSWERED', found: false, state: 'NONE' },
  open_questions: [],
  checked_at: '2026-11-15T10:00:00.000Z',
  oldest_observation_at: '2026-11-15T10:00:00.000Z',
  sources: [
    { register: 'kvk', source: 'live', observed_at: '2026-11-15T10:00:00.000Z', register_code: null },
    { register: 'vies', source: 'live', observed_at: '2026-11-15T10:00:00.000Z', register_code: null },
    { register: 'eu_fsf', source: 'live', observed_at: '2026-11-15T10:00:00.000Z', register_code: null },
    { register: 'cir', source: 'live', observed_at: '2026-11-15T10:00:00.000Z', register_code: null },
  ],
  sandbox: true,
};

export const sanctions: z.output<typeof SanctionsResult> = {
  status: 'CANDIDATES',
  hit_count: 1,
  hits: [
    {
      entity_id: 'EU.80001.11',
      listed_name: 'Anton Borisovich VYMYSLOV',
      programme: 'NEW',
      country: 'XB',
      subject_type: 'person',
      score: 0.841,
      why: {
        words: [
          { listed: 'vymyslov', how: 'equal', similarity: 1 },
          { listed: 'anton', how: 'equal', similarity: 1 },
        ],
        unmatched_listed: ['borisovich'],
        unmatched_query: 0,
      },
    },
  ],
  weak_hits: [],
  list_generated: '2026-11-15',
  list_loaded_at: '2026-11-15T10:00:00.000Z',
  list_age_hours: 6,
  threshold: 0.8,
  matcher_version: '2',
  flags: [],
  notice:
    'Possible match only: stop and verify with date of birth or identity number. No candidate is not a clearance. Only the Official Journal of the EU is authentic.',
  open_questions: [
    {
      code: 'VERIFY_CANDIDATES',
      section: null,
      text: 'Compare date of birth, identity number and country of each candidate with the Official Journal.',
    },
  ],
  checked_at: '2026-11-15T10:00:00.000Z',
  oldest_observation_at: '2026-11-15T10:00:00.000Z',
  sources: [{ register: 'eu_fsf', source: 'live', observed_at: '2026-11-15T10:00:00.000Z', register_code: null }],
  sandbox: true,
};

export const vehicle: z.output<typeof VehicleResult> = {
  kenteken: 'TEST01',
  sidecode: null,
  display: 'TEST01',
  checked_at: '2026-11-15T10:00:00.000Z',
  oldest_observation_at: '2026-11-15T10:00:00.000Z',
  sources: [{ register: 'rdw', source: 'live', observed_at: '2026-11-15T10:00:00.000Z', register_code: null }],
  sandbox: true,
  found: true,
  status: 'NO_FLAGS_IN_OPEN_REGISTER',
  flags: [],
  facts: {
    merk: 'VOORBEELD',
    handelsbenaming: 'MODEL A',
    vervaldatum_apk: '20270911',
    wam_verzekerd: 'Ja',
    voertuigsoort: 'Personenauto',
    datum_eerste_toelating: '20210525',
    datum_tenaamstelling: '20241215',
    export_indicator: 'Nee',
    openstaande_terugroepactie_indicator: 'Nee',
    taxi_indicator: 'Nee',
    tellerstandoordeel: 'Logisch',
    jaar_laatste_registratie_tellerstand: '2026',
    tenaamstellen_mogelijk: 'Ja',
    catalogusprijs: '20000',
    bruto_bpm: '3000',
    datum_eerste_tenaamstelling_in_nederland: '20210525',
    tellerstand_toelichting: '00',
    open_recalls: [],
    fuels: [
      {
        brandstof_omschrijving: 'Benzine',
        co2_uitstoot_gecombineerd: '95',
        emissie_co2_gecombineerd_wltp: null,
        uitlaatemissieniveau: 'EURO 6',
        emissiecode_omschrijving: null,
      },
    ],
  },
  open_questions: [],
};

export const euVat: z.output<typeof EuVatResult> = {
  status: 'VALID',
  valid: true,
  vat: 'NL999900018B01',
  country_code: 'NL',
  name: 'VOORBEELD HANDEL B.V.',
  address: 'VOORBEELDWEG 1\n1234AB VOORBEELDSTAD',
  consultation_number: null,
  flags: [],
  open_questions: [],
  checked_at: '2026-11-15T10:00:00.000Z',
  oldest_observation_at: '2026-11-15T10:00:00.000Z',
  sources: [{ register: 'vies', source: 'live', observed_at: '2026-11-15T10:00:00.000Z', register_code: null }],
  sandbox: true,
};

export const ukCompanyResult: z.output<typeof UkCompanyResult> = {
  status: 'NO_FLAGS',
  found: true,
  name: 'LILA EXAMPLE COMPANY LIMITED',
  company_number: '99999901',
  company_status: 'active',
  company_status_detail: null,
  type: 'ltd',
  accounts_overdue: false,
  has_insolvency_history: false,
  incorporation_date: '1999-02-27',
  cessation_date: null,
  accounts_due: '2027-06-03',
  confirmation_statement_due: '2027-06-03',
  registered_office: { premises: '1', address_line_1: 'Example Gardens', locality: 'London', postal_code: 'AA1 1AA' },
  sic_codes: ['62012'],
  candidate_count: null,
  flags: [],
  open_questions: [],
  checked_at: '2026-11-15T10:00:00.000Z',
  oldest_observation_at: '2026-11-15T10:00:00.000Z',
  sources: [
    { register: 'companies_house', source: 'live', observed_at: '2026-11-15T10:00:00.000Z', register_code: null },
  ],
  sandbox: true,
  attribution: 'Contains public sector information licensed under the Open Government Licence v3.0.',
};

export const ukVehicle: z.output<typeof UkVehicleResult> = {
  status: 'NO_FLAGS',
  result: {
    found: true,
    make: 'EXAMPLE',
    model: 'Model A',
    fuel: 'PETROL',
    first_used: '2021-09-02',
    tests: 3,
    readings: [
      { date: '2026-09-16', result: 'PASSED', odometer: 41000, unit: 'MI', defects: 0 },
      { date: '2025-09-11', result: 'PASSED', odometer: 30000, unit: 'MI', defects: 0 },
      { date: '2024-09-06', result: 'PASSED', odometer: 21000, unit: 'MI', defects: 0 },
    ],
    test_due: '2027-09-16',
  },
  flags: [],
  open_questions: [],
  checked_at: '2026-11-15T10:00:00.000Z',
  oldest_observation_at: '2026-11-15T10:00:00.000Z',
  sources: [{ register: 'dvsa_mot', source: 'live', observed_at: '2026-11-15T10:00:00.000Z', register_code: null }],
  sandbox: true,
  attribution: 'Contains public sector information licensed under the Open Government Licence v3.0.',
};
