import { join } from 'node:path';
import type { Config } from '#platform/config/config.ts';
import type { LogFields } from '#platform/log-line.ts';
import { VERSION } from '#platform/version.ts';

/** What an operator checks first after a start: which data, which log, and what is off. */
export function startSummary(config: Config, logOrigin: string): LogFields {
  const off = switchedOff(config);
  return {
    version: VERSION,
    profile: config.profile,
    database: config.databaseUrl === null ? 'sqlite' : 'postgres',
    database_at:
      config.databaseUrl === null ? join(config.dataDir, 'avouch.db') : serverOf(config.databaseUrl.reveal()),
    log_origin: logOrigin,
    email: config.mail.by,
    witnesses: config.witnessPolicyFile === null ? 'none' : 'configured',
    off: off.length === 0 ? undefined : off.join(', '),
  };
}

/** Servers and database of a connection address, without its user, password and options. */
function serverOf(url: string): string {
  const [, servers = '', database = ''] = /^\w+:\/\/(?:.*@)?([^/?]*)(\/[^?]*)?/.exec(url) ?? [];
  return `${servers === '' ? 'local socket' : servers}${database}`;
}

function switchedOff({ profile, topUp, registers, venues, capabilities, openData, suspends }: Config): string[] {
  const isOff = (isIt: boolean, what: string) => (isIt ? [what] : []);
  const everywhere = [
    ...isOff(topUp.by === 'off', 'card payments'),
    ...Object.entries(registers).flatMap(([name, settings]) => isOff(settings === null, `register ${name}`)),
    ...isOff(openData.ingest.length === 0, 'open data'),
    ...isOff(!suspends, 'suspension'),
  ];
  // The sandbox simulates the others.
  if (profile === 'sandbox') return everywhere;
  return [
    ...everywhere,
    ...isOff(venues.github === null, 'GitHub'),
    ...isOff(venues.gitlab === null, 'GitLab'),
    ...isOff(capabilities.providers === null, 'model providers'),
  ];
}
