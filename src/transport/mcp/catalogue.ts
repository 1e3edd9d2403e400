import { z } from 'zod';
import { defineOperation } from '#kernel/operation.ts';

const Catalogue = z
  .strictObject({ tools: z.array(z.looseObject({ name: z.string(), description: z.string() })) })
  .meta({ id: 'ToolCatalogue' });

let catalogue: z.output<typeof Catalogue> | undefined;

/** Always the same object, so that it is rendered and hashed once. */
export async function toolCatalogue(): Promise<z.output<typeof Catalogue>> {
  const { LISTED_TOOLS } = await import('./tools.ts');
  catalogue ??= { tools: LISTED_TOOLS.map((tool) => ({ ...tool })) };
  return catalogue;
}

export const mcpTools = defineOperation({
  operationId: 'mcp_tools',
  tag: 'mcp',
  method: 'get',
  path: '/mcp/tools.json',
  summary: 'The public MCP tools',
  description: 'The same list that tools/list answers at /mcp/streamable, for readers that call no tool.',
  input: z.strictObject({}),
  output: Catalogue,
  effects: false,
  auth: 'none',
  price: null,
  rate: 'none',
  isDocument: true,
  cache: { maxAgeSeconds: 300 },
  problems: [],
  examples: [{ name: 'catalogue', input: {}, output: { tools: [{ name: 'search', description: 'Searches.' }] } }],
});
