import type { Clock } from '#kernel/clock.ts';
import { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import type { Policy } from '../resilience/policy.ts';
import { RegisterClient } from '../resilience/register-client.ts';
import type { OfferAdapter } from './adapter.ts';
import { DigiKey } from './digikey.ts';
import { Mouser } from './mouser.ts';
import { Nexar } from './nexar.ts';

interface SecretText {
  reveal(): string;
}

/** Where each supplier is and how it is entered; null is not configured. */
export interface SupplierSettings {
  readonly nexar: {
    readonly baseUrl: string;
    readonly identityBaseUrl: string;
    readonly clientId: string;
    readonly clientSecret: SecretText;
  } | null;
  readonly mouser: { readonly baseUrl: string; readonly apiKey: SecretText } | null;
  readonly digikey: { readonly baseUrl: string; readonly clientId: string; readonly clientSecret: SecretText } | null;
}

/** A caller waits for live offers at most so long. */
const usual = {
  deadlineMs: 5_000,
  attemptMs: 2_400,
  retries: 1,
  backoffMs: { base: 100, cap: 400 },
  maxRunning: 4,
  freshMs: 0,
};
export const SUPPLIER_POLICIES = {
  nexar: { ...usual, bucket: { perSecond: 5, burst: 10 } },
  // 30 in any minute and 1,000 in any day.
  mouser: { ...usual, bucket: { perSecond: 10 / 60, burst: 20, perDay: 1_000 } },
  // 120 in any minute.
  digikey: { ...usual, bucket: { perSecond: 80 / 60, burst: 40 } },
} satisfies Readonly<Record<keyof SupplierSettings, Policy>>;

export interface SupplierSetOptions {
  readonly settings: SupplierSettings;
  readonly clock: Clock;
  readonly hashKey: (...parts: readonly string[]) => string;
  readonly userAgent: string;
  /** How many times longer than usual others may take. */
  readonly patience?: number;
  readonly alert: (supplier: string, code: string) => void;
}

/** The clients of all suppliers that are configured. */
export class SupplierSet implements Disposable {
  readonly adapters: readonly OfferAdapter[];
  readonly #hosts = new DisposableStack();
  readonly #clients: RegisterClient[] = [];

  constructor({ settings, clock, hashKey, userAgent, patience = 1, alert }: SupplierSetOptions) {
    const host = (baseUrl: string) => this.#hosts.use(new ConfiguredHost({ baseUrl, userAgent }));
    const client = (id: keyof SupplierSettings) => {
      const { deadlineMs, attemptMs } = SUPPLIER_POLICIES[id];
      const policy = { deadlineMs: patience * deadlineMs, attemptMs: patience * attemptMs };
      const made = new RegisterClient(id, SUPPLIER_POLICIES[id], { clock, hashKey, policy, alert });
      this.#clients.push(made);
      return made;
    };
    const { nexar, mouser, digikey } = settings;
    const login =
      ({ clientId, clientSecret }: { clientId: string; clientSecret: SecretText }, scope: string) =>
      () => ({
        clientId,
        clientSecret: clientSecret.reveal(),
        scope,
      });
    this.adapters = [
      nexar &&
        new Nexar(client('nexar'), {
          host: host(nexar.baseUrl),
          tokenHost: host(`${nexar.identityBaseUrl}/connect/token`),
          clock,
          credentials: login(nexar, 'supply.domain'),
        }),
      mouser &&
        new Mouser(client('mouser'), { host: host(mouser.baseUrl), clock, apiKey: () => mouser.apiKey.reveal() }),
      digikey &&
        new DigiKey(client('digikey'), {
          host: host(digikey.baseUrl),
          tokenHost: host(`${digikey.baseUrl}/v1/oauth2/token`),
          clock,
          credentials: login(digikey, ''),
        }),
    ].filter((adapter) => adapter !== null);
  }

  /** Limits of the suppliers hold over this many processes together. */
  share(processes: number): void {
    for (const client of this.#clients) client.share(processes);
  }

  [Symbol.dispose](): void {
    this.#hosts.dispose();
  }
}
