// Tools for Mastra.
import { createTool, type Tool } from '@mastra/core/tools';
import { adapted, type AvouchTools } from './adapter.ts';
import { avouchToolbox, type ToolboxOptions } from './toolbox.ts';

export function avouchTools(options: ToolboxOptions): AvouchTools<Record<string, Tool>, 'execute'> {
  const box = avouchToolbox(options);
  const tools = box.tools.map(({ name, description, inputSchema, run }) => [
    name,
    createTool({
      id: name,
      description,
      inputSchema,
      execute: (input, context) => run(input, context?.abortSignal),
    }),
  ]);
  const form = { runs: 'execute', inputAt: 0, signalAt: [1, 'abortSignal'] } as const;
  return adapted(box, Object.fromEntries(tools) as Record<string, Tool>, form);
}
