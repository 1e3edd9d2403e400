import type { Config } from '#config/config.ts';
import { Secret } from '#config/secret.ts';
import type { Clock } from '#kernel/clock.ts';
import { RegisterSet, type RegisterSettings } from '#registers/register-set.ts';
import { RegisterStandIns } from '#sandbox/registers/server.ts';
import type { Logger } from './logger.ts';
import { VERSION } from './version.ts';

export interface RegisterParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly hashKey: (...parts: readonly string[]) => string;
  readonly logger: Logger;
}

/** A stand-in answers at once or not at all: long waits between attempts would only slow the sandbox down. */
const STAND_IN_POLICY = { backoffMs: { base: 5, cap: 20 } };

/** The clients of the registers; in the sandbox of stand-ins that live and end with them. */
export async function openRegisters(parts: RegisterParts): Promise<{ set: RegisterSet } & AsyncDisposable> {
  const { config, clock, hashKey, logger } = parts;
  await using stack = new AsyncDisposableStack();
  const isSandbox = config.profile === 'sandbox';
  const standIns = isSandbox ? stack.use(await RegisterStandIns.start(() => clock.now())) : null;
  const set = stack.use(
    new RegisterSet({
      clock,
      hashKey,
      settings: standIns === null ? config.registers : standInSettings(standIns.url, config.registers),
      userAgent: `avouch/${VERSION}`,
      ...(isSandbox && { policy: STAND_IN_POLICY }),
      alert: (register, code) => logger.error('a register refuses our settings', { register, code }),
    }),
  );
  const kept = stack.move();
  return { set, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

const secret = new Secret('sandbox');

/** The same registers as are switched on, at the addresses of the stand-ins. */
function standInSettings(url: string, on: RegisterSettings): RegisterSettings {
  return {
    vies: on.vies && { ...on.vies, baseUrl: `${url}/vies` },
    kvk: on.kvk && { baseUrl: `${url}/kvk`, apiKey: secret, ca: null },
    cir: on.cir && { ...on.cir, url: `${url}/cir`, username: 'sandbox', password: secret },
    rdw: on.rdw && { baseUrl: `${url}/rdw`, appToken: null },
    companies_house: on.companies_house && { baseUrl: `${url}/ch`, apiKey: secret },
    dvsa_mot: on.dvsa_mot && {
      ...{ baseUrl: `${url}/mot`, tokenUrl: `${url}/mot-login`, clientId: 'sandbox', scope: 'sandbox' },
      ...{ clientSecret: secret, apiKey: secret },
    },
  };
}
