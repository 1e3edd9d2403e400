// Tools for the OpenAI Agents SDK.
import { type FunctionTool, tool } from '@openai/agents';
import { adapted, type AvouchTools } from './adapter.ts';
import { avouchToolbox, type ToolboxOptions } from './toolbox.ts';

export function avouchTools(options: ToolboxOptions): AvouchTools<FunctionTool[], 'invoke'> {
  const box = avouchToolbox(options);
  const tools = box.tools.map(({ name, description, inputSchema, run }) =>
    tool({
      name,
      description,
      parameters: inputSchema,
      // A strict schema has no optional fields.
      strict: false,
      execute: async (input, _context, details) => JSON.stringify(await run(input, details?.signal)),
    }),
  );
  const form = { runs: 'invoke', inputAt: 1, readsText: true, signalAt: [2, 'signal'], givesText: true } as const;
  return adapted(box, tools, form);
}
