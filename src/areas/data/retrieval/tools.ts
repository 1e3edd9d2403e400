import { z } from 'zod';
import { cleanedText } from '#kernel/text-field.ts';
import { defineTool } from '#kernel/tool.ts';
import { Grounded } from './grounding.ts';

export const ground = defineTool({
  name: 'ground_astranl',
  title: 'Ground a statement about this service',
  description:
    'Facts about endpoints, prices, limits and versions from the tables that the service runs on, with digest and seal of the documentation.',
  input: z.strictObject({ query: cleanedText({ min: 1, max: 500, description: 'What to look up' }) }),
  output: Grounded,
});
