import { readFileSync } from 'node:fs';
import { readVatNumber } from '#protocol/identifiers/vat-number.ts';
import { type Env, SETTINGS } from './env.ts';
import { Secret } from './secret.ts';

const REGISTERS = ['vies', 'kvk', 'cir', 'rdw', 'companies_house', 'dvsa_mot', 'eu_fsf'] as const;
type RegisterName = (typeof REGISTERS)[number];

interface KvkConfig {
  readonly baseUrl: string;
  readonly apiKey: Secret;
  /** Certificates in PEM. */
  readonly ca: string | null;
}

interface CirConfig {
  readonly url: string;
  readonly username: string;
  readonly password: Secret;
  readonly soap: '1.1' | '1.2';
}

interface MotConfig {
  readonly baseUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly apiKey: Secret;
  readonly scope: string;
}

/** What each register needs; null where it is switched off. In the sandbox only what is on counts. */
export interface RegisterConfig {
  readonly vies: {
    readonly baseUrl: string;
    readonly requester: { readonly countryCode: string; readonly number: string } | null;
  } | null;
  readonly kvk: KvkConfig | null;
  readonly cir: CirConfig | null;
  readonly rdw: { readonly baseUrl: string; readonly appToken: Secret | null } | null;
  readonly companies_house: { readonly baseUrl: string; readonly apiKey: Secret } | null;
  readonly dvsa_mot: MotConfig | null;
  readonly eu_fsf: { readonly url: string; readonly refreshSeconds: number } | null;
}

export interface SettingsReading {
  readonly env: Env;
  readonly faults: string[];
  readonly text: (name: string) => string;
  readonly secret: (name: string) => string | undefined;
  readonly isProduction: boolean;
}

/** What a header can carry. */
export const HEADER_TEXT = /^[\x21-\x7e]{1,1000}$/;
const ONE_LINE = /^[^\p{Cc}\u2028\u2029]{1,1000}$/u;
const VAT_NUMBER = /^[A-Z]{2}[0-9A-Z+*]{2,14}$/;
const NO_SECRET = new Secret('');

export function readRegisters(reading: SettingsReading): RegisterConfig {
  const { faults, text, isProduction } = reading;
  const on = namesOn(reading);
  if (isProduction) for (const name of on) checkCredentials(name, reading);
  const read = externalReader(reading);
  const all: { readonly [K in RegisterName]: NonNullable<RegisterConfig[K]> } = {
    vies: { baseUrl: read.address('AVOUCH_VIES_BASE_URL'), requester: read.requester('AVOUCH_VIES_REQUESTER') },
    kvk: {
      baseUrl: read.address('AVOUCH_KVK_BASE_URL'),
      apiKey: read.secret('AVOUCH_KVK_API_KEY', HEADER_TEXT) ?? NO_SECRET,
      ca: read.certificates('AVOUCH_KVK_CA_FILE'),
    },
    cir: {
      url: read.address('AVOUCH_CIR_URL'),
      username: read.line('AVOUCH_CIR_USERNAME'),
      password: read.secret('AVOUCH_CIR_PASSWORD', ONE_LINE) ?? NO_SECRET,
      soap: text('AVOUCH_CIR_SOAP') === '1.1' ? '1.1' : '1.2',
    },
    rdw: { baseUrl: read.address('AVOUCH_RDW_BASE_URL'), appToken: read.secret('AVOUCH_RDW_APP_TOKEN', HEADER_TEXT) },
    companies_house: {
      baseUrl: read.address('AVOUCH_CH_BASE_URL'),
      apiKey: read.secret('AVOUCH_CH_API_KEY', HEADER_TEXT) ?? NO_SECRET,
    },
    dvsa_mot: {
      baseUrl: read.address('AVOUCH_MOT_BASE_URL'),
      tokenUrl: text('AVOUCH_MOT_TOKEN_URL') === '' ? '' : read.address('AVOUCH_MOT_TOKEN_URL'),
      clientId: read.line('AVOUCH_MOT_CLIENT_ID'),
      clientSecret: read.secret('AVOUCH_MOT_CLIENT_SECRET', ONE_LINE) ?? NO_SECRET,
      apiKey: read.secret('AVOUCH_MOT_API_KEY', HEADER_TEXT) ?? NO_SECRET,
      scope: read.line('AVOUCH_MOT_SCOPE'),
    },
    eu_fsf: { url: read.address('AVOUCH_FSF_URL', true), refreshSeconds: read.seconds('AVOUCH_FSF_REFRESH_S') },
  };
  if (!['1.1', '1.2'].includes(text('AVOUCH_CIR_SOAP'))) faults.push('AVOUCH_CIR_SOAP must be one of 1.2, 1.1');
  const parts = REGISTERS.map((name) => [name, on.includes(name) ? all[name] : null]);
  return Object.fromEntries(parts) as RegisterConfig;
}

function namesOn({ env, faults, text, isProduction }: SettingsReading): RegisterName[] {
  if (isProduction && (env['AVOUCH_REGISTERS'] ?? '') === '') return []; // that it is missing is said elsewhere
  const given = text('AVOUCH_REGISTERS');
  if (given === 'off') return [];
  const names = given.split(',').map((name) => name.trim());
  if (names.every((name) => (REGISTERS as readonly string[]).includes(name))) return names as RegisterName[];
  faults.push(`AVOUCH_REGISTERS must be off or names of ${REGISTERS.join(', ')} separated by commas`);
  return [];
}

function checkCredentials(register: RegisterName, { env, faults }: SettingsReading): void {
  const isMissing = (name: string) => (env[name] ?? '') === '' && env[`${name}_FILE`] === undefined;
  const missing = SETTINGS.filter((setting) => setting.register === register && isMissing(setting.name)).map(
    ({ name }) => name,
  );
  if (missing.length > 0) faults.push(`${missing.join(', ')}: required while AVOUCH_REGISTERS has ${register}`);
}

/** Reads the settings of systems outside. */
export function externalReader({ env, faults, text, secret, isProduction }: SettingsReading) {
  const refuse = <T>(fault: string, instead: T): T => {
    faults.push(fault);
    return instead;
  };
  return {
    /** An address with its path; of another host's query nothing is kept but where it is asked for. */
    address(name: string, withQuery = false): string {
      const url = URL.parse(text(name));
      const protocols = isProduction ? ['https:'] : ['https:', 'http:'];
      const hasUser = url !== null && (url.username !== '' || url.password !== '');
      const isPlain = url !== null && !hasUser && url.hash === '' && (withQuery || url.search === '');
      if (isPlain && protocols.includes(url.protocol)) return url.href.replace(/\/$/, '');
      return refuse(`${name} must be an ${isProduction ? 'https' : 'https or http'} address without user`, '');
    },
    line(name: string): string {
      const value = text(name);
      return value === '' || ONE_LINE.test(value) ? value : refuse(`${name} must be one line`, '');
    },
    seconds(name: string): number {
      const value = text(name);
      const isValid = /^\d{1,6}$/.test(value) && Number(value) >= 60;
      return isValid ? Number(value) : refuse(`${name} must be a whole number from 60 to 999999`, 60);
    },
    secret(name: string, form: RegExp): Secret | null {
      const value = secret(name);
      if (value === undefined) return null;
      return form.test(value) ? new Secret(value) : refuse(`${name} must be one line of printable characters`, null);
    },
    requester(name: string): { countryCode: string; number: string } | null {
      const value = text(name);
      if (value === '') return null;
      const form = `${name} must be a VAT number with its country prefix, without spaces`;
      if (!VAT_NUMBER.test(value)) return refuse(form, null);
      const read = readVatNumber(value);
      if ('impossible' in read) return refuse(`${form}: ${read.impossible}`, null);
      return { countryCode: read.countryCode, number: read.number };
    },
    certificates(name: string): string | null {
      const file = env[name];
      if (file === undefined || file === '') return null;
      try {
        const pem = readFileSync(file, 'utf8');
        return pem.includes('-----BEGIN CERTIFICATE-----')
          ? pem
          : refuse(`the file that ${name} names holds no certificate in PEM`, null);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        return refuse(`the file that ${name} names cannot be read (${code}): check its path and rights`, null);
      }
    },
  };
}
