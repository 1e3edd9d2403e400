import { sha256Hex } from '#kernel/ids.ts';

/** The agent name of a host that sends none: always the same for its token, which it does not tell. */
export function hostAgent(token: string): string {
  return `mcp-${sha256Hex(token).slice(0, 8)}`;
}
