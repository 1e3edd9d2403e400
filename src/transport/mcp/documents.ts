import { z } from 'zod';
import { defineOperation } from '#kernel/operation.ts';

const shared = {
  tag: 'mcp',
  method: 'get',
  effects: false,
  auth: 'none',
  price: null,
  rate: 'none',
  cache: { maxAgeSeconds: 300 },
  input: z.strictObject({}),
  problems: [],
} as const;

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
  ...shared,
  operationId: 'mcp_tools',
  path: '/mcp/tools.json',
  summary: 'The public MCP tools',
  description: 'The same list that tools/list answers at /mcp/streamable, for readers that call no tool.',
  output: Catalogue,
  examples: [{ name: 'catalogue', input: {}, output: { tools: [{ name: 'search', description: 'Searches.' }] } }],
});

const ServerCard = z
  .looseObject({
    name: z.string(),
    version: z.string(),
    title: z.string(),
    description: z.string(),
    websiteUrl: z.string(),
    remotes: z.array(z.looseObject({ type: z.string(), url: z.string() })),
  })
  .meta({ id: 'McpServerCard' });

interface CardFacts {
  readonly name: string;
  readonly version: string;
  readonly baseUrl: string;
}

const EXAMPLE: CardFacts = { name: 'Avouch', version: '1.0.0', baseUrl: 'https://avouch.example' };

/** SEP-2127, an experimental extension. */
const CARD_MEDIA = 'application/mcp-server-card+json';
const card = {
  ...shared,
  mediaType: CARD_MEDIA,
  summary: 'The MCP server card',
  description: 'Where this MCP server is reached and which protocol revisions it speaks.',
  output: ServerCard,
  examples: [{ name: 'card', input: {}, output: serverCardOf(EXAMPLE) }],
};

export const serverCard = defineOperation({
  ...card,
  operationId: 'mcp_server_card',
  path: '/mcp/streamable/server-card',
});
export const wellKnownServerCard = defineOperation({
  ...card,
  operationId: 'mcp_server_card_well_known',
  path: '/.well-known/mcp/server-card.json',
});

export const MCP_OPERATIONS = [mcpTools, serverCard, wellKnownServerCard] as const;

export function serverCardOf({ name, version, baseUrl }: CardFacts): z.output<typeof ServerCard> {
  const reversed = new URL(baseUrl).hostname.split('.').toReversed().join('.');
  const streamable = (path: string) => ({
    ...{ type: 'streamable-http', url: `${baseUrl}${path}` },
    supportedProtocolVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
  });
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${reversed}/avouch`,
    version,
    title: name,
    description: 'Verdicts, coordination and proof for AI agents. /mcp/paid holds the verdicts that cost money.',
    websiteUrl: baseUrl,
    remotes: [streamable('/mcp/streamable'), streamable('/mcp/paid'), { type: 'sse', url: `${baseUrl}/mcp/sse` }],
  };
}
