import { type DatasetName, DATASETS, type DataSource } from './source.ts';
import { leadtimes } from './derived.ts';
import { economySources } from './economy.ts';
import { events } from './events.ts';
import { laws } from './laws.ts';
import { permits } from './permits.ts';
import { emissionZones, municipalities, natura } from './places.ts';
import { ted, tenderned } from './tenders.ts';

/** Every source, in the order in which they are read: what is derived comes behind what it is derived from. */
export const SOURCES: readonly DataSource[] = [
  permits,
  leadtimes,
  tenderned,
  ted,
  laws,
  ...economySources,
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
