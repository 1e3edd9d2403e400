import { DATASETS, type DatasetName, type DataSource } from './source.ts';
import { leadtimes } from './sources/derived.ts';
import { economy } from './sources/economy.ts';
import { events } from './sources/events.ts';
import { laws } from './sources/laws.ts';
import { permits } from './sources/permits.ts';
import { emissionZones, municipalities, natura } from './sources/places.ts';
import { ted, tenderned } from './sources/tenders.ts';

/** Every source, in the order in which they are read: what is derived comes behind what it is derived from. */
export const SOURCES: readonly DataSource[] = [
  permits,
  leadtimes,
  tenderned,
  ted,
  laws,
  ...economy,
  municipalities,
  emissionZones,
  natura,
  ...events,
];

export function sourcesOf(dataset: DatasetName): readonly DataSource[] {
  return SOURCES.filter((source) => source.dataset === dataset);
}

/** The sources that a name stands for: one of them, or those of a data set. */
export function sourcesNamed(name: string): readonly DataSource[] {
  const dataset = DATASETS.find((one) => one === name);
  return dataset === undefined ? SOURCES.filter(({ id }) => id === name) : sourcesOf(dataset);
}
