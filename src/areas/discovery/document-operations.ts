import { z } from 'zod';
import { defineOperation } from '#kernel/operation.ts';
import { EXAMPLE_ABOUT } from './example-about.ts';
import { llms, llmsFull } from './llms.ts';
import { aiCatalog, aiPlugin, CARD_MEDIA, LOGO, registryProof, ROBOTS, serverCard } from './machine-documents.ts';
import { DISCOVERY_ROW } from './manifest-operations.ts';
import { unknownFile } from './problems.ts';

const NoInput = z.strictObject({});
const PLAIN = 'text/plain; charset=utf-8';
const MARKDOWN = ['text/markdown; charset=utf-8'];

export const llmsText = defineOperation({
  ...DISCOVERY_ROW,
  operationId: 'llms',
  path: '/llms.txt',
  summary: 'Get llms.txt',
  description:
    'Lists every document with one sentence. The response is plain text, or text/markdown if you ask for it with Accept.',
  input: NoInput,
  output: z.string(),
  mediaType: PLAIN,
  extraMediaTypes: MARKDOWN,
  examples: [{ name: 'index', input: {}, output: llms(EXAMPLE_ABOUT) }],
});

export const llmsFullText = defineOperation({
  ...DISCOVERY_ROW,
  operationId: 'llms_full',
  path: '/llms-full.txt',
  summary: 'All docs in one file',
  description: 'Returns manifests and documentation in a fixed order, with the digest of each part.',
  input: NoInput,
  output: z.string(),
  mediaType: PLAIN,
  extraMediaTypes: MARKDOWN,
  examples: [{ name: 'text', input: {}, output: llmsFull(EXAMPLE_ABOUT, []) }],
});

export const plugin = defineOperation({
  ...DISCOVERY_ROW,
  operationId: 'ai_plugin',
  path: '/.well-known/ai-plugin.json',
  summary: 'Get the plugin document',
  description: 'A legacy format that points to the OpenAPI document.',
  input: NoInput,
  output: z
    .strictObject({
      schema_version: z.literal('v1'),
      name_for_human: z.string(),
      name_for_model: z.string(),
      description_for_human: z.string().max(120),
      description_for_model: z.string().max(8_000),
      auth: z.strictObject({ type: z.literal('none') }),
      api: z.strictObject({ type: z.literal('openapi'), url: z.url() }),
      logo_url: z.url(),
      contact_email: z.string(),
      legal_info_url: z.url(),
    })
    .meta({ id: 'AiPlugin' }),
  examples: [{ name: 'plugin', input: {}, output: aiPlugin(EXAMPLE_ABOUT) }],
});

const ServerCard = z
  .looseObject({
    name: z.string(),
    version: z.string(),
    title: z.string(),
    description: z.string(),
    websiteUrl: z.url(),
    remotes: z.array(z.looseObject({ type: z.string(), url: z.url() })),
  })
  .meta({ id: 'ServerCard' });

const cardRow = {
  ...DISCOVERY_ROW,
  description: 'Tells MCP clients where to connect, with which transports and protocol versions.',
  input: NoInput,
  output: ServerCard,
  jsonMediaType: CARD_MEDIA,
  examples: [{ name: 'card', input: {}, output: serverCard(EXAMPLE_ABOUT) }],
};

export const mcpServerCard = defineOperation({
  ...cardRow,
  operationId: 'mcp_server_card',
  path: '/mcp/streamable/server-card',
  summary: 'Get the MCP server card',
});

export const wellKnownServerCard = defineOperation({
  ...cardRow,
  operationId: 'mcp_server_card_well_known',
  path: '/.well-known/mcp/server-card.json',
  summary: 'Get the MCP server card at its well-known address',
});

export const catalog = defineOperation({
  ...DISCOVERY_ROW,
  operationId: 'ai_catalog',
  path: '/.well-known/ai-catalog.json',
  summary: 'Get the AI catalogue',
  description: 'Lists the MCP server card of this host.',
  input: NoInput,
  output: z
    .strictObject({
      specVersion: z.string(),
      entries: z.array(z.strictObject({ identifier: z.string(), type: z.string(), url: z.url() })),
    })
    .meta({ id: 'AiCatalog' }),
  jsonMediaType: 'application/ai-catalog+json',
  examples: [{ name: 'catalogue', input: {}, output: aiCatalog(EXAMPLE_ABOUT) }],
});

export const mcpRegistryAuth = defineOperation({
  ...DISCOVERY_ROW,
  operationId: 'mcp_registry_auth',
  path: '/.well-known/mcp-registry-auth',
  summary: 'Get the key for the MCP registry',
  description: 'The public key with which the operator publishes this service in the MCP registry, if there is one.',
  input: NoInput,
  output: z.string(),
  mediaType: PLAIN,
  problems: [unknownFile],
  examples: [{ name: 'key', input: {}, output: registryProof('GlzZBxQ8OExB6DDFvOEqqIF+xWSaqr8sMTiLNbLXRNY=') }],
});

export const robots = defineOperation({
  ...DISCOVERY_ROW,
  operationId: 'robots',
  path: '/robots.txt',
  summary: 'Get robots.txt',
  description: 'Allows crawlers to read documents, but not addresses that change state.',
  input: NoInput,
  output: z.string(),
  mediaType: PLAIN,
  cache: { maxAgeSeconds: 86_400 },
  examples: [{ name: 'robots', input: {}, output: ROBOTS }],
});

export const logo = defineOperation({
  ...DISCOVERY_ROW,
  operationId: 'logo',
  path: '/logo.svg',
  summary: 'Logo',
  description: 'The logo as SVG, for catalogues.',
  input: NoInput,
  output: z.string(),
  mediaType: 'image/svg+xml',
  cache: { maxAgeSeconds: 86_400 },
  examples: [{ name: 'logo', input: {}, output: LOGO }],
});

export const verifyFile = defineOperation({
  ...DISCOVERY_ROW,
  operationId: 'verify_file',
  path: '/verify/{file}',
  summary: 'Download the verifier',
  description: 'Returns a single file that verifies seals without this service, or its test vectors.',
  input: z.strictObject({ file: z.string().max(80).meta({ description: 'File name, as onboarding lists it.' }) }),
  output: z.string(),
  mediaType: PLAIN,
  problems: [unknownFile],
  examples: [{ name: 'verifier', input: { file: 'avouch-verify.mjs' }, output: '// one file' }],
});
