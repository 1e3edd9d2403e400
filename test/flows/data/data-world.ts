// Data sets below the service: a store, the simulators of all sources and what reads them.
import { DataSets } from '#areas/data/sources/datasets.ts';
import type { DataSource } from '#areas/data/sources/source.ts';
import { SOURCES } from '#areas/data/sources/source-table.ts';
import type { DataInput } from '#areas/data/operations.ts';
import type { DatasetName } from '#areas/data/sources/source.ts';
import { readConfig } from '#platform/config/config.ts';
import { ManualClock } from '#kernel/clock.ts';
import { RegisterSimulators } from '#sandbox/registers/server.ts';
import type { Store } from '#platform/storage/store.ts';
import { openIngestion } from '#areas/data/outside/open-ingestion.ts';
import { openStore, type OpenedStore } from '../../support/engines.ts';
import { type EngineName, PATIENCE } from '../../support/databases.ts';

export interface DataWorld extends AsyncDisposable {
  readonly clock: ManualClock;
  readonly opened: OpenedStore;
  readonly simulators: RegisterSimulators;
  readonly ingestion: ReturnType<typeof openIngestion>;
  /** Another process that reads the sources, on this store. */
  ingestionOn(store: Store): DataWorld['ingestion'];
  readonly dataSets: DataSets;
  source(id: string): DataSource;
  load(id: string): ReturnType<DataWorld['ingestion']['run']>;
  query(dataset: DatasetName, input?: Partial<DataInput>): ReturnType<DataSets['query']>;
}

export async function openDataWorld(engine: EngineName): Promise<DataWorld> {
  const clock = new ManualClock(Date.UTC(2026, 10, 15, 10));
  const stack = new AsyncDisposableStack();
  const opened = stack.use(await openStore(engine, { injectedClock: clock }));
  const simulators = stack.use(await RegisterSimulators.start(() => clock.now()));
  const { store } = opened;
  const ingestionOn = (on: Store) =>
    stack.use(
      openIngestion({ config: readConfig({}), store: on, clock, simulatorUrl: simulators.url, patience: PATIENCE }),
    );
  const ingestion = ingestionOn(store);
  const dataSets = new DataSets({ store, clock, sandbox: true });
  const source = (id: string) => SOURCES.find((one) => one.id === id) as DataSource;
  return {
    clock,
    opened,
    simulators,
    ingestion,
    ingestionOn,
    dataSets,
    source,
    load: (id) => ingestion.run(source(id), { signal: new AbortController().signal }),
    query: (dataset, input = {}) => dataSets.query(dataset, { limit: 100, offset: 0, ...input }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
