import { readFileSync } from 'node:fs';
import { externalReader, HEADER_TEXT, type SettingsReading } from './registers.ts';
import type { Secret } from './secret.ts';

interface Login {
  readonly clientId: string;
  readonly clientSecret: Secret;
}

/** Suppliers of parts; null is not configured. In the sandbox simulators are asked instead. */
export interface SupplierConfig {
  readonly nexar: (Login & { readonly baseUrl: string; readonly identityBaseUrl: string }) | null;
  readonly mouser: { readonly baseUrl: string; readonly apiKey: Secret } | null;
  readonly digikey: (Login & { readonly baseUrl: string }) | null;
  /** The text of the catalogue file; null where none is set. */
  readonly catalogue: string | null;
  /** Addresses for order requests by supplier. */
  readonly orderMail: ReadonlyMap<string, string>;
}

export function readSuppliers(reading: SettingsReading): SupplierConfig {
  const { faults, text } = reading;
  const read = externalReader(reading);
  const login = (name: string): Login | null => {
    const clientId = read.line(`AVOUCH_${name}_CLIENT_ID`);
    const clientSecret = read.secret(`AVOUCH_${name}_CLIENT_SECRET`, HEADER_TEXT);
    if ((clientId === '') === (clientSecret === null)) return clientSecret === null ? null : { clientId, clientSecret };
    faults.push(`AVOUCH_${name}_CLIENT_ID and AVOUCH_${name}_CLIENT_SECRET belong together: set both or none`);
    return null;
  };
  const nexar = login('NEXAR');
  const nexarUrls = {
    baseUrl: read.address('AVOUCH_NEXAR_BASE_URL'),
    identityBaseUrl: read.address('AVOUCH_NEXAR_IDENTITY_BASE_URL'),
  };
  const apiKey = read.secret('AVOUCH_MOUSER_API_KEY', HEADER_TEXT);
  const mouserUrl = read.address('AVOUCH_MOUSER_BASE_URL');
  const digikey = login('DIGIKEY');
  const digikeyUrl = read.address('AVOUCH_DIGIKEY_BASE_URL');
  return {
    nexar: nexar && { ...nexar, ...nexarUrls },
    mouser: apiKey && { baseUrl: mouserUrl, apiKey },
    digikey: digikey && { ...digikey, baseUrl: digikeyUrl },
    catalogue: catalogueText(text('AVOUCH_CATALOGUE_FILE'), faults),
    orderMail: mailMap(text('AVOUCH_ORDER_MAIL_TO'), faults),
  };
}

function catalogueText(file: string, faults: string[]): string | null {
  if (file === '') return null;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    faults.push(`the file that AVOUCH_CATALOGUE_FILE names cannot be read (${code}): check its path and rights`);
    return null;
  }
}

const PAIR = /^([^=,]{1,128})=([^\s@,=<>]{1,64}@[^\s@,=<>]{1,190})$/;

function mailMap(given: string, faults: string[]): Map<string, string> {
  const pairs = given === '' ? [] : given.split(',').map((pair) => PAIR.exec(pair.trim()));
  if (pairs.includes(null)) {
    faults.push('AVOUCH_ORDER_MAIL_TO must be pairs of supplier=address separated by commas');
  }
  return new Map(pairs.flatMap((pair) => (pair === null ? [] : [[pair[1] as string, pair[2] as string] as const])));
}
