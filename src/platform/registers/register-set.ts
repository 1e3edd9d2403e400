import type { Clock } from '#kernel/clock.ts';
import { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import type { RegisterId } from '#protocol/attestation/observation.ts';
import { Cir, type SoapStyle } from './cir.ts';
import { CompaniesHouse } from './companies-house.ts';
import { DvsaMot } from './dvsa-mot.ts';
import { Kvk } from './kvk.ts';
import { Rdw } from './rdw.ts';
import type { RegisterHealth } from './resilience/health.ts';
import { type ClientId, POLICIES, type Policy } from './resilience/policy.ts';
import { RegisterClient } from './resilience/register-client.ts';
import { Vies } from './vies.ts';

interface SecretText {
  reveal(): string;
}

/** Where each register is and how it is entered; null is switched off. */
export interface RegisterSettings {
  readonly vies: {
    readonly baseUrl: string;
    readonly requester: { readonly countryCode: string; readonly number: string } | null;
  } | null;
  readonly kvk: { readonly baseUrl: string; readonly apiKey: SecretText; readonly ca: string | null } | null;
  readonly cir: {
    readonly url: string;
    readonly username: string;
    readonly password: SecretText;
    readonly soap: SoapStyle;
  } | null;
  readonly rdw: { readonly baseUrl: string; readonly appToken: SecretText | null } | null;
  readonly companies_house: { readonly baseUrl: string; readonly apiKey: SecretText } | null;
  readonly dvsa_mot: {
    readonly baseUrl: string;
    readonly tokenUrl: string;
    readonly clientId: string;
    readonly clientSecret: SecretText;
    readonly apiKey: SecretText;
    readonly scope: string;
  } | null;
}

export interface RegisterSetOptions {
  readonly settings: RegisterSettings;
  readonly clock: Clock;
  readonly hashKey: (...parts: readonly string[]) => string;
  readonly userAgent: string;
  /** Other figures than those for the real registers, where simulators answer. */
  /** How many times longer than usual registers may take. */
  readonly patience?: number;
  readonly policy?: Partial<Policy>;
  /** Still others for single registers. */
  readonly policies?: Partial<Record<ClientId, Partial<Policy>>>;
  /** A register refuses our credentials or address: somebody must look. */
  readonly alert: (register: string, code: string) => void;
}

/** The clients of all registers that are switched on. */
export class RegisterSet implements Disposable {
  readonly vies: Vies | null;
  readonly kvk: Kvk | null;
  readonly cir: Cir | null;
  readonly rdw: Rdw | null;
  readonly companiesHouse: CompaniesHouse | null;
  readonly dvsaMot: DvsaMot | null;
  readonly #hosts = new DisposableStack();

  constructor(options: RegisterSetOptions) {
    const { settings, clock, hashKey, userAgent, patience = 1, policy = {}, policies = {}, alert } = options;
    const host = (baseUrl: string, ca: string | null = null) =>
      this.#hosts.use(new ConfiguredHost({ baseUrl, userAgent, ca }));
    const client = (id: ClientId) => {
      const { deadlineMs, attemptMs } = POLICIES[id];
      const patient = { deadlineMs: patience * deadlineMs, attemptMs: patience * attemptMs };
      const given = { ...patient, ...policy, ...policies[id] };
      return new RegisterClient(id, POLICIES[id], { clock, hashKey, policy: given, alert });
    };
    const { vies, kvk, cir, rdw, companies_house: house, dvsa_mot: mot } = settings;
    this.vies = vies && new Vies({ ...vies, client: client('vies'), host: host(vies.baseUrl) });
    this.kvk =
      kvk && new Kvk(client('kvk'), { host: host(kvk.baseUrl, kvk.ca), apiKey: () => kvk.apiKey.reveal(), clock });
    this.cir =
      cir &&
      new Cir(client('cir'), {
        host: host(cir.url),
        url: cir.url,
        style: cir.soap,
        clock,
        credentials: () => ({ username: cir.username, password: cir.password.reveal() }),
      });
    this.rdw =
      rdw && new Rdw(client('rdw'), { host: host(rdw.baseUrl), appToken: () => rdw.appToken?.reveal() ?? null });
    this.companiesHouse =
      house &&
      new CompaniesHouse(client('companies_house'), {
        host: host(house.baseUrl),
        apiKey: () => house.apiKey.reveal(),
        nowMs: () => clock.now(),
      });
    this.dvsaMot =
      mot &&
      new DvsaMot(client('dvsa_mot'), {
        host: host(mot.baseUrl),
        tokenHost: host(mot.tokenUrl),
        clock,
        credentials: () => ({ ...mot, clientSecret: mot.clientSecret.reveal(), apiKey: mot.apiKey.reveal() }),
      });
  }

  /** Tells every client how many processes share the limits of the registers. */
  share(processes: number): void {
    for (const [, part] of this.#parts()) part?.client.share(processes);
  }

  /** Asks the registers that cost nothing whether they are there, so that their state is known without traffic. */
  async probe(): Promise<void> {
    await Promise.all([this.vies?.probe(), this.kvk?.probe()]);
  }

  /** How each register is; null is switched off. */
  health(): (readonly [RegisterId, RegisterHealth | null])[] {
    return this.#parts().map(([id, part]) => [id, part?.client.health() ?? null]);
  }

  #parts(): (readonly [ClientId, { readonly client: RegisterClient } | null])[] {
    return [
      ['vies', this.vies],
      ['kvk', this.kvk],
      ['cir', this.cir],
      ['rdw', this.rdw],
      ['companies_house', this.companiesHouse],
      ['dvsa_mot', this.dvsaMot],
    ];
  }

  [Symbol.dispose](): void {
    this.#hosts.dispose();
  }
}
