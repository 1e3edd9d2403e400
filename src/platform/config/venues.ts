import { externalReader, HEADER_TEXT, type SettingsReading } from './registers.ts';
import type { Secret } from './secret.ts';

/** Where issues and marketplaces are asked for; null is off. In the sandbox simulators are asked instead. */
export interface VenueConfig {
  readonly github: { readonly baseUrl: string; readonly token: Secret | null } | null;
  readonly gitlab: { readonly baseUrl: string; readonly token: Secret | null } | null;
  readonly opire: { readonly baseUrl: string } | null;
}

export function readVenues(reading: SettingsReading): VenueConfig {
  const { faults, text } = reading;
  const read = externalReader(reading);
  const host = (name: string) => {
    const address = `AVOUCH_${name}_BASE_URL`;
    const token = read.secret(`AVOUCH_${name}_TOKEN`, HEADER_TEXT);
    return text(address) === 'off' ? null : { baseUrl: read.address(address), token };
  };
  const opire = text('AVOUCH_OPIRE');
  if (!['yes', 'no'].includes(opire)) faults.push('AVOUCH_OPIRE must be one of yes, no');
  const baseUrl = read.address('AVOUCH_OPIRE_BASE_URL');
  return { github: host('GITHUB'), gitlab: host('GITLAB'), opire: opire === 'yes' ? { baseUrl } : null };
}
