import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { type RateClass, SERVICES, type Services } from '#kernel/operation.ts';
import { type Env, OF_AREAS, OF_COMMANDS, type Setting, SETTINGS, unknownSetting } from './env.ts';
import { type CapabilityConfig, readCapabilities } from './capabilities.ts';
import { type OpenDataConfig, readOpenData } from './open-data.ts';
import { ConfigError } from './config-error.ts';
import { isLoopbackHost } from './loopback.ts';
import { type MailConfig, readMail } from './mail.ts';
import { type McpConfig, readMcp } from './mcp.ts';
import { payToError } from './pay-to.ts';
import { type RateLimit, readRates } from './rates.ts';
import { readRegisters, type RegisterConfig } from './registers.ts';
import { Secret } from './secret.ts';
import { readSettlement, type SettlementConfig } from './settlement.ts';
import { readTopUp, type TopUpConfig } from './topup.ts';
import { readSuppliers, type SupplierConfig } from './suppliers.ts';
import { readVenues, type VenueConfig } from './venues.ts';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

const FURTHER_HOSTS = /^(\w+:\/\/(?:[^@/]*@)?[^,/?]+)(?:,[\w.:[\]-]+)+(?=[/?]|$)/;

export interface Config {
  readonly profile: 'sandbox' | 'production';
  readonly services: Services;
  readonly host: string;
  readonly port: number;
  /** Null until the port is known: the sandbox may listen on a free one. */
  readonly baseUrl: string | null;
  readonly dataDir: string;
  readonly databaseUrl: Secret | null;
  readonly serviceName: string;
  readonly operator: { readonly name: string; readonly contact: string };
  /** False where callers are flagged and never suspended. */
  readonly suspends: boolean;
  readonly contentSignal: string;
  /** Whether requests to addresses that callers name say who sends them; never in the sandbox. */
  readonly signsOutbound: boolean;
  /** Null where nothing was set: the log is then named after the public address. */
  readonly logOrigin: string | null;
  readonly commit: { readonly maxBatch: number; readonly maxQueue: number };
  /** Whether each process commits for itself or one for all, and where the others reach this one. */
  readonly writer: { readonly mode: 'forward' | 'direct'; readonly host: string };
  readonly eventDays: number;
  readonly trustedProxies: readonly string[];
  readonly opsAllow: readonly string[];
  /** Where only figures and probes are, which are then nowhere else. */
  readonly opsPort: number | null;
  readonly notReadySeconds: number;
  readonly drainSeconds: number;
  readonly otlpUrl: string | null;
  readonly ipv6Prefix: 64 | 56;
  /** In lower case, without `www.`. */
  readonly venueHosts: readonly string[];
  readonly maxConnections: number;
  readonly rates: Readonly<Record<RateClass, RateLimit>>;
  readonly keyPassphraseFile: string | null;
  readonly serverSecretFile: string | null;
  readonly witnessPolicyFile: string | null;
  readonly ap2RootsFile: string | null;
  readonly witnessEverySeconds: number;
  /** Requests a day that witnesses take from this log; null where nobody said. */
  readonly witnessQpd: number | null;
  readonly registers: RegisterConfig;
  readonly venues: VenueConfig;
  readonly mcp: McpConfig;
  readonly topUp: TopUpConfig;
  readonly mail: MailConfig;
  readonly capabilities: CapabilityConfig;
  readonly suppliers: SupplierConfig;
  readonly openData: OpenDataConfig;
  /** Null in the sandbox, and where no call is paid. */
  readonly settlement: SettlementConfig | null;
  /** What checks the signatures of payments. */
  readonly secp256k1: 'auto' | 'wasm';
  /** The account that buyers pay to; null in the sandbox, which has its own. */
  readonly payTo: `0x${string}` | null;
  readonly logLevel: LogLevel;
  /** The settings of areas as they came: each area reads its own when it opens. */
  readonly ofAreas: Readonly<Record<string, string>>;
  /** What the operator should know but need not stop for. */
  readonly warnings: readonly string[];
}

export function readConfig(env: Env): Config {
  const { config, faults } = inspectConfig(env);
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

const OPEN_SANDBOX =
  'HOST opens the sandbox to others, who could read its sign-in links: listen on 127.0.0.1, or set AVOUCH_SANDBOX_PUBLIC=yes';

/** The configuration as far as it can be read, and everything that is wrong with it. */
export function inspectConfig(env: Env): { readonly config: Config; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const warnings: string[] = [];
  const read = reader(env, faults);
  const profile = read.oneOf('AVOUCH_PROFILE', ['sandbox', 'production']);
  const services = read.oneOf('AVOUCH_SERVICES', SERVICES);
  checkNames(env, profile === 'production' ? faults : warnings);
  checkPresence(env, profile === 'production', faults);
  const outside = {
    env,
    faults,
    text: read.text,
    isProduction: profile === 'production',
    secret: (name: string) => secretText(env, name, faults),
  };
  const isOpen = read.oneOf('AVOUCH_SANDBOX_PUBLIC', ['no', 'yes']) === 'yes';
  const host = read.host('HOST');
  const port = read.integer('PORT', 0, 65_535);
  if (profile === 'sandbox' && !isOpen && !isLoopbackHost(host)) faults.push(OPEN_SANDBOX);
  // Read for free services too: the sandbox must not be told of real money, and a wrong value must not wait for a change.
  const settlement = readSettlement({ profile, text: read.text, secret: outside.secret, faults });
  const config: Config = {
    profile,
    services,
    host,
    port,
    baseUrl: read.url('BASE_URL', profile === 'production' ? ['https:'] : ['http:', 'https:']),
    dataDir: resolve(read.text('DATA_DIR')),
    databaseUrl: read.databaseUrl('DATABASE_URL'),
    serviceName: read.label('AVOUCH_SERVICE_NAME'),
    operator: { name: read.label('AVOUCH_OPERATOR_NAME'), contact: read.contact('AVOUCH_OPERATOR_CONTACT') },
    suspends: read.oneOf('AVOUCH_SUSPENSION', ['on', 'off']) === 'on',
    contentSignal: read.headerValue('AVOUCH_CONTENT_SIGNAL'),
    signsOutbound: read.oneOf('AVOUCH_SIGN_OUTBOUND', ['no', 'yes']) === 'yes' && profile === 'production',
    logOrigin: read.logOrigin('AVOUCH_LOG_ORIGIN', profile),
    commit: {
      maxBatch: read.integer('AVOUCH_COMMIT_BATCH', 1, 1_024),
      maxQueue: read.integer('AVOUCH_COMMIT_QUEUE', 1, 1_000_000),
    },
    writer: { mode: read.oneOf('AVOUCH_WRITER', ['forward', 'direct']), host: read.host('AVOUCH_WRITER_HOST') },
    eventDays: read.integer('AVOUCH_EVENT_DAYS', 0, 36_500),
    trustedProxies: read.addresses('AVOUCH_TRUSTED_PROXIES'),
    opsAllow: read.addresses('AVOUCH_OPS_ALLOW'),
    opsPort: read.port('AVOUCH_OPS_PORT', port),
    notReadySeconds: read.integer('AVOUCH_NOT_READY_SECONDS', 5, 600),
    drainSeconds: read.integer('AVOUCH_DRAIN_SECONDS', 0, 60),
    otlpUrl: read.url('AVOUCH_OTLP_URL', ['http:', 'https:']),
    ipv6Prefix: Number(read.oneOf('AVOUCH_IPV6_PREFIX', ['64', '56'])) as 64 | 56,
    venueHosts: read.hosts('AVOUCH_VENUE_HOSTS'),
    maxConnections: read.integer('AVOUCH_MAX_CONNECTIONS', 1, 1_000_000),
    rates: readRates(read.text, faults),
    keyPassphraseFile: env['AVOUCH_KEY_PASSPHRASE_FILE'] || null,
    serverSecretFile: env['AVOUCH_SERVER_SECRET_FILE'] || null,
    witnessPolicyFile: env['AVOUCH_WITNESS_POLICY_FILE'] || null,
    ap2RootsFile: env['AVOUCH_AP2_ROOTS_FILE'] || null,
    witnessEverySeconds: read.integer('AVOUCH_WITNESS_EVERY_S', 1, 3_600),
    witnessQpd: env['AVOUCH_WITNESS_QPD'] ? read.integer('AVOUCH_WITNESS_QPD', 1, 86_400) : null,
    registers: readRegisters(outside),
    venues: readVenues(outside),
    mcp: readMcp(outside),
    topUp: readTopUp(outside),
    mail: readMail(outside),
    capabilities: readCapabilities(outside),
    suppliers: readSuppliers(outside),
    openData: readOpenData(outside),
    settlement: services === 'free' ? null : settlement,
    secp256k1: read.oneOf('AVOUCH_SECP256K1', ['auto', 'wasm']),
    payTo: read.payTo('AVOUCH_PAY_TO', profile === 'sandbox'),
    logLevel: read.oneOf('AVOUCH_LOG_LEVEL', LOG_LEVELS),
    ofAreas: settingsOfAreas(env),
    warnings,
  };
  return { config: frozen(config), faults };
}

function frozen<T extends object>(part: T): T {
  for (const value of Object.values(part)) if (typeof value === 'object' && value !== null) frozen(value as object);
  return Object.freeze(part);
}

function settingsOfAreas(env: Env): Record<string, string> {
  const given = Object.entries(env).filter(([name]) => name.startsWith(OF_AREAS));
  return Object.fromEntries(given.map(([name, value]) => [name, value ?? '']));
}

/** A name that nobody reads is a typo that would leave a default on. */
function checkNames(env: Env, faults: string[]): void {
  const known = new Set<string>(SETTINGS.map((setting) => setting.name));
  for (const setting of SETTINGS) if (setting.secret) known.add(`${setting.name}_FILE`);
  for (const name of Object.keys(env)) {
    const isOurs = name.startsWith('AVOUCH_') && !name.startsWith('AVOUCH_TEST_') && !name.startsWith(OF_AREAS);
    if (isOurs && !known.has(name) && !OF_COMMANDS.has(name)) {
      faults.push(unknownSetting(name));
    }
  }
}

/** An empty value is a variable that somebody forgot to fill: taking the default for it would hide that. */
function checkPresence(env: Env, isProduction: boolean, faults: string[]): void {
  const missing: string[] = [];
  for (const setting of SETTINGS) {
    const { name, fallback } = setting;
    if (isProduction && isRequired(setting, env)) {
      const isInFile = setting.secret === true && env[`${name}_FILE`] !== undefined;
      if ((env[name] ?? '') === '' && !isInFile) missing.push(name);
    } else if (env[name] === '' && fallback !== '') {
      faults.push(`${name} is empty: give it a value or unset it`);
    }
  }
  if (missing.length === 1) faults.push(`${missing[0]} is required in production: set it`);
  else if (missing.length > 1) faults.push(`${missing.join(', ')} are required in production: set them`);
}

/** True when production cannot start without the setting, the others being as they are. */
function isRequired({ production, requiredWith, services }: Setting, env: Env): boolean {
  if (services === 'all' && env['AVOUCH_SERVICES'] === 'free') return false;
  if (requiredWith === undefined) return production === true;
  const [name, value] = requiredWith;
  const other = SETTINGS.find((setting) => setting.name === name);
  return (env[name] || other?.fallback) === value;
}

/** A URL without its scheme, as C2SP tlog-checkpoint asks for; a verifier key takes neither a space nor a plus sign. */
const LOG_ORIGIN = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?(?:\/[A-Za-z0-9._~-]+)+$/;
/** Text that people read: one line, not blank. */
const LABEL = /^(?=.*\S)[^\p{Cc}\u2028\u2029]{1,200}$/u;

function reader(env: Env, faults: string[]) {
  const fallbacks = new Map(SETTINGS.map((setting) => [setting.name, setting.fallback ?? '']));
  const text = (name: string) => env[name] || (fallbacks.get(name) ?? '');
  const refuse = <T>(fault: string, instead: T): T => {
    faults.push(fault);
    return instead;
  };
  return {
    text,
    oneOf<const T extends string>(name: string, values: readonly T[]): T {
      const value = text(name) as T;
      return values.includes(value) ? value : refuse(`${name} must be one of ${values.join(', ')}`, values[0] as T);
    },
    integer(name: string, min: number, max: number): number {
      const value = text(name);
      const isValid = /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max;
      return isValid ? Number(value) : refuse(`${name} must be a whole number from ${min} to ${max}`, min);
    },
    label(name: string): string {
      const value = text(name);
      return LABEL.test(value) ? value : refuse(`${name} must be one line of at most 200 characters`, '');
    },
    headerValue(name: string): string {
      const value = text(name);
      return /^[!-~][ -~]{0,199}$/.test(value) ? value : refuse(`${name} must be one line of ASCII characters`, '');
    },
    contact(name: string): string {
      const value = text(name);
      const isAddress = ['https:', 'mailto:'].includes(URL.parse(value)?.protocol ?? '');
      return isAddress ? value : refuse(`${name} must be an https or mailto address`, '');
    },
    host(name: string): string {
      const value = text(name);
      if (isIP(value) !== 0 || value === 'localhost') return value;
      return refuse(`${name} must be an IP address or localhost`, '127.0.0.1');
    },
    addresses(name: string): string[] {
      const values = commaList(text(name));
      const [wrong] = values.filter((value) => !isAddressRange(value));
      if (wrong === undefined) return values;
      return refuse(`${name} must be IP addresses or ranges such as 10.0.0.0/8, separated by commas`, []);
    },
    port(name: string, other: number): number | null {
      if (text(name) === '') return null;
      const value = this.integer(name, 0, 65_535);
      return value !== 0 && value === other ? refuse(`${name} must be another port than PORT`, null) : value;
    },
    hosts(name: string): string[] {
      const values = commaList(text(name)).map((value) => value.toLowerCase().replace(/^www\./, ''));
      if (values.every((value) => /^[a-z\d-]+(?:\.[a-z\d-]+)+$/.test(value))) return values;
      return refuse(`${name} must be host names separated by commas`, []);
    },
    ...addressReader(env, faults, refuse),
  };
}

/** A range of everybody is a mistake. */
function isAddressRange(text: string): boolean {
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0 || length === undefined) return version !== 0;
  return Number(length) >= 1 && Number(length) <= (version === 4 ? 32 : 128);
}

/** Settings that are addresses, of a place or of money. */
function addressReader(env: Env, faults: string[], refuse: <T>(fault: string, instead: T) => T) {
  return {
    url(name: string, protocols: readonly string[]): string | null {
      const value = env[name];
      if (value === undefined || value === '') return null;
      const url = URL.parse(value);
      // Anything beyond the origin would be dropped without a word.
      if (url !== null && protocols.includes(url.protocol) && url.href === `${url.origin}/`) return url.origin;
      const form = protocols.map((protocol) => `${protocol}//host`).join(' or ');
      return refuse(`${name} must be ${form}, with a port where one is needed, without path, query or user`, null);
    },
    logOrigin(name: string, profile: Config['profile']): string | null {
      const value = env[name];
      if (value === undefined || value === '') return null;
      if (profile === 'sandbox') {
        return refuse(`${name} must be unset in the sandbox, whose log is named sandbox.invalid/<id>/astralock`, null);
      }
      if (value.length <= 200 && LOG_ORIGIN.test(value)) return value;
      return refuse(`${name} must look like log.example.org/astralock, without scheme, spaces and plus signs`, null);
    },
    payTo(name: string, isSandbox: boolean): `0x${string}` | null {
      const value = env[name];
      if (value === undefined || value === '') return null;
      const fault = payToError(name, value, isSandbox);
      return fault === undefined ? (value as `0x${string}`) : refuse(fault, null);
    },
    databaseUrl(name: string): Secret | null {
      const value = secretText(env, name, faults);
      if (value === undefined) return null;
      // A user before an empty host is how the driver is told to use a socket; the URL class alone would refuse it.
      // So it would the further servers of a replicated database.
      const url = URL.parse(value.replace('@/', '@socket/').replace(FURTHER_HOSTS, '$1'));
      if (url !== null && /^postgres(ql)?:\/\//.test(value)) return new Secret(value);
      return refuse(`${name} must look like postgres://user:password@host:5432/database`, null);
    },
  };
}

/** A secret stands in its variable or in the file that NAME_FILE names, never in both. */
function commaList(text: string): string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

function secretText(env: Env, name: string, faults: string[]): string | undefined {
  const file = env[`${name}_FILE`];
  if (file === undefined) return env[name] || undefined;
  let fault: string;
  if (env[name] !== undefined) fault = `${name} and ${name}_FILE are both set: unset one of them`;
  else {
    try {
      const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      if (text !== '') return text;
      fault = `the file that ${name}_FILE names is empty: write the value into it or unset ${name}_FILE`;
    } catch (error) {
      fault = `the file that ${name}_FILE names cannot be read (${(error as NodeJS.ErrnoException).code}): check its path and rights`;
    }
  }
  faults.push(fault);
  return undefined;
}
