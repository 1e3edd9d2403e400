import type { AskRow } from '#kernel/bound-operation.ts';
import { refuseFields } from '#kernel/general-problems.ts';
import type { Operation } from '#kernel/operation.ts';
import { decode } from '#kernel/query-decoder.ts';
import { callRoute, type Inputs, type TaskRoute, type TaskRoutes } from '#kernel/task-route.ts';
import { QUERIES } from './operations.ts';
import { component } from './retrieval/retrieval-operations.ts';

const free = { revenue: 'revenue:capability', priceMicro: () => 0 } as const;

/** What open data do for tasks: their rows answer. */
export function taskRoutes(ask: AskRow): TaskRoutes {
  const answer = async (row: Pick<Operation, 'input' | 'operationId'>, inputs: Inputs, key: string) => {
    const read = decode(row.input, inputs);
    return read.ok ? ask(row, read.input, { requestId: key, addressTag: '' }) : refuseFields(read.errors);
  };
  const query = (row: typeof QUERIES.permits | typeof QUERIES.tenders): TaskRoute =>
    callRoute({ ...free, from: {}, call: (inputs, { key }) => answer(row, inputs, key) });
  return {
    ground_component: callRoute({
      ...free,
      from: { mpn: 'mpn' },
      call: ({ mpn }, { key }) => answer(component, { mpn }, key),
    }),
    construction_permits: query(QUERIES.permits),
    construction_tenders: query(QUERIES.tenders),
  };
}
