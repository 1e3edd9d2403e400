import { documentMarkdown } from '#kernel/document.ts';
import { html } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { code, heading, linkTo, notice, tabs } from '#web/components.ts';
import { page } from '#web/layout.ts';
import type { HostFile } from './hosts.ts';

interface Shown {
  readonly endpoint: string;
  readonly tools: readonly { readonly name: string; readonly title: string }[];
  readonly hosts: readonly HostFile[];
}

/** One file alone is shown as it is. */
type Answer = Shown | Readonly<Record<string, unknown>>;

export const connectPages = {
  html: (answer: Answer, site: Site) =>
    page({ title: TITLE, path: '/connect', section: 'product', body: body(answer) }, site),
  markdown: (answer: Answer) => documentMarkdown(answer, TITLE),
};

const TITLE = 'Connect an MCP host';

function body(answer: Answer) {
  if (!isList(answer)) {
    return html`${heading(TITLE)}${code(JSON.stringify(answer, null, 2), 'Configuration')}<p>${linkTo('/connect', 'All hosts')}</p>`;
  }
  const { endpoint, tools, hosts } = answer;
  const panels = hosts.map(({ id, name, file, where, config }) => ({
    label: name,
    body: html`<p><code>${file}</code> · ${where}</p>${code(JSON.stringify(config, null, 2), file)}
<p>${isCommand(config) ? html`${linkTo('/docs/client', 'Build the package')} · ` : ''}${linkTo(`/connect?host=${id}&format=json`, 'The file as JSON')}</p>`,
  }));
  return html`${heading(TITLE, html`Your agent gets tools to claim work, check a spend and seal a record. Copy the configuration of its host. It needs no account.`)}
${tabs('host', panels, 'Host')}
${notice('info', 'The token in a configuration was made for you just now. It shows which claims are yours, so keep the file out of public repositories. Reload this page for a new one.')}
<h2>The tools</h2>
<ul>${tools.map(({ name, title }) => html`<li><code>${name}</code> ${title}</li>`)}</ul>
<p>The endpoint is <code>${endpoint}</code>. The free data tools have ${linkTo('/mcp', 'an endpoint without a token')}.</p>`;
}

function isList(answer: Answer): answer is Shown {
  return 'hosts' in answer;
}

function isCommand(config: HostFile['config']): boolean {
  return JSON.stringify(config).includes('"command"');
}
