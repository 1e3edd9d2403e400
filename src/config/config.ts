import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { RateClass } from '#kernel/operation.ts';
import { type Env, SETTINGS, type Setting } from './env.ts';
import { type Rate, readRates } from './rates.ts';
import { Secret } from './secret.ts';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Config {
  readonly profile: 'sandbox' | 'production';
  readonly host: string;
  readonly port: number;
  /** Null until the port is known: the sandbox may listen on a free one. */
  readonly baseUrl: string | null;
  readonly dataDir: string;
  readonly databaseUrl: Secret | null;
  readonly serviceName: string;
  readonly operator: { readonly name: string; readonly contact: string };
  readonly commit: { readonly maxBatch: number; readonly maxQueue: number };
  readonly eventDays: number;
  readonly trustedProxies: readonly string[];
  readonly ipv6Prefix: 64 | 56;
  readonly maxConnections: number;
  readonly rates: Readonly<Record<RateClass, Rate>>;
  readonly keyPassphraseFile: string | null;
  readonly logLevel: LogLevel;
  /** What the operator should know but need not stop for. */
  readonly warnings: readonly string[];
}

/** Every fault of the configuration at once, so that nobody mends them one start at a time. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`the configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}`);
    this.faults = faults;
  }
}

export function readConfig(env: Env): Config {
  const faults: string[] = [];
  const warnings: string[] = [];
  const read = reader(env, faults);
  const profile = read.oneOf('AVOUCH_PROFILE', ['sandbox', 'production']);
  checkNames(env, profile === 'production' ? faults : warnings);
  if (profile === 'production') checkRequired(env, faults);
  const config: Config = {
    profile,
    host: read.host('HOST'),
    port: read.integer('PORT', 0, 65_535),
    baseUrl: read.url('BASE_URL', profile === 'production' ? ['https:'] : ['http:', 'https:']),
    dataDir: resolve(read.text('DATA_DIR')),
    databaseUrl: read.secret('DATABASE_URL', /^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://'),
    serviceName: read.text('AVOUCH_SERVICE_NAME'),
    operator: { name: read.text('AVOUCH_OPERATOR_NAME'), contact: read.text('AVOUCH_OPERATOR_CONTACT') },
    commit: {
      maxBatch: read.integer('AVOUCH_COMMIT_BATCH', 1, 1_024),
      maxQueue: read.integer('AVOUCH_COMMIT_QUEUE', 1, 1_000_000),
    },
    eventDays: read.integer('AVOUCH_EVENT_DAYS', 0, 36_500),
    trustedProxies: read.addresses('AVOUCH_TRUSTED_PROXIES'),
    ipv6Prefix: Number(read.oneOf('AVOUCH_IPV6_PREFIX', ['64', '56'])) as 64 | 56,
    maxConnections: read.integer('AVOUCH_MAX_CONNECTIONS', 1, 1_000_000),
    rates: readRates(env, faults),
    keyPassphraseFile: env['AVOUCH_KEY_PASSPHRASE_FILE'] ?? null,
    logLevel: read.oneOf('AVOUCH_LOG_LEVEL', LOG_LEVELS),
    warnings,
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(config);
}

/** A name that nobody reads is a typo that would leave a default on. */
function checkNames(env: Env, faults: string[]): void {
  const known = new Set<string>(SETTINGS.map((setting) => setting.name));
  for (const setting of SETTINGS as readonly Setting[]) if (setting.secret) known.add(`${setting.name}_FILE`);
  for (const name of Object.keys(env)) {
    const isOurs = name.startsWith('AVOUCH_') && !name.startsWith('AVOUCH_TEST_');
    if (isOurs && !known.has(name)) faults.push(`${name} is not a setting of this release`);
  }
}

function checkRequired(env: Env, faults: string[]): void {
  for (const { name, production } of SETTINGS as readonly Setting[]) {
    if (production && (env[name] ?? '') === '') faults.push(`${name} is required in production`);
  }
}

type Fallback = (typeof SETTINGS)[number]['name'];

function reader(env: Env, faults: string[]) {
  const fallbacks = new Map(SETTINGS.map((setting) => [setting.name, setting.fallback ?? '']));
  const text = (name: Fallback) => env[name] ?? (fallbacks.get(name) as string);
  const refuse = <T>(fault: string, instead: T): T => {
    faults.push(fault);
    return instead;
  };
  return {
    text,
    oneOf<const T extends string>(name: Fallback, values: readonly T[]): T {
      const value = text(name) as T;
      return values.includes(value) ? value : refuse(`${name} must be one of ${values.join(', ')}`, values[0] as T);
    },
    integer(name: Fallback, min: number, max: number): number {
      const value = text(name);
      const isValid = /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max;
      return isValid ? Number(value) : refuse(`${name} must be a whole number from ${min} to ${max}`, min);
    },
    host(name: Fallback): string {
      const value = text(name);
      return isIP(value) !== 0 || value === 'localhost' ? value : refuse(`${name} must be an IP address`, '127.0.0.1');
    },
    addresses(name: Fallback): string[] {
      const values = text(name).split(',').map((value) => value.trim()).filter((value) => value !== '');
      return values.every((value) => isIP(value) !== 0) ? values : refuse(`${name} must list IP addresses`, []);
    },
    url(name: Fallback, protocols: readonly string[]): string | null {
      const value = env[name];
      if (value === undefined || value === '') return null;
      const url = URL.parse(value);
      if (url === null || !protocols.includes(url.protocol) || url.pathname !== '/' || url.search + url.hash !== '') {
        return refuse(`${name} must be ${protocols.join(' or ')}//host without a path`, null);
      }
      return url.origin;
    },
    secret(name: Fallback, form: RegExp, rule: string): Secret | null {
      const value = secretText(env, name, faults);
      if (value === undefined || value === '') return null;
      return form.test(value) ? new Secret(value) : refuse(`${name} ${rule}`, null);
    },
  };
}

/** A secret stands in its variable or in the file that NAME_FILE names, never in both. */
function secretText(env: Env, name: string, faults: string[]): string | undefined {
  const file = env[`${name}_FILE`];
  if (file === undefined) return env[name];
  if (env[name] !== undefined) faults.push(`${name} and ${name}_FILE are both set`);
  try {
    return readFileSync(file, 'utf8').replace(/\n$/, '');
  } catch {
    faults.push(`${name}_FILE cannot be read`);
    return undefined;
  }
}
