// As much of the frameworks as the adapters use: they are installed where the package is used, not here.
declare module '@langchain/core/tools' {
  export interface DynamicStructuredTool {
    readonly name: string;
  }
  export function tool(
    run: (input: unknown, config?: { readonly signal?: AbortSignal }) => Promise<string>,
    fields: { readonly name: string; readonly description: string; readonly schema: object },
  ): DynamicStructuredTool;
}

declare module '@openai/agents' {
  export interface FunctionTool {
    readonly name: string;
  }
  export function tool(options: {
    readonly name: string;
    readonly description: string;
    readonly parameters: object;
    readonly strict: false;
    execute(input: unknown, context?: unknown, details?: { readonly signal?: AbortSignal }): Promise<string>;
  }): FunctionTool;
}

declare module '@mastra/core/tools' {
  export interface Tool {
    readonly id: string;
  }
  export function createTool(options: {
    readonly id: string;
    readonly description: string;
    readonly inputSchema: object;
    execute(input: unknown, context?: { readonly abortSignal?: AbortSignal }): Promise<unknown>;
  }): Tool;
}

declare module '@anthropic-ai/sdk/helpers/beta/json-schema' {
  interface RunnableTool {
    readonly name: string;
  }
  export function betaTool(options: {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: object;
    run(input: unknown, context?: { readonly signal?: AbortSignal | null | undefined }): Promise<string>;
  }): RunnableTool;
}
