import { newToken } from '#kernel/ids.ts';
import { hostAgent } from './host-agent.ts';

/** What a configuration is made of. */
interface Parts {
  readonly baseUrl: string;
  readonly url: string;
  readonly agent: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Host {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly where: string;
  readonly config: (parts: Parts) => Readonly<Record<string, unknown>>;
}

export const COORDINATION_PATH = '/mcp/coordination';

/** Until it is: whoever takes the name would run code at those who paste the command. */
const NOT_PUBLISHED =
  'The package is not on npm yet: build and install it as /docs/client says, then write avouch-mcp in place of npx -y @avouch/tools.';

/** Hosts of MCP, each with its file in the form that it reads. */
const HOSTS = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    file: '.mcp.json',
    where: 'In the folder of your project.',
    config: ({ url, headers }) => ({ mcpServers: { avouch: { type: 'http', url, headers } } }),
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    file: 'claude_desktop_config.json',
    where: `Open Settings, Developer, Edit Config. This host starts a program instead of calling an address. ${NOT_PUBLISHED}`,
    config: ({ baseUrl, agent }) => ({
      // Hosts pass over a member that they do not know, and whoever pastes the file reads it.
      '//': NOT_PUBLISHED,
      mcpServers: {
        avouch: { command: 'npx', args: ['-y', '@avouch/tools', '--url', baseUrl, '--agent', agent] },
      },
    }),
  },
  {
    id: 'cursor',
    name: 'Cursor',
    file: '.cursor/mcp.json',
    where: 'In the folder of your project.',
    config: ({ url, headers }) => ({ mcpServers: { avouch: { url, headers } } }),
  },
  {
    id: 'vscode',
    name: 'VS Code',
    file: '.vscode/mcp.json',
    where: 'In the folder of your project.',
    config: ({ url, headers }) => ({ servers: { avouch: { type: 'http', url, headers } } }),
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    file: 'mcp_config.json',
    where: 'Open Settings, Cascade, MCP servers, View raw config.',
    config: ({ url, headers }) => ({ mcpServers: { avouch: { serverUrl: url, headers } } }),
  },
] as const satisfies readonly Host[];

export const HOST_IDS = HOSTS.map(({ id }) => id);

export interface HostFile {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly where: string;
  readonly config: Record<string, unknown>;
}

/** The file of every host, each with a token that nobody else has. */
export function hostFiles(baseUrl: string, agent: string | undefined): HostFile[] {
  return HOSTS.map(({ config, ...host }) => {
    const token = newToken();
    const headers = { 'X-Crossing-Token': token, ...(agent !== undefined && { 'X-Avouch-Agent': agent }) };
    const parts = { baseUrl, url: `${baseUrl}${COORDINATION_PATH}`, headers, agent: agent ?? hostAgent(token) };
    return { ...host, config: config(parts) };
  });
}
