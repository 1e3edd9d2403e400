import { isIP } from 'node:net';
import { SUMMARY } from '#areas/discovery/machine-documents.ts';
import { VERSION } from '#platform/version.ts';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
/** /mcp/coordination is left out: each client needs its own headers there. */
const PATHS = ['/mcp/streamable', '/mcp/paid'];
const LABEL = '[a-z\\d](?:[a-z\\d-]*[a-z\\d])?';
const NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})+/[a-z\\d](?:[\\w.-]*[a-z\\d])?$`, 'i');
/** Names of this machine, of private networks and of sandboxes. */
const NOT_PUBLIC = /^[^.]+$|(?:^|\.)sandbox\.|\.(?:internal|invalid|local|localhost|test)$/;

export interface Published {
  readonly mcpName?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** `server.json` as the MCP registry reads it; null where nothing is published there. */
export function registryEntry({ mcpName, baseUrl }: Published): string | null {
  if (mcpName === undefined && baseUrl === undefined) return null;
  if (mcpName === undefined || baseUrl === undefined) throw new Error('--mcp-name and --base-url belong together');
  if (mcpName.length > 200 || !NAME.test(mcpName)) throw new Error('--mcp-name must look like com.example/avouch');
  const url = URL.parse(baseUrl);
  if (url?.protocol !== 'https:' || url.href !== `${url.origin}/`) {
    throw new Error('--base-url must look like https://avouch.example.com');
  }
  const host = url.hostname.replace(/\.$/, '');
  if (isIP(host) !== 0 || host.startsWith('[') || NOT_PUBLIC.test(host)) {
    throw new Error('--base-url must be the public address of a service in production');
  }
  const remotes = PATHS.map((path) => ({ type: 'streamable-http', url: url.origin + path }));
  const entry = { $schema: SCHEMA, name: mcpName, title: 'Avouch', description: SUMMARY, version: VERSION, remotes };
  return `${JSON.stringify(entry, null, 2)}\n`;
}
