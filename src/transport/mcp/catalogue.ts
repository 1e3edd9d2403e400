import { z } from 'zod';
import { type Area, on, type OpenArea } from '#kernel/area.ts';
import { defineOperation } from '#kernel/operation.ts';
import { listedTool, type Tool } from '#kernel/tool.ts';

const Catalogue = z
  .strictObject({ tools: z.array(z.looseObject({ name: z.string(), description: z.string() })) })
  .meta({ id: 'ToolCatalogue' });

const mcpTools = defineOperation({
  operationId: 'mcp_tools',
  tag: 'mcp',
  method: 'get',
  path: '/mcp/tools.json',
  betterPage: () => ({ href: '/docs/mcp', label: 'Connect an MCP host to these tools' }),
  summary: 'List the public MCP tools',
  description: 'The same list that tools/list returns at /mcp/streamable, for readers that do not call a tool.',
  input: z.strictObject({}),
  output: Catalogue,
  effects: false,
  access: 'none',
  price: null,
  rate: 'none',
  isDocument: true,
  cache: { maxAgeSeconds: 300 },
  problems: [],
  examples: [{ name: 'catalogue', input: {}, output: { tools: [{ name: 'search', description: 'Searches.' }] } }],
});

export interface McpNeeds {
  /** Those that anybody may call. */
  readonly tools: readonly Tool[];
}

export interface OpenMcpCatalogue extends OpenArea {
  catalogue(): z.output<typeof Catalogue>;
}

/** The list of tools for readers that call none. */
export const mcpArea = {
  name: 'mcp',
  open(_platform: unknown, { tools }: McpNeeds): OpenMcpCatalogue {
    let catalogue: z.output<typeof Catalogue> | undefined;
    // Always the same object, so that it is rendered and hashed once.
    return { catalogue: () => (catalogue ??= { tools: tools.map((tool) => ({ ...listedTool(tool) })) }) };
  },
  operations: [on(mcpTools, (area: OpenMcpCatalogue) => area.catalogue(), { after: 'x402_discovery' })],
} satisfies Area<unknown, OpenMcpCatalogue, McpNeeds>;
