import type { BoundOperation } from '#kernel/bound-operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { HostTools, Tool, ToolCall } from '#kernel/tool.ts';
import type { Authenticate } from '#platform/ledger/caller.ts';
import type { ToolServers } from './mcp-endpoint.ts';
import { hostTool } from './host-tool.ts';
import { paidTool } from './paid-tool.ts';
import { type ToolServerOptions, offered, ToolServer } from './tool-server.ts';

/** A tool with its work; undefined where this installation has none. */
export interface BoundTool {
  readonly tool: Tool;
  /** The scope of the key without which there is no such tool. */
  readonly scope?: string | undefined;
  readonly work: ((input: never, call: ToolCall) => unknown) | undefined;
}

export interface ToolServerDeps extends Omit<ToolServerOptions, 'scopesOf'> {
  readonly authenticate: Authenticate;
  readonly tools: readonly BoundTool[];
  /** All rows: those with a price become paid tools. */
  readonly operations: readonly BoundOperation[];
  readonly coordination: HostTools;
}

/** The free tools, those for working beside other agents, and the rows that cost money. */
export function makeToolServers({
  authenticate,
  tools,
  operations,
  coordination,
  ...parts
}: ToolServerDeps): ToolServers {
  const scopesOf = async (agentKey: string) => {
    const caller = await authenticate(agentKey);
    return caller instanceof Refusal ? [] : caller.scopes;
  };
  const options = { ...parts, scopesOf };
  const free = tools.map(({ tool, work, scope }) => offered(tool, work, scope));
  const paid = operations.flatMap((bound) => ('gate' in bound ? paidTool(bound) : []));
  return {
    free: new ToolServer(free, options),
    coordination: new ToolServer(coordination.tools().map(hostTool), options),
    paid: new ToolServer(paid, options),
  };
}
