import type { ServedTool } from '#kernel/area.ts';
import type { Operation } from '#kernel/operation.ts';
import type { RowTool } from '#kernel/row-tool.ts';

export interface RowToolsOf {
  /** The rows that an installation offers. */
  readonly rows: readonly Pick<Operation, 'operationId' | 'price'>[];
  readonly tools: readonly Pick<ServedTool<never>, 'tool' | 'row' | 'argumentsOf' | 'scope'>[];
  /** Tools of other endpoints, by the row's id. */
  readonly others: Readonly<Record<string, RowTool>>;
}

/** The tools of every endpoint that make the calls of rows, by the row's id. Those that need a scope are not told of. */
export function rowToolsOf({ rows, tools, others }: RowToolsOf): ReadonlyMap<string, RowTool> {
  const free = new Map(
    tools.flatMap(({ tool: { name }, row, argumentsOf, scope }): [string, RowTool][] =>
      row === undefined || scope !== undefined
        ? []
        : [[row, { name, path: '/mcp/streamable', ...(argumentsOf !== undefined && { argumentsOf }) }]],
    ),
  );
  return new Map(
    rows.flatMap(({ operationId: id, price }): [string, RowTool][] => {
      const tool = price === null ? (free.get(id) ?? others[id]) : { name: id, path: '/mcp/paid' };
      return tool === undefined ? [] : [[id, tool]];
    }),
  );
}
