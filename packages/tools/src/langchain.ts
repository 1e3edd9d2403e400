// Tools for LangChain.js and LangGraph.
import { type DynamicStructuredTool, tool } from '@langchain/core/tools';
import { adapted, type AvouchTools } from './adapter.ts';
import { avouchToolbox, type ToolboxOptions } from './toolbox.ts';

export function avouchTools(options: ToolboxOptions): AvouchTools<DynamicStructuredTool[], 'func'> {
  const box = avouchToolbox(options);
  const tools = box.tools.map(({ name, description, inputSchema, run }) =>
    tool(async (input, config) => JSON.stringify(await run(input, config?.signal)), {
      name,
      description,
      schema: inputSchema,
    }),
  );
  return adapted(box, tools, { runs: 'func', inputAt: 0, signalAt: [2, 'signal'], givesText: true });
}
