// Tools for the Vercel AI SDK.
import { jsonSchema, type ToolSet, tool } from 'ai';
import { adapted, type AvouchTools } from './adapter.ts';
import { avouchToolbox, type ToolboxOptions } from './toolbox.ts';

export function avouchTools(options: ToolboxOptions): AvouchTools<ToolSet, 'execute'> {
  const box = avouchToolbox(options);
  const tools = box.tools.map(({ name, description, inputSchema, run }) => [
    name,
    tool({
      description,
      inputSchema: jsonSchema(inputSchema as object),
      execute: (input, { abortSignal }) => run(input, abortSignal),
    }),
  ]);
  const form = { runs: 'execute', inputAt: 0, signalAt: [1, 'abortSignal'] } as const;
  return adapted(box, Object.fromEntries(tools) as ToolSet, form);
}
