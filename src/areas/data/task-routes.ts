import { refuseFields } from '#kernel/general-problems.ts';
import { decode } from '#kernel/query-decoder.ts';
import { callRoute, type TaskRoute, type TaskRoutes } from '#kernel/task-route.ts';
import type { Components } from './components.ts';
import type { DataSets } from './sources/datasets.ts';
import { type DataInput, QUERIES } from './operations.ts';

/** What open data do for tasks. */
export function taskRoutes(dataSets: Pick<DataSets, 'query'>, components: Pick<Components, 'ground'>): TaskRoutes {
  const query = (dataset: 'permits' | 'tenders'): TaskRoute =>
    callRoute({
      revenue: 'revenue:capability',
      priceMicro: () => 0,
      from: {},
      async call(inputs) {
        const read = decode(QUERIES[dataset].input, inputs);
        return read.ok ? dataSets.query(dataset, read.input as DataInput) : refuseFields(read.errors);
      },
    });
  return {
    ground_component: callRoute({
      revenue: 'revenue:capability',
      priceMicro: () => 0,
      from: { mpn: 'mpn' },
      call: async ({ mpn }) => components.ground(String(mpn)),
    }),
    construction_permits: query('permits'),
    construction_tenders: query('tenders'),
  };
}
