// The clients of all registers in front of the simulators, and a clock that is moved by hand.
import { ManualClock } from '#kernel/clock.ts';
import { RegisterSimulators, type SimulatorName } from '#sandbox/registers/server.ts';
import type { RegisterOutcome } from './outcome.ts';
import { RegisterSet, type RegisterSettings } from './register-set.ts';
import type { Policy } from './resilience/policy.ts';

const secret = { reveal: () => 'marker-credential' };

export interface Bench extends AsyncDisposable {
  readonly set: RegisterSet;
  readonly simulators: RegisterSimulators;
  readonly clock: ManualClock;
  readonly alerts: string[];
}

export interface BenchOptions {
  readonly policy?: Partial<Policy>;
  readonly settings?: (url: string) => Partial<RegisterSettings>;
}

/** Long enough for a busy machine; who waits for a time-out brings shorter ones. */
const PATIENT: Partial<Policy> = { deadlineMs: 60_000, attemptMs: 60_000, retries: 1, backoffMs: { base: 1, cap: 2 } };

export async function startBench({ policy = {}, settings = () => ({}) }: BenchOptions = {}): Promise<Bench> {
  const clock = new ManualClock(Date.UTC(2026, 10, 15, 10));
  const simulators = await RegisterSimulators.start(() => clock.now());
  const { url } = simulators;
  const alerts: string[] = [];
  const set = new RegisterSet({
    clock,
    hashKey: (...parts) => parts.join('|'),
    userAgent: 'avouch/test',
    policy: { ...PATIENT, ...policy },
    alert: (register, code) => alerts.push(`${register} ${code}`),
    settings: {
      vies: { baseUrl: `${url}/vies`, requester: null },
      kvk: { baseUrl: `${url}/kvk`, apiKey: secret, ca: null },
      cir: { url: `${url}/cir`, username: 'marker-user', password: secret, soap: '1.2' },
      rdw: { baseUrl: `${url}/rdw`, appToken: null },
      companies_house: { baseUrl: `${url}/ch`, apiKey: secret },
      dvsa_mot: {
        baseUrl: `${url}/mot`,
        tokenUrl: `${url}/mot-login`,
        clientId: 'client',
        scope: 'scope',
        clientSecret: secret,
        apiKey: secret,
      },
      ...settings(url),
    },
  });
  const dispose = async () => {
    set[Symbol.dispose]();
    await simulators[Symbol.asyncDispose]();
  };
  return { set, simulators, clock, alerts, [Symbol.asyncDispose]: dispose };
}

export interface RegisterCase {
  readonly simulator: SimulatorName;
  /** A question that is answered while nothing is wrong. */
  readonly ask: (set: RegisterSet) => Promise<RegisterOutcome<unknown>>;
  /** A question to which the register says that it has nothing; VIES says "not valid" instead. */
  readonly askUnknown: ((set: RegisterSet) => Promise<RegisterOutcome<unknown>>) | null;
  readonly throttleCode: string;
}

type Sure = { readonly [K in keyof RegisterSet]-?: NonNullable<RegisterSet[K]> };

export const CASES: Readonly<Record<string, RegisterCase>> = {
  vies: {
    simulator: 'vies',
    ask: (set) => (set as Sure).vies.check({ countryCode: 'DE', number: '999001001' }, { live: true }),
    askUnknown: null,
    throttleCode: 'MS_MAX_CONCURRENT_REQ',
  },
  kvk: {
    simulator: 'kvk',
    ask: (set) => (set as Sure).kvk.company('11998877', { live: true }),
    askUnknown: (set) => (set as Sure).kvk.company('12345678'),
    throttleCode: 'THROTTLED',
  },
  cir: {
    simulator: 'cir',
    ask: (set) => (set as Sure).cir.undertaking('11998877', { live: true }),
    askUnknown: (set) => (set as Sure).cir.undertaking('12345678'),
    throttleCode: '9999',
  },
  rdw: {
    simulator: 'rdw',
    ask: (set) => (set as Sure).rdw.vehicle('TEST01', { live: true }),
    askUnknown: (set) => (set as Sure).rdw.vehicle('ZZ99ZZ'),
    throttleCode: 'THROTTLED',
  },
  companies_house: {
    simulator: 'ch',
    ask: (set) => (set as Sure).companiesHouse.company('99999901', { live: true }),
    askUnknown: (set) => (set as Sure).companiesHouse.company('00000099'),
    throttleCode: 'THROTTLED',
  },
  dvsa_mot: {
    simulator: 'mot',
    ask: (set) => (set as Sure).dvsaMot.vehicle('TEST01', { live: true }),
    askUnknown: (set) => (set as Sure).dvsaMot.vehicle('ZZ99ZZZ'),
    throttleCode: 'MOTH-RL-02',
  },
};
