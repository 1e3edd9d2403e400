import { type BoundOperation, bind } from '#kernel/bound-operation.ts';
import type { Answers } from './answers.ts';
import type { Components } from './components.ts';
import type { DataSets } from './datasets.ts';
import { type DataInput, QUERIES, QUERY_ROWS, sources, summary } from './operations.ts';
import { ask, component, document, search } from './retrieval-operations.ts';

/** The rows of this area, in the order in which documents show them. */
export const DATA_OPERATIONS = [summary, ...Object.values(QUERIES), sources, component, search, document, ask];

export interface BoundData {
  readonly dataSets: DataSets;
  readonly answers: Answers;
  readonly components: Components;
}

export function bindData({ dataSets, answers, components }: BoundData): BoundOperation[] {
  return [
    bind(summary, () => dataSets.summary()),
    ...QUERY_ROWS.map(([dataset, operation]) =>
      bind(operation, (input) => dataSets.query(dataset, input as DataInput)),
    ),
    bind(sources, () => dataSets.sources()),
    bind(component, ({ mpn }) => components.ground(mpn)),
    bind(search, ({ query }) => answers.search(query)),
    bind(document, ({ id }) => answers.fetch(id)),
    bind(ask, ({ question }) => answers.ask(question)),
  ];
}
