#!/usr/bin/env node
// The tools as an MCP server on standard input and output.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { TOOL_INSTRUCTIONS } from '../../../src/areas/connect/tools/tool-table.ts';
import { sealFiles } from './seal-files.ts';
import { avouchToolbox, type Toolbox, type ToolboxOptions } from './toolbox.ts';

const USAGE = `Usage: avouch-mcp --url <address of Avouch> --agent <name> [--seals <folder>]

  --url    address of the service; default: AVOUCH_URL
  --agent  the name under which the agent claims work; default: AVOUCH_AGENT
  --seals  keep each seal there as a file, with the seed that reveals or erases its claim

AGENT_KEY and PLATFORM_KEY in the environment are sent where a call takes them.
`;

const options = readOptions(process.argv.slice(2));
if (typeof options === 'string') {
  process.stderr.write(`${options}\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  await serve(options);
}

function readOptions(args: string[]): ToolboxOptions | string {
  const { AVOUCH_URL, AVOUCH_AGENT, AGENT_KEY, PLATFORM_KEY } = process.env;
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({ args, options: { url: text, agent: text, seals: text } });
    const { url = AVOUCH_URL, agent = AVOUCH_AGENT, seals } = values;
    if (url === undefined) return 'Missing option: --url';
    if (agent === undefined) return 'Missing option: --agent';
    return {
      baseUrl: url,
      agent,
      ...(AGENT_KEY !== undefined && { agentKey: AGENT_KEY }),
      ...(PLATFORM_KEY !== undefined && { platformKey: PLATFORM_KEY }),
      ...(seals !== undefined && { onSeal: sealFiles(seals) }),
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Until the host leaves or a signal comes; then what is held is released. */
async function serve(given: ToolboxOptions): Promise<void> {
  const box = avouchToolbox(given);
  const over = new AbortController();
  const handle = serveStdio(() => serverOf(box));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => over.abort());
  process.stdin.once('end', () => over.abort());
  process.stdin.once('close', () => over.abort());
  await once(over.signal, 'abort');
  await handle.close();
  await box.close();
}

function serverOf(box: Toolbox): Server {
  const server = new Server(
    { name: 'avouch', version: ownVersion() },
    { capabilities: { tools: {} }, instructions: TOOL_INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({ tools: box.tools.map(listed) as never }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = box.tools.find(({ name }) => name === params.name);
    if (tool === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    }
    const result = await tool.run(params.arguments ?? {}, mcpReq.signal);
    return {
      content: [{ type: 'text', text: JSON.stringify(result) }],
      structuredContent: result,
      ...('refused' in result && { isError: true }),
    };
  });
  return server;
}

function listed({ name, title, description, inputSchema, readOnly }: Toolbox['tools'][number]) {
  const annotations = { readOnlyHint: readOnly, destructiveHint: false, idempotentHint: readOnly, openWorldHint: true };
  return { name, title, description, inputSchema, annotations };
}

function ownVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version?: string }).version ?? '0.0.0';
}
