import type { About } from './about.ts';
import { DESCRIPTION, IS_NOT, UNTRUSTED_TEXT } from './entry.ts';
import { surfacesOf } from './surfaces.ts';

const CARD_PATH = '/mcp/streamable/server-card';
export const CARD_MEDIA = 'application/mcp-server-card+json';
export const SUMMARY = 'Coordination, checks, seals and mandates for AI agents, with proof.';

/** The legacy plugin document. */
export function aiPlugin(about: About) {
  const { service, baseUrl, operator } = about;
  const parts = surfacesOf(about).map(({ title, what }) => `${title}: ${what}`);
  const text = [DESCRIPTION, ...parts, ...IS_NOT, UNTRUSTED_TEXT, `Start at ${baseUrl}/entry.`].join(' ');
  return {
    schema_version: 'v1' as const,
    name_for_human: service,
    name_for_model: 'avouch',
    description_for_human: SUMMARY,
    description_for_model: text.slice(0, 8_000),
    auth: { type: 'none' as const },
    api: { type: 'openapi' as const, url: `${baseUrl}/openapi.json` },
    logo_url: `${baseUrl}/logo.svg`,
    contact_email: operator.contact.replace(/^mailto:/, ''),
    legal_info_url: `${baseUrl}/api/rules-of-engagement`,
  };
}

/** Where MCP clients connect; the tools themselves are told by the server. */
export function serverCard({ service, version, baseUrl, mcp }: About) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${reverseDns(baseUrl)}/avouch`,
    version,
    title: service,
    description: SUMMARY,
    websiteUrl: baseUrl,
    remotes: mcp.places.map(({ path, transport }) => ({
      type: transport,
      url: baseUrl + path,
      ...(transport === 'streamable-http' && { supportedProtocolVersions: mcp.revisions }),
    })),
  };
}

export function aiCatalog({ baseUrl }: About) {
  const identifier = `urn:air:${new URL(baseUrl).hostname}:mcp:avouch`;
  return { specVersion: '1.0', entries: [{ identifier, type: CARD_MEDIA, url: baseUrl + CARD_PATH }] };
}

/** Addresses have no names to turn round. */
function reverseDns(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return /[a-z]/i.test(hostname) && !hostname.includes(':') ? hostname.split('.').toReversed().join('.') : 'local';
}

/** What the MCP registry reads to see that the publisher controls this host. */
export function registryProof(key: string): string {
  return `v=MCPv1; k=ed25519; p=${key}\n`;
}

const NOT_FOR_CRAWLERS = ['/v1/claim', '/v1/release', '/v1/mark', '/v1/brief', '/cabinet', '/dashboard', '/mcp/'];

export const ROBOTS = ['User-agent: *', ...NOT_FOR_CRAWLERS.map((path) => `Disallow: ${path}`), 'Allow: /', ''].join(
  '\n',
);

export const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="Avouch"><circle cx="32" cy="32" r="28" fill="none" stroke="#123" stroke-width="4"/><path d="M18 33l10 10 18-22" fill="none" stroke="#123" stroke-width="6"/></svg>\n`;
