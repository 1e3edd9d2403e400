import { type OpenArea, on } from '#kernel/area.ts';
import type { HostTools } from '#kernel/tool.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import { hostFiles, COORDINATION_PATH } from './hosts.ts';
import { hostTools, type HostToolsDeps } from './host-tools.ts';
import { connect } from './operations.ts';
import { TOOL_INSTRUCTIONS, TOOL_TABLE } from './tools/tool-table.ts';

export interface OpenConnect extends OpenArea {
  readonly baseUrl: () => string;
  readonly coordination: HostTools;
}

/** What hosts of MCP are offered for working beside other agents, and how they are told of it. */
export const connectArea = {
  name: 'connect',
  open: ({ baseUrl }: Platform, deps: HostToolsDeps) => ({
    baseUrl,
    coordination: { instructions: TOOL_INSTRUCTIONS, tools: () => hostTools(deps) },
  }),
  operations: [
    on(
      connect,
      ({ baseUrl }: OpenConnect, { host, agent }) => {
        const hosts = hostFiles(baseUrl(), agent);
        if (host !== undefined) return hosts.find(({ id }) => id === host)?.config ?? {};
        const tools = TOOL_TABLE.map(({ name, title }) => ({ name, title }));
        return { endpoint: `${baseUrl()}${COORDINATION_PATH}`, tools, hosts };
      },
      { after: 'mcp_tools' },
    ),
  ],
} satisfies PlatformArea<OpenConnect, HostToolsDeps>;
