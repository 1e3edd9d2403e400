// Tools for the Anthropic SDK.
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { adapted, type AvouchTools } from './adapter.ts';
import { avouchToolbox, type ToolboxOptions } from './toolbox.ts';

export function avouchTools(options: ToolboxOptions): AvouchTools<ReturnType<typeof betaTool>[], 'run'> {
  const box = avouchToolbox(options);
  const tools = box.tools.map(({ name, description, inputSchema, run }) =>
    betaTool({
      name,
      description,
      inputSchema,
      run: async (input, context) => JSON.stringify(await run(input, context?.signal ?? undefined)),
    }),
  );
  return adapted(box, tools, { runs: 'run', inputAt: 0, signalAt: [1, 'signal'], givesText: true });
}
