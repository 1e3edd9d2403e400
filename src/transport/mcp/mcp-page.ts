import { html } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { mcpConfig } from '#web/call-code.ts';
import { button, code, heading, linkTo } from '#web/components.ts';
import { page } from '#web/layout.ts';

/** What people and programs are told that read the address at which clients only write. */
export const WHERE_MCP_IS = 'The MCP endpoint is /mcp/streamable.';

export function mcpPageHtml(site: Site): string {
  const body = html`${heading(
    'MCP',
    html`The MCP endpoint is <code>/mcp/streamable</code>. It needs no key and no account.`,
    [button('Read the guide', { href: '/docs/mcp' })],
  )}
<h2>Connect a host</h2>
<p>Add this to the configuration of your MCP host. Any host that speaks Streamable HTTP can use it.</p>
${code(mcpConfig(site.baseUrl()), 'Configuration')}
<p>${linkTo('/connect', 'Coordination tools, for five hosts')} · ${linkTo('/mcp/tools.json', 'These tools as JSON')} · ${linkTo('/product/mcp', 'What the tools do')}</p>`;
  return page({ title: 'MCP', path: '/mcp', section: 'product', body, hasForms: false }, site);
}
