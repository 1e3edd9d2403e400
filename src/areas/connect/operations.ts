import { z } from 'zod';
import { OPEN_ROW } from '#kernel/document-row.ts';
import { defineOperation } from '#kernel/operation.ts';
import { connectPages } from './connect-page.ts';
import { COORDINATION_PATH, HOST_IDS } from './hosts.ts';

const HostFileAnswer = z.strictObject({
  id: z.enum(HOST_IDS),
  name: z.string(),
  file: z.string().meta({ description: 'The file that the host reads.' }),
  where: z.string(),
  config: z.looseObject({}).meta({ description: 'What to put into the file.' }),
});

const ConnectAnswer = z
  .strictObject({
    endpoint: z.string(),
    tools: z.array(z.strictObject({ name: z.string(), title: z.string() })),
    hosts: z.array(HostFileAnswer),
  })
  .meta({ id: 'Connect' });

const EXAMPLE_HOST = {
  id: 'cursor' as const,
  name: 'Cursor',
  file: '.cursor/mcp.json',
  where: 'In the folder of your project.',
  config: {
    mcpServers: {
      avouch: {
        url: `https://avouch.example${COORDINATION_PATH}`,
        headers: { 'X-Crossing-Token': 'kN3v0cX1yqD0mXr3m2u5aQ' },
      },
    },
  },
};

export const connect = defineOperation({
  ...OPEN_ROW,
  operationId: 'connect',
  tag: 'mcp',
  path: '/connect',
  summary: 'Connect an MCP host',
  description:
    'Returns the configuration of five MCP hosts, with the address of this service and a new token each. With host you get only that file. The token proves which claims are yours: keep it secret.',
  input: z.strictObject({
    host: z.enum(HOST_IDS).optional().meta({ description: 'Only the file of this host, as it is.' }),
    agent: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,79}$/, 'Use 2 to 80 letters, digits, dots, hyphens or underscores.')
      .optional()
      .meta({ description: 'The name under which the host claims work. Default: a name made from its token.' }),
  }),
  output: z.union([ConnectAnswer, z.looseObject({}).meta({ id: 'HostFile', description: 'The file of one host.' })]),
  cache: 'no-store',
  pages: connectPages,
  examples: [
    {
      name: 'hosts',
      input: {},
      output: {
        endpoint: `https://avouch.example${COORDINATION_PATH}`,
        tools: [{ name: 'avouch_claim', title: 'Claim work' }],
        hosts: [EXAMPLE_HOST],
      },
    },
    { name: 'file', input: { host: 'cursor' }, output: EXAMPLE_HOST.config },
  ],
});
