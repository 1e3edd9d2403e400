import { z } from 'zod';
import { defineOperation } from '#kernel/operation.ts';
import { EXAMPLE_ABOUT } from './example-about.ts';
import { llms, llmsFull } from './llms.ts';
import { aiCatalog, aiPlugin, CARD_MEDIA, LOGO, ROBOTS, serverCard } from './machine-documents.ts';
import { DISCOVERY_ROW } from './manifest-operations.ts';
import { unknownFile } from './problems.ts';

const NoInput = z.strictObject({});
const PLAIN = 'text/plain; charset=utf-8';
const MARKDOWN = ['text/markdown; charset=utf-8'];

export const llmsText = defineOperation({
  ...DISCOVERY_ROW,
  operationId: 'llms',
  path: '/llms.txt',
  summary: 'The index for language models',
  description: 'Every document with one sentence. Plain text; the same as text/markdown by Accept.',
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
  summary: 'All documents as one text',
  description: 'Manifests and documentation in a fixed order, with the digest of each part.',
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
  summary: 'The service as a plugin document',
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
  description: 'Where MCP clients connect, by which transports and in which protocol versions.',
  input: NoInput,
  output: ServerCard,
  jsonMediaType: CARD_MEDIA,
  examples: [{ name: 'card', input: {}, output: serverCard(EXAMPLE_ABOUT) }],
};

export const mcpServerCard = defineOperation({
  ...cardRow,
  operationId: 'mcp_server_card',
  path: '/mcp/streamable/server-card',
  summary: 'The MCP server card',
});

export const wellKnownServerCard = defineOperation({
  ...cardRow,
  operationId: 'mcp_server_card_well_known',
  path: '/.well-known/mcp/server-card.json',
  summary: 'The MCP server card at its well-known place',
});

export const catalog = defineOperation({
  ...DISCOVERY_ROW,
  operationId: 'ai_catalog',
  path: '/.well-known/ai-catalog.json',
  summary: 'The AI catalogue of this host',
  description: 'Names the server card.',
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

export const robots = defineOperation({
  ...DISCOVERY_ROW,
  operationId: 'robots',
  path: '/robots.txt',
  summary: 'What crawlers may read',
  description: 'Documents, but nothing that changes state.',
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
  summary: 'The mark of the service',
  description: 'For catalogues that show one.',
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
  summary: 'The verifier and its test vectors',
  description: 'One file that verifies seals without this service, and the vectors to check it with.',
  input: z.strictObject({ file: z.string().max(80).meta({ description: 'Name of the file, as onboarding gives it' }) }),
  output: z.string(),
  mediaType: PLAIN,
  problems: [unknownFile],
  examples: [{ name: 'verifier', input: { file: 'avouch-verify.mjs' }, output: '// one file' }],
});
