import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import type { Config } from '#platform/config/config.ts';
import { Secret } from '#platform/config/secret.ts';
import { type Clock, DAY_MS, utcDay } from '#kernel/clock.ts';
import { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import type { RegisterOutcome } from '#platform/registers/outcome.ts';
import { RegisterSet, type RegisterSetOptions, type RegisterSettings } from '#platform/registers/register-set.ts';
import { observedRegisters, type Registers } from './registers.ts';
import { SupplierSet, type SupplierSettings } from './suppliers/supplier-set.ts';
import type { RegisterHealth } from './resilience/health.ts';
import type { Policy } from '#platform/registers/resilience/policy.ts';
import { SanctionsRegister, type Screening } from '#platform/registers/sanctions-list.ts';
import { MATCHER_VERSION, PAIR_THRESHOLD, SCREEN_THRESHOLD } from '#platform/screening/name-score.ts';
import type { Logger } from '#platform/logger.ts';
import { VERSION } from '#platform/version.ts';

/** Figures with which simulators of registers are asked. */
export interface SimulatorFigures {
  readonly policy?: Partial<Policy>;
  readonly policies?: RegisterSetOptions['policies'];
  /** How long a start waits for the first list of sanctions. */
  readonly listMs?: number;
}

export interface RegisterDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly hashKey: (...parts: readonly string[]) => string;
  readonly logger: Logger;
  readonly processName: string;
  readonly given?: SimulatorFigures | undefined;
  /** Where simulators play them; undefined in production. */
  readonly simulatorUrl: string | undefined;
  /** How many times longer than usual registers may take. */
  readonly patience: number;
}

const SIMULATOR_LIST_MS = 1_000;
const PROBE_EVERY_MS = 60_000;
/** A simulator answers at once or not at all: long waits between attempts would only slow the sandbox down. */
const SIMULATOR_POLICY = { backoffMs: { base: 5, cap: 20 } };

export interface OpenRegisters extends AsyncDisposable {
  /** The registers as verdicts ask them. */
  readonly asked: AskedRegisters;
  /** The registers as seals have them observed. */
  readonly observe: Registers['observe'];
  /** How well the sanctions list is matched. */
  readonly quality: ListQuality;
  /** Suppliers of components, which are asked in the same way. */
  readonly suppliers: Pick<SupplierSet, 'adapters'>;
  /** Null is switched off. */
  health(): readonly (readonly [id: string, health: RegisterHealth | null])[];
  /** Limits of registers hold over this many processes together. */
  share(processes: number): void;
}

type AskedRegisters = ReturnType<typeof askedRegisters>;
type ListQuality = ReturnType<typeof listQuality>;

/** The clients of the registers; in the sandbox of simulators. */
export async function openRegisters(parts: RegisterDeps): Promise<OpenRegisters> {
  const { config, clock, hashKey, logger, given, simulatorUrl, patience } = parts;
  await using stack = new AsyncDisposableStack();
  const isSandbox = simulatorUrl !== undefined;
  const set = stack.use(
    new RegisterSet({
      clock,
      hashKey,
      settings: simulatorUrl === undefined ? config.registers : simulatorSettings(simulatorUrl, config.registers),
      userAgent: `avouch/${VERSION}`,
      patience,
      ...(isSandbox && { policy: { ...SIMULATOR_POLICY, ...given?.policy }, policies: given?.policies ?? {} }),
      alert: (register, code) => logger.error('register rejected our credentials', { register, code }),
    }),
  );
  const failed = (error: Error) => logger.error('register probe failed', { cause: error.message });
  const probing = setInterval(() => void set.probe().catch(failed), PROBE_EVERY_MS).unref();
  stack.defer(() => clearInterval(probing));
  const suppliers = stack.use(openSuppliers(parts));
  const sanctions = openSanctions(parts, stack);
  const started = sanctions?.start();
  // A simulator answers at once unless it was told to hang; the real list takes minutes. Until then nothing is screened.
  const { listMs = patience * SIMULATOR_LIST_MS } = given ?? {};
  if (isSandbox) await Promise.race([started, delay(listMs, undefined, { ref: false })]);
  const kept = stack.move();
  const asked = askedRegisters(set, sanctions, isSandbox);
  return {
    asked,
    ...observedRegisters(asked),
    quality: listQuality(sanctions, isSandbox),
    health: () => [...set.health(), ['eu_fsf', sanctions?.health() ?? null]],
    suppliers,
    share(processes) {
      set.share(processes);
      suppliers.share(processes);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The registers as verdicts ask them. */
function askedRegisters(set: RegisterSet, sanctions: SanctionsRegister | null, isSandbox: boolean) {
  const { vies, kvk, cir, rdw, companiesHouse, dvsaMot } = set;
  const list = isSandbox && sanctions !== null ? withOldListSample(sanctions) : sanctions;
  return { vies, kvk, cir, rdw, companiesHouse, dvsaMot, sanctions: list };
}

/** The list as its quality is asked for. */
function listQuality(sanctions: SanctionsRegister | null, sandbox: boolean) {
  const matcher = {
    version: MATCHER_VERSION,
    pairThreshold: PAIR_THRESHOLD,
    screenThreshold: SCREEN_THRESHOLD,
  };
  return { sanctions, sandbox, matcher };
}

const OLD_LIST_SAMPLE = /^old list sample$/i;
const OLD_LIST_DAYS = 3;

/** One name is screened as if the list had not come for days, so that the sandbox shows what its age does. */
function withOldListSample(list: SanctionsRegister): Pick<SanctionsRegister, 'screen' | 'state'> {
  const screen = (name: string): RegisterOutcome<Screening> => {
    const outcome = list.screen(name);
    if (outcome.kind !== 'answered' || !OLD_LIST_SAMPLE.test(name.trim())) return outcome;
    const { listGenerated, listAgeHours } = outcome.value;
    const earlier = utcDay(Date.parse(listGenerated) - OLD_LIST_DAYS * DAY_MS);
    const aged = { listGenerated: earlier, listAgeHours: listAgeHours + OLD_LIST_DAYS * 24 };
    return { ...outcome, value: { ...outcome.value, ...aged } };
  };
  return { screen, state: () => list.state() };
}

function openSuppliers({ config, clock, hashKey, logger, simulatorUrl, patience }: RegisterDeps): SupplierSet {
  return new SupplierSet({
    clock,
    hashKey,
    userAgent: `avouch/${VERSION}`,
    settings: simulatorUrl === undefined ? config.suppliers : simulatorSuppliers(simulatorUrl),
    patience,
    alert: (supplier, code) => logger.error('supplier rejected our credentials', { supplier, code }),
  });
}

function openSanctions(
  { config, clock, logger, processName, simulatorUrl }: RegisterDeps,
  stack: AsyncDisposableStack,
): SanctionsRegister | null {
  const settings = config.registers.eu_fsf;
  if (settings === null) return null;
  const isSimulator = simulatorUrl !== undefined;
  const baseUrl = isSimulator ? `${simulatorUrl}/fsf` : settings.url;
  const path = join(config.dataDir, isSimulator ? 'eu-fsf.sandbox.xml' : 'eu-fsf.xml');
  const host = stack.use(new ConfiguredHost({ baseUrl, userAgent: `avouch/${VERSION}` }));
  return stack.use(
    new SanctionsRegister({
      host,
      clock,
      refreshSeconds: settings.refreshSeconds,
      path,
      nextPath: `${path}.${processName}`,
      warn: (code, cause) => logger.warn('sanctions list update failed', { register: 'eu_fsf', code, cause }),
      unmeasured: (cause) => logger.warn('sanctions list not measured', { register: 'eu_fsf', cause }),
    }),
  );
}

const secret = new Secret('sandbox');

/** The same registers as are switched on, at the addresses of the simulators. */
function simulatorSettings(url: string, on: RegisterSettings): RegisterSettings {
  return {
    vies: on.vies && { ...on.vies, baseUrl: `${url}/vies` },
    kvk: on.kvk && { baseUrl: `${url}/kvk`, apiKey: secret, ca: null },
    cir: on.cir && { ...on.cir, url: `${url}/cir`, username: 'sandbox', password: secret },
    rdw: on.rdw && { baseUrl: `${url}/rdw`, appToken: null },
    companies_house: on.companies_house && { baseUrl: `${url}/ch`, apiKey: secret },
    dvsa_mot: on.dvsa_mot && {
      baseUrl: `${url}/mot`,
      tokenUrl: `${url}/mot-login`,
      clientId: 'sandbox',
      scope: 'sandbox',
      clientSecret: secret,
      apiKey: secret,
    },
  };
}

function simulatorSuppliers(url: string): SupplierSettings {
  const login = { clientId: 'sandbox', clientSecret: secret };
  return {
    nexar: { ...login, baseUrl: `${url}/nexar`, identityBaseUrl: `${url}/nexar-login` },
    mouser: { baseUrl: `${url}/mouser`, apiKey: secret },
    digikey: { ...login, baseUrl: `${url}/digikey` },
  };
}
