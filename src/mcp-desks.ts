import type { BoundOperation } from '#kernel/bound-operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { Authenticate } from '#platform/ledger/caller.ts';
import type { Desks } from '#transport/mcp/mcp-endpoint.ts';
import { paidTool } from '#transport/mcp/paid-tool.ts';
import { type DeskOptions, offered, ToolDesk } from '#transport/mcp/tool-desk.ts';
import { type InternalWorks, PUBLIC_TOOLS, type PublicWorks } from '#transport/mcp/tools.ts';
import { INTERNAL_TOOLS, SCOPE_OF } from '#transport/mcp/tools/internal.ts';

export interface DeskParts extends Omit<DeskOptions, 'scopesOf'> {
  readonly authenticate: Authenticate;
  readonly works: PublicWorks;
  readonly internalWorks: InternalWorks;
  /** All rows: those with a price become paid tools. */
  readonly operations: readonly BoundOperation[];
}

/** Ties every row of the tool tables to what answers it here. */
export function makeDesks({ authenticate, works, internalWorks, operations, ...parts }: DeskParts): Desks {
  const scopesOf = async (agentKey: string) => {
    const caller = await authenticate(agentKey);
    return caller instanceof Refusal ? [] : caller.scopes;
  };
  const options = { ...parts, scopesOf };
  const open = PUBLIC_TOOLS.map((tool) => offered(tool, works[tool.name]));
  const internal = INTERNAL_TOOLS.map((tool) => offered(tool, internalWorks[tool.name], SCOPE_OF[tool.name]));
  const paid = operations.flatMap((bound) => ('gate' in bound ? paidTool(bound) : []));
  return { free: new ToolDesk([...open, ...internal], options), paid: new ToolDesk(paid, options) };
}
