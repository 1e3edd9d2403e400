import type { HostTool } from '#kernel/tool.ts';
import type { OfferedTool } from './tool-server.ts';
import { textContent } from './tool-result.ts';

/** A tool whose refusals are results: the model reads both in the same place. */
export function hostTool({ listed, access, isBarred, run }: HostTool): OfferedTool {
  const { properties } = listed.inputSchema as { readonly properties?: object };
  return {
    listed,
    fields: new Set(Object.keys(properties ?? {})),
    ...(access !== undefined && { access }),
    isBarred,
    run: async (args, asked) => {
      const { result, refusal, meta } = await run(args, asked);
      const { refused } = result as { readonly refused?: string };
      return {
        result: {
          content: [textContent(result)],
          structuredContent: { ...result },
          ...(refused !== undefined && { isError: true as const }),
          ...(meta !== undefined && { _meta: { ...meta } }),
        },
        code: refused ?? null,
        ...(refusal !== undefined && { refusal }),
      };
    },
  };
}
