import { z } from 'zod';
import { cleanedText } from '#kernel/text-field.ts';
import { defineTool } from '#kernel/tool.ts';
import { Grounded } from './grounding.ts';
import type { search } from './retrieval-operations.ts';

export const ground = defineTool({
  name: 'ground_astranl',
  title: 'Ground a statement about this service',
  description:
    'Returns facts about endpoints, prices, limits and versions from the tables that the service runs on, with digest and seal of the documentation.',
  input: z.strictObject({ query: cleanedText({ min: 1, max: 500, description: 'What to look up.' }) }),
  output: Grounded,
});

/** Connectors of others take these three members of a result and no more. */
const ConnectorResults = z.strictObject({
  results: z.array(z.strictObject({ id: z.string(), title: z.string(), url: z.string() })).max(10),
});

export const CONNECTOR_RESULTS = {
  output: ConnectorResults,
  from: ({ results }: z.output<typeof search.output>): z.output<typeof ConnectorResults> => ({
    results: results.map(({ id, title, url }) => ({ id, title, url })),
  }),
};
