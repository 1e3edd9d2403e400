import { externalReader, type SettingsReading } from './registers.ts';

const DATASETS = ['permits', 'leadtimes', 'tenders', 'laws', 'economy', 'zones', 'natura', 'events'] as const;
const HOSTS = ['koop', 'tenderned', 'ted', 'bwb', 'cbs', 'pdok', 'ndw'] as const;

/** Which data sets are read, and where. In the sandbox simulators are asked instead. */
export interface OpenDataConfig {
  readonly ingest: readonly (typeof DATASETS)[number][];
  readonly baseUrls: Readonly<Record<(typeof HOSTS)[number], string>>;
}

export function readOpenData(reading: SettingsReading): OpenDataConfig {
  const { faults, text } = reading;
  const read = externalReader(reading);
  const setting = text('AVOUCH_DATA_INGEST');
  const listed = setting.split(',').map((name) => name.trim());
  const named = DATASETS.filter((name) => listed.includes(name));
  if (!['on', 'off'].includes(setting) && named.length !== listed.length) {
    faults.push(`AVOUCH_DATA_INGEST must be on, off or names of data sets by commas: ${DATASETS.join(', ')}`);
  }
  const baseUrls = Object.fromEntries(
    HOSTS.map((host) => [host, read.address(`AVOUCH_DATA_${host.toUpperCase()}_BASE_URL`)]),
  ) as OpenDataConfig['baseUrls'];
  return { ingest: setting === 'on' ? DATASETS : named, baseUrls };
}
