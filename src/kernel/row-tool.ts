type Input = Readonly<Record<string, unknown>>;

/** The tool that makes the call of a row, for hosts of MCP. */
export interface RowTool {
  readonly name: string;
  /** Path of the endpoint that has it. */
  readonly path: string;
  /** A header that a host sends with it, beside those of the row. */
  readonly header?: string;
  /** Its arguments for an input of the row, if they are not the same; undefined where it cannot make that call. */
  readonly argumentsOf?: (input: Input) => Input | undefined;
}

/** Finds the tool of a row by the row's id. */
export type FindRowTool = (operationId: string) => RowTool | undefined;
