import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MotVehicle } from '#platform/registers/dvsa-mot.ts';
import { type Unavailable, unavailable } from '#platform/registers/outcome.ts';
import { type CounterpartyFacts, CounterpartyResult, isWithoutAnswer, judgeCounterparty } from './counterparty.ts';
import { EuVatResult, judgeVat } from './eu-vat.ts';
import { SWITCHED_OFF } from './no-answer.ts';
import { judgeOdometer } from './odometer.ts';
import { judgeUkCompany, UkCompanyResult } from './uk-company.ts';
import { judgeUkVehicle, UkVehicleResult } from './uk-vehicle.ts';
import { judgeVehicle, VehicleResult } from './vehicle.ts';

const NOW = Date.UTC(2026, 10, 15, 10);
const AT = { nowMs: NOW, isSandbox: false };
const seen = { observedAtMs: NOW, source: 'live', registerCode: null } as const;
const answered = <T>(value: T) => ({ kind: 'answered', value, ...seen }) as const;
const none = { kind: 'not_found', ...seen } as const;

const VECTORS: readonly (readonly [readonly string[], string])[] = [
  [['100MI', '200MI', '300MI'], 'in_order'],
  [['100MI', '300MI', '200MI'], 'went_down'],
  [['100MI', '900MI', '200MI', '300MI'], 'inconsistent'],
  [['100MI', '170KM'], 'in_order'],
];
for (const [row, verdict] of VECTORS) {
  test(`an odometer that reads ${row.join(', ')} is ${verdict}`, () => {
    const readings = row.map((text, i) => ({
      at: `202${i}-01-01`,
      value: Number.parseInt(text, 10),
      unit: text.slice(-2) as 'MI' | 'KM',
    }));
    assert.equal(judgeOdometer(readings), verdict);
  });
}

test('VIES wins over check digits, which are a flag', () => {
  const value = { valid: true, name: null, address: null, consultationNumber: null, secondLook: false };
  const result = judgeVat({ countryCode: 'DE', number: '1', checkDigits: 'failed' }, answered(value), AT);
  assert.deepEqual(EuVatResult.parse(result).flags, ['CHECKSUM_MISMATCH', 'DETAILS_UNDISCLOSED']);
});

test('a UK company of which little is known leaves questions open; an ambiguous name is no company', () => {
  const company = { company_name: 'X', company_number: '00000001', company_status: 'active' };
  const sparse = UkCompanyResult.parse(judgeUkCompany({ company: answered(company), candidates: null }, AT));
  assert.deepEqual([sparse.status, sparse.accounts_overdue, sparse.open_questions.length], ['OPEN_QUESTIONS', null, 5]);
  const whole = { ...company, accounts: { overdue: false }, confirmation_statement: { overdue: false } };
  const known = {
    ...whole,
    has_insolvency_history: false,
    registered_office_is_in_dispute: false,
    undeliverable_registered_office_address: false,
  };
  const searched = (compared: number) =>
    judgeUkCompany({ company: answered(known), candidates: 1, search: { hits: 4_312, compared } }, AT);
  assert.deepEqual([searched(4_312).status, searched(4_312).open_questions], ['NO_FLAGS', []]);
  assert.deepEqual(
    [searched(500).status, searched(500).open_questions.map(({ code }) => code)],
    ['OPEN_QUESTIONS', ['NAME_SEARCH_CUT']],
  );
  const ambiguous = UkCompanyResult.parse(judgeUkCompany({ ambiguous: answered({}), candidates: 4 }, AT));
  assert.deepEqual([ambiguous.status, ambiguous.found, ambiguous.candidate_count], ['AMBIGUOUS_NAME', false, 4]);
  assert.equal(UkCompanyResult.parse(judgeUkCompany({ none }, AT)).status, 'NOT_FOUND');
});

test('a vehicle without tests is no clean vehicle, and one that is unknown is not found', () => {
  const vehicle = { registration: 'A1', motTestDueDate: '2027-01-01' };
  assert.equal(UkVehicleResult.parse(judgeUkVehicle(answered(vehicle), AT)).status, 'NO_TESTS_YET');
  assert.equal(UkVehicleResult.parse(judgeUkVehicle(none, AT)).status, 'NOT_FOUND');
});

const UK_VEHICLE = { registration: 'A1', motTestDueDate: '2027-01-01', hasOutstandingRecall: 'No' };
const ukVehicle = (told: Partial<MotVehicle>) =>
  UkVehicleResult.parse(judgeUkVehicle(answered({ ...UK_VEHICLE, ...told }), AT));

for (const said of ['Unavailable', 'Unknown', undefined]) {
  test(`a UK vehicle whose recalls are ${said ?? 'left out'} has a question about them`, () => {
    const { flags, open_questions: questions } = ukVehicle({ hasOutstandingRecall: said });
    assert.deepEqual([flags, questions.map(({ code }) => code)], [[], ['RECALL_UNKNOWN']]);
  });
}

test('a UK vehicle whose recalls are known has no question about them', () => {
  assert.deepEqual(ukVehicle({}).open_questions, []);
  const recalled = ukVehicle({ hasOutstandingRecall: 'Yes' });
  assert.deepEqual([recalled.flags, recalled.open_questions], [['OUTSTANDING_RECALL'], []]);
});

test('of two tests in the same second, the one that the register shows first is the last', () => {
  const passed = { completedDate: '2026-11-01T10:00:00.000Z', testResult: 'PASSED', expiryDate: '2027-10-31' } as const;
  const failed = { ...passed, testResult: 'FAILED', expiryDate: null } as const;
  assert.deepEqual(ukVehicle({ motTests: [passed, failed] }).flags, []);
  assert.deepEqual(ukVehicle({ motTests: [failed, passed] }).flags, ['LAST_TEST_FAILED']);
});

test('recalls that did not answer leave a question open', () => {
  const vehicle = { kenteken: 'TEST05', vervaldatum_apk: '20270601', tellerstandoordeel: 'Logisch' };
  const plate = { kenteken: 'TEST05', sidecode: null, display: 'TEST05' };
  const fuels = answered([]);
  const open = judgeVehicle(plate, answered({ vehicle, fuels, recalls: unavailable('TIMEOUT') }), AT);
  assert.equal(VehicleResult.parse(open).status, 'OPEN_QUESTIONS');
  assert.equal(open.sources.length, 2);
  assert.equal(
    judgeVehicle(plate, answered({ vehicle, fuels, recalls: answered([]) }), AT).status,
    'NO_FLAGS_IN_OPEN_REGISTER',
  );
});

test('a vehicle names each data set that it rests on, live or kept, and the oldest of them', () => {
  const vehicle = { kenteken: 'TEST01', vervaldatum_apk: '20270601', tellerstandoordeel: 'Logisch' };
  const plate = { kenteken: 'TEST01', sidecode: null, display: 'TEST01' };
  const kept = { ...answered([]), source: 'cache', observedAtMs: NOW - 3_000_000 } as const;
  const result = judgeVehicle(plate, answered({ vehicle, fuels: answered([]), recalls: kept }), AT);
  assert.deepEqual(
    VehicleResult.parse(result).sources.map(({ part, source, observed_at: at }) => `${part} ${source} ${at}`),
    [
      'vehicle live 2026-11-15T10:00:00.000Z',
      'fuel live 2026-11-15T10:00:00.000Z',
      'recalls cache 2026-11-15T09:10:00.000Z',
    ],
  );
  assert.equal(result.oldest_observation_at, '2026-11-15T09:10:00.000Z');
});

const SCREENED = {
  kind: 'answered',
  hitCount: 0,
  hasUnreadLetters: false,
  listGenerated: '2026-11-14',
  listAgeHours: 20,
  ...seen,
} as const;

test('a counterparty whose name was not read is never without a hit: it is undetermined, or a candidate all the same', () => {
  const facts: CounterpartyFacts = {
    companyName: null,
    registry: 'not_asked',
    vat: 'not_asked',
    insolvency: 'not_asked',
    sanctions: { ...SCREENED, hasUnreadLetters: true },
  };
  const unread = CounterpartyResult.parse(judgeCounterparty(facts, AT));
  assert.deepEqual(
    [unread.status, unread.flags, unread.open_questions.map(({ code }) => code), unread.sanctions.status],
    ['FLAGS_RAISED', ['SANCTIONS_SCRIPT_NOT_READ'], ['SANCTIONS_SCRIPT_NOT_READ'], 'UNDETERMINED'],
  );
  assert.equal(unread.sanctions.hit_count, null);
  const hit = judgeCounterparty({ ...facts, sanctions: { ...SCREENED, hasUnreadLetters: true, hitCount: 2 } }, AT);
  assert.deepEqual([hit.sanctions.status, hit.sanctions.hit_count], ['ANSWERED', 2]);
  assert.deepEqual(hit.flags, ['SANCTIONS_CANDIDATES', 'SANCTIONS_SCRIPT_NOT_READ']);
});

test('a counterparty has no open questions only when every part that was asked answered', () => {
  const clean: CounterpartyFacts = {
    companyName: 'Sample B.V.',
    registry: answered({ kvkNumber: '1', active: true, names: ['SAMPLE BV'] }),
    vat: 'not_asked',
    sanctions: SCREENED,
    insolvency: none,
  };
  const down = unavailable('TIMEOUT');
  assert.equal(CounterpartyResult.parse(judgeCounterparty(clean, AT)).status, 'NO_OPEN_QUESTIONS');
  const parts = {
    registry: down,
    vat: { checkDigits: 'ok', outcome: down },
    sanctions: down,
    insolvency: down,
  } as const;
  for (const [part, value] of Object.entries(parts)) {
    const result = CounterpartyResult.parse(judgeCounterparty({ ...clean, [part]: value }, AT));
    assert.equal(result.status, 'OPEN_QUESTIONS', part);
    assert.doesNotMatch(JSON.stringify(result), /SAMPLE BV/);
  }
  assert.equal(isWithoutAnswer({ ...clean, ...parts }), true);
  assert.equal(isWithoutAnswer({ ...clean, registry: down }), false);
});

test('a part that gave nothing says why: an outage, a limit, the input, the access and a register that is off differ', () => {
  const facts: CounterpartyFacts = {
    companyName: null,
    registry: 'not_asked',
    vat: 'not_asked',
    insolvency: 'not_asked',
    sanctions: SCREENED,
  };
  const vat = (outcome: Unavailable) => ({ vat: { checkDigits: 'ok', outcome } as const });
  const said: readonly (readonly [Partial<CounterpartyFacts>, RegExp])[] = [
    [vat(unavailable('TIMEOUT')), /no usable response from VIES \(TIMEOUT\)\. Try again later\.$/],
    [vat(unavailable('MS_MAX_CONCURRENT_REQ', 'throttled')), /limit of queries to VIES is reached .*later\.$/],
    [vat(unavailable('INVALID_INPUT', 'invalid_input')), /not accepted by VIES .*Check it for typos\.$/],
    [vat(unavailable('IP_BLOCKED', 'config')), /no access to VIES \(IP_BLOCKED\)\. Its operator must fix that\.$/],
    [vat(SWITCHED_OFF), /does not query VIES\. Check there yourself\.$/],
    [{ registry: SWITCHED_OFF }, /does not query the Dutch commercial register\./],
    [{ insolvency: SWITCHED_OFF }, /does not query the Dutch insolvency register\./],
    [
      { registry: none, sanctions: unavailable('LIST_NOT_LOADED') },
      /sanctions list is not loaded yet\. Try again later\.$/,
    ],
  ];
  for (const [part, text] of said) {
    const { open_questions: questions } = judgeCounterparty({ ...facts, ...part }, AT);
    const unanswered = questions.filter(({ code }) => code.endsWith('_UNAVAILABLE'));
    assert.equal(unanswered.length, 1);
    assert.match(unanswered[0]?.text ?? '', text);
  }
});

test('a part of a vehicle that gave nothing says why', () => {
  const vehicle = { kenteken: 'TEST01', vervaldatum_apk: '20270601', tellerstandoordeel: 'Logisch' };
  const plate = { kenteken: 'TEST01', sidecode: null, display: 'TEST01' };
  const value = { vehicle, fuels: unavailable('THROTTLED', 'throttled'), recalls: unavailable('HTTP_ERROR') };
  const { open_questions: questions } = judgeVehicle(plate, answered(value), AT);
  assert.deepEqual(
    questions.map(({ text }) => text),
    [
      'The limit of queries to the fuel and emission data of the Dutch vehicle register is reached (THROTTLED). Try again later.',
      'Avouch got no usable response from the recall data of the Dutch vehicle register (HTTP_ERROR). Try again later.',
    ],
  );
});
