import type { Deprecation } from '#kernel/deprecation.ts';

/** The revisions of MCP that are answered, the newest first. */
export const MCP_REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;

/** A year after the first release the transport goes that Streamable HTTP replaced on 2025-03-29. */
export const SSE_DEPRECATED: Deprecation = {
  since: '2025-03-29',
  sunset: '2027-11-15',
  successor: '/mcp/streamable',
};

export interface McpPlace {
  readonly path: string;
  readonly transport: 'streamable-http' | 'sse';
  readonly what: string;
  readonly deprecated?: Deprecation;
  /** An installation of free services does not have it. */
  readonly services?: 'all';
}

/** Where MCP clients connect, in the order in which documents show it. */
export const MCP_PLACES: readonly McpPlace[] = [
  { path: '/mcp/streamable', transport: 'streamable-http', what: 'Free tools' },
  {
    path: '/mcp/coordination',
    transport: 'streamable-http',
    what: 'Coordination tools: claim, release, check a spend, seal',
  },
  {
    path: '/mcp/paid',
    transport: 'streamable-http',
    what: 'Paid verdicts as tools, with x402 over MCP',
    services: 'all',
  },
  { path: '/mcp/sse', transport: 'sse', what: 'Free tools over HTTP+SSE (deprecated)', deprecated: SSE_DEPRECATED },
];
