// Answers that were recorded of the real registers, or are in their wire formats, are read as the clients and verdicts must.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { judgeUkCompany } from '#areas/verdicts/uk-company.ts';
import { judgeUkVehicle } from '#areas/verdicts/uk-vehicle.ts';
import { judgeVehicle } from '#areas/verdicts/vehicle.ts';
import { DAY_MS } from '#kernel/clock.ts';
import { readDutchPlate } from '#protocol/identifiers/plate.ts';
import { type Bench, startBench } from '#platform/registers/_registers.ts';
import { type ScriptedAnswer, type ScriptedRegister, startScripted } from '#platform/registers/_scripted.ts';
import type { RegisterOutcome } from '#platform/registers/outcome.ts';
import type { RegisterSet } from '#platform/registers/register-set.ts';
import { readFsfList } from '#platform/screening/fsf-list.ts';

const RECORDED = new URL('../../../../shared/data/registers/', import.meta.url);
const skip = !existsSync(RECORDED) && 'no ../shared/data/registers beside the repository';

const read = (name: string) => readFileSync(new URL(name, RECORDED), 'utf8');
const says = (name: string, status = 200): ScriptedAnswer => ({ status, body: read(name) });

/** An exchange with the commercial register: its status and its body. */
function exchanged(name: string): ScriptedAnswer {
  const { response } = JSON.parse(read(`kvk/${name}`)) as { response: { status: number; body: unknown } };
  return { status: response.status, body: JSON.stringify(response.body) };
}

type Sure = { readonly [K in keyof RegisterSet]-?: NonNullable<RegisterSet[K]> };

interface Recording {
  /** What the register says, by a part of the path or of the body. */
  readonly script: () => Readonly<Record<string, ScriptedAnswer>>;
  readonly ask: (set: Sure) => Promise<RegisterOutcome<unknown>>;
  /** Members of the outcome. */
  readonly gives: Readonly<Record<string, unknown>>;
}

const kvk = (search: string, profile?: () => ScriptedAnswer) => () => ({
  '/v2/zoeken': exchanged(search),
  ...(profile !== undefined && { '/v1/basisprofielen/': profile() }),
});
const rdw = (vehicle: string, fuel: string, recalls: string) => () => ({
  'm9d7-ebf2': says(`rdw/${vehicle}.json`),
  '8ys7-d773': says(`rdw/${fuel}.json`),
  't49b-isb7': says(`rdw/${recalls}.json`),
});
const company = (number: string) => (set: Sure) => set.kvk.company(number, { live: true });
const vat = (number: string) => (set: Sure) => set.vies.check({ countryCode: 'DE', number }, { live: true });
const unavailable = (code: string) => ({ kind: 'unavailable', code });
const dagobert = { kind: 'answered', value: { kvkNumber: '69599084', active: true } };

const RECORDINGS: Readonly<Record<string, Recording>> = {
  'KvK: a company with two establishments': {
    script: kvk('zoeken_kvkNummer_69599084_200.json', () => exchanged('basisprofielen_69599084_200.json')),
    ask: company('69599084'),
    gives: dagobert,
  },
  'KvK: a profile in the older form': {
    script: kvk('zoeken_kvkNummer_69599084_200.json', () => says('kvk/older_basisprofiel_69599084.json')),
    ask: company('69599084'),
    gives: dagobert,
  },
  'KvK: a number that nobody has': {
    script: kvk('zoeken_kvkNummer_12345678_404.json'),
    ask: company('12345678'),
    gives: { kind: 'not_found', registerCode: 'IPD5200' },
  },
  'KvK: a profile that is missing after a hit': {
    script: kvk('zoeken_kvkNummer_69599084_200.json', () => exchanged('basisprofielen_12345678_404.json')),
    ask: company('69599084'),
    gives: unavailable('INCONSISTENT'),
  },
  'KvK: a hit for another number': {
    script: kvk('zoeken_rsin_992760562_200.json'),
    ask: company('69599084'),
    gives: unavailable('RESPONSE_MISMATCH'),
  },
  'KvK: input that it calls not valid': {
    script: kvk('vestigingsprofielen_12345678_400.json'),
    ask: company('12345678'),
    gives: { ...unavailable('IPD0006'), class: 'invalid_input' },
  },
  'CIR: a bankruptcy': {
    script: () => ({
      '<searchUndertaking': says('cir/searchUndertaking_hit.xml'),
      '<getCase': says('cir/getCase_bankruptcy.xml'),
    }),
    ask: (set) => set.cir.undertaking('11998877', { live: true }),
    gives: { kind: 'answered', value: { state: 'ACTIVE', cases: 1 } },
  },
  'CIR: the case of another company': {
    script: () => ({
      '<searchUndertaking': says('cir/searchUndertaking_hit.xml'),
      '<getCase': says('cir/getCase_bankruptcy.xml'),
    }),
    ask: (set) => set.cir.undertaking('11998878', { live: true }),
    gives: unavailable('RESPONSE_MISMATCH'),
  },
  'CIR: nothing': {
    script: () => ({ '<searchUndertaking': says('cir/searchUndertaking_empty.xml') }),
    ask: (set) => set.cir.undertaking('11998877', { live: true }),
    gives: { kind: 'not_found' },
  },
  'RDW: nothing': {
    script: rdw('vehicle_empty', 'fuel_empty', 'recalls_empty'),
    ask: (set) => set.rdw.vehicle('11AEA3', { live: true }),
    gives: { kind: 'not_found' },
  },
  'RDW: recalls of another plate leave that part open': {
    script: rdw('vehicle_uninsured', 'fuel_petrol', 'recalls'),
    ask: (set) => set.rdw.vehicle('11AEA3', { live: true }),
    gives: { kind: 'answered', value: { recalls: { kind: 'unavailable', code: 'RESPONSE_MISMATCH' } } },
  },
  'VIES: valid': {
    script: () => ({ '': says('vies/post_valid_100.json') }),
    ask: vat('100'),
    gives: { kind: 'answered', value: { valid: true, name: 'John Doe', consultationNumber: null } },
  },
  'VIES: not valid': {
    script: () => ({ '': says('vies/post_invalid_200.json') }),
    ask: vat('200'),
    gives: { kind: 'answered', value: { valid: false, name: null, address: null } },
  },
  'VIES: the other form of answer is none': {
    script: () => ({ '': says('vies/get_ms_valid_FR29528163777.json') }),
    ask: vat('29528163777'),
    gives: unavailable('MALFORMED_RESPONSE'),
  },
  'VIES: a member state at its limit': {
    script: () => ({ '': says('vies/error_ms_max_concurrent_req.json') }),
    ask: vat('100'),
    gives: { ...unavailable('MS_MAX_CONCURRENT_REQ'), class: 'throttled' },
  },
  'VIES: a member state out of order, with status 500': {
    script: () => ({ '': says('vies/error_ms_unavailable.json', 500) }),
    ask: vat('100'),
    gives: unavailable('MS_UNAVAILABLE'),
  },
  'Companies House: nothing': {
    script: () => ({ '': says('companies_house/error_404.json', 404) }),
    ask: (set) => set.companiesHouse.company('00000099', { live: true }),
    gives: { kind: 'not_found', registerCode: 'company-profile-not-found' },
  },
  'Companies House: one company of exactly this name': {
    script: () => ({ '': says('companies_house/search_companies_lila.json') }),
    ask: (set) => set.companiesHouse.byName('Lila & Sample Limited'),
    gives: { kind: 'answered', value: { companyNumber: '99999902' } },
  },
  'Companies House: never the first of many': {
    script: () => ({ '': says('companies_house/search_companies_lila.json') }),
    ask: (set) => set.companiesHouse.byName('Lila'),
    gives: { kind: 'answered', value: { candidates: 447 } },
  },
  'MOT: nothing': {
    script: () => ({ '': says('mot/not_found.json', 404) }),
    ask: (set) => set.dvsaMot.vehicle('ZZ99ZZZ', { live: true }),
    gives: { kind: 'not_found', registerCode: 'MOTH-NF-01' },
  },
};

suite('recorded answers', { skip }, () => {
  let script: Readonly<Record<string, ScriptedAnswer>> = {};
  let register: ScriptedRegister;
  let bench: Bench;
  const set = () => bench.set as Sure;

  before(async () => {
    register = await startScripted((body, path) => {
      if (path === '/login') return { body: JSON.stringify({ access_token: 'token', expires_in: 3_600 }) };
      const [, answer] = Object.entries(script).find(([part]) => path.includes(part) || body.includes(part)) ?? [];
      return answer ?? { status: 500, body: '' };
    });
    const secret = { reveal: () => 'secret' };
    const { url: baseUrl } = register;
    bench = await startBench({
      policy: { deadlineMs: 60_000, attemptMs: 60_000, retries: 0 },
      settings: () => ({
        vies: { baseUrl, requester: null },
        kvk: { baseUrl, apiKey: secret, ca: null },
        cir: { url: baseUrl, username: 'user', password: secret, soap: '1.2' },
        rdw: { baseUrl, appToken: null },
        companies_house: { baseUrl, apiKey: secret },
        dvsa_mot: {
          baseUrl,
          tokenUrl: `${baseUrl}/login`,
          clientId: 'client',
          scope: 'scope',
          clientSecret: secret,
          apiKey: secret,
        },
      }),
    });
  });
  after(async () => {
    await bench[Symbol.asyncDispose]();
    await register[Symbol.asyncDispose]();
  });

  for (const [what, recording] of Object.entries(RECORDINGS)) {
    test(what, async () => {
      script = recording.script();
      bench.clock.advance(1_000);
      assert.partialDeepStrictEqual(await recording.ask(set()), recording.gives);
    });
  }

  /** An answer, as the verdict is given it. */
  async function answered<T>(asking: Promise<RegisterOutcome<T>>) {
    const outcome = await asking;
    if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome));
    return outcome;
  }

  const VEHICLES = [
    ['vehicle_uninsured', 'fuel_petrol', '11AEA3', 7, ['APK_EXPIRED', 'NOT_INSURED']],
    ['vehicle_no_judgement', 'fuel_empty', '0000QQ', 2, ['APK_EXPIRED', 'ODOMETER_NO_JUDGEMENT']],
    ['vehicle_sparse', 'fuel_empty', 'VAE99A', 11, ['NOT_INSURED', 'NO_APK_DATE', 'ODOMETER_NO_JUDGEMENT']],
  ] as const;
  for (const [file, fuel, plate, sidecode, flags] of VEHICLES) {
    test(`RDW: ${file} raises ${flags.join(', ')}`, async () => {
      script = rdw(file, fuel, 'recalls_empty')();
      const answer = await answered(set().rdw.vehicle(plate, { live: true }));
      const written = readDutchPlate(plate);
      assert.ok(written !== undefined);
      const verdict = judgeVehicle(written, answer, { nowMs: bench.clock.now(), isSandbox: false });
      assert.deepEqual([verdict.sidecode, verdict.flags], [sidecode, flags]);
    });
  }

  test('RDW: a recall that is open is told, one that was mended is not', async () => {
    const base = read('rdw/vehicle_uninsured.json').replaceAll('11AEA3', '00EEA8');
    script = { ...rdw('vehicle_empty', 'fuel_empty', 'recalls')(), 'm9d7-ebf2': { body: base } };
    const answer = await answered(set().rdw.vehicle('00EEA8', { live: true }));
    const plate = { kenteken: '00EEA8', sidecode: 7, display: '00-EEA-8' };
    const { flags, facts } = judgeVehicle(plate, answer, { nowMs: bench.clock.now(), isSandbox: false });
    assert.ok(flags.includes('OPEN_RECALL'));
    assert.deepEqual(facts['open_recalls'], ['MGP220252']);
  });

  test('RDW: recalls that answer later are live beside a vehicle and fuel that are kept', async () => {
    const base = read('rdw/vehicle_uninsured.json').replaceAll('11AEA3', 'KZ99ZZ');
    const plate = { kenteken: 'KZ99ZZ', sidecode: null, display: 'KZ99ZZ' };
    const whole = { ...rdw('vehicle_empty', 'fuel_empty', 'recalls_empty')(), 'm9d7-ebf2': { body: base } };
    const sourcesOf = async () => {
      bench.clock.advance(1_000);
      const answer = await answered(set().rdw.vehicle('KZ99ZZ'));
      const verdict = judgeVehicle(plate, answer, { nowMs: bench.clock.now(), isSandbox: false });
      return verdict.sources.map(({ source }) => source);
    };
    script = { ...whole, 't49b-isb7': { status: 500, body: '' } };
    assert.deepEqual(await sourcesOf(), ['live', 'live']);
    script = whole;
    assert.deepEqual(await sourcesOf(), ['cache', 'cache', 'live']);
  });

  test('Companies House: a company in order, of which a charge is no flag', async () => {
    script = { '': says('companies_house/profile_02627406.json') };
    const answer = await answered(set().companiesHouse.company('02627406', { live: true }));
    const { status, flags, name } = judgeUkCompany(
      { company: answer, candidates: null },
      { nowMs: bench.clock.now(), isSandbox: false },
    );
    assert.deepEqual([status, flags, name], ['NO_FLAGS', [], 'DYSON LIMITED']);
  });

  test('Companies House: every status that it publishes is in business or a flag', async () => {
    const { company_status: statuses } = JSON.parse(read('companies_house/enums.json')) as {
      company_status: Record<string, string>;
    };
    const profile = JSON.parse(read('companies_house/profile_02627406.json')) as Record<string, unknown>;
    const raised = new Map<string, boolean>();
    for (const company_status of Object.keys(statuses)) {
      script = { '': { body: JSON.stringify({ ...profile, company_status }) } };
      bench.clock.advance(1_000);
      const answer = await answered(set().companiesHouse.company('02627406', { live: true }));
      const { flags } = judgeUkCompany(
        { company: answer, candidates: null },
        { nowMs: bench.clock.now(), isSandbox: false },
      );
      raised.set(company_status, flags.includes('NOT_ACTIVE'));
    }
    const well = [...raised].filter(([, isRaised]) => !isRaised).map(([status]) => status);
    assert.deepEqual(well.toSorted(), ['active', 'open', 'registered']);
    assert.equal(raised.size, 12);
  });

  test('MOT: a test that was failed and passed on one day was passed', async () => {
    script = { '': says('mot/vehicle_with_failures.json') };
    const answer = await answered(set().dvsaMot.vehicle('AA19AAA', { live: true }));
    const { flags, result } = judgeUkVehicle(answer, { nowMs: bench.clock.now(), isSandbox: false });
    assert.deepEqual([flags, result.tests, result.test_due], [['MOT_EXPIRED'], 3, '2024-11-28']);
    assert.deepEqual(result.readings[0], {
      date: '2023-11-29',
      result: 'PASSED',
      odometer: 186_913,
      unit: 'MI',
      defects: 1,
    });
  });

  test('MOT: no published error code is an answer, and only a vehicle that is not there is not found', async () => {
    const codes = read('mot/error_codes.tsv')
      .trim()
      .split('\n')
      .map((line) => line.split('\t')[0] as string);
    assert.equal(codes.length, 20);
    for (const errorCode of codes) {
      for (const status of [400, 401, 403, 429, 500]) {
        bench.clock.advance(DAY_MS); // a daily quota holds that long
        script = { '': { status, body: JSON.stringify({ errorCode, errorMessage: '', requestId: '' }) } };
        const { kind } = await set().dvsaMot.vehicle('AA19AAA', { live: true });
        assert.equal(kind, 'unavailable', `${errorCode} with ${status}`);
      }
    }
  });

  test('VIES: the stand-in answers every code of the official test service', async () => {
    const codes = JSON.parse(read('vies/test_service_codes.json')) as Record<string, string>;
    assert.equal(Object.keys(codes).length, 13);
    for (const [vatNumber, code] of Object.entries(codes)) {
      const body = JSON.stringify({ countryCode: 'DE', vatNumber });
      const answer = await fetch(`${bench.simulators.url}/vies/check-vat-test-service`, { method: 'POST', body });
      const { valid, errorWrappers } = (await answer.json()) as {
        valid?: boolean;
        errorWrappers?: { error: string }[];
      };
      assert.equal(errorWrappers?.[0]?.error ?? (valid === true ? 'valid' : 'invalid'), code);
    }
  });

  test('the list: three entities with their names', async () => {
    const bytes = Buffer.from(read('eu_fsf/sample_1_1.xml'));
    const whole = await readFsfList([bytes]);
    assert.ok('entities' in whole && whole.entities.length === 3);
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    assert.deepEqual(await readFsfList(single), whole, 'however the bytes are cut');
  });

  test('every recorded exchange of the commercial register is an answer, "nothing" or refused input', async () => {
    const files = readdirSync(new URL('kvk/', RECORDED)).filter((name) => name.startsWith('zoeken_'));
    assert.ok(files.length >= 6);
    for (const file of files) {
      script = { '/v2/zoeken': exchanged(file) };
      bench.clock.advance(20_000);
      const { kind } = await set().kvk.byName(file);
      assert.equal(kind, file.endsWith('_404.json') ? 'not_found' : 'answered', file);
    }
  });
});
