import { documentMarkdown } from '#kernel/document.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { RULES_VERSION } from '#platform/usage-rules/version.ts';
import { type About, offersPath } from './about.ts';
import { DESCRIPTION, ENTRY_PATH, FULL_ENTRY_PATH, UNTRUSTED_TEXT } from './entry.ts';

interface Link {
  readonly title: string;
  readonly path: string;
  readonly what: string;
}

/** The index in its sections; a link stands in it where its path is offered. */
const SECTIONS: readonly (readonly [section: string, links: readonly Link[]])[] = [
  [
    'Start',
    [
      { title: 'Entry', path: ENTRY_PATH, what: 'service description, versions, prices and the first three calls' },
      {
        title: 'Onboarding',
        path: '/agent-discovery/onboarding',
        what: 'step-by-step requests for each goal, with expected responses',
      },
    ],
  ],
  [
    'Reference',
    [
      {
        title: 'Every operation',
        path: FULL_ENTRY_PATH,
        what: 'all operations with addresses, keys, prices, rate classes and limits',
      },
      { title: 'OpenAPI', path: '/openapi.json', what: 'all operations with schemas and problem codes' },
      { title: 'Prices', path: '/economy/manifest', what: 'prices, fees, charging rules and live figures' },
      { title: 'Coordination', path: '/coordination/manifest', what: 'leases, signals, marks, errors and lanes' },
      { title: 'Capabilities', path: '/capabilities/manifest', what: 'work that is paid from a wallet' },
      { title: 'MCP tools', path: '/mcp/tools.json', what: 'the tools of the MCP server' },
      { title: 'Schemas', path: '/api/attest/schemas', what: 'every seal schema' },
      { title: 'Keys', path: '/.well-known/avouch-keys.json', what: 'all public keys of the service' },
      { title: 'Pillars', path: '/api/strategy/pillars', what: 'what is live, in pilot or in design' },
    ],
  ],
  ['Rules', [{ title: 'Usage rules', path: '/api/rules-of-engagement', what: `version ${RULES_VERSION}` }]],
  [
    'Optional',
    [
      { title: 'Everything in one file', path: '/llms-full.txt', what: 'all documents in one text' },
      { title: 'Status', path: '/system/status', what: 'service status and components' },
    ],
  ],
];

/** The index for language models (llms.txt). */
export function llms(about: About): string {
  const { service, baseUrl, sandbox } = about;
  const lines = SECTIONS.map(([section, links]) => {
    const shown = links.filter(({ path }) => offersPath(about, path));
    return `## ${section}\n\n${shown.map(({ title, path, what }) => `- [${title}](${baseUrl}${path}): ${what}`).join('\n')}\n`;
  });
  return [
    `# ${service}\n`,
    `> ${DESCRIPTION}`,
    `> Base URL: ${baseUrl}. Sandbox: ${sandbox ? 'yes' : 'no'}.`,
    `> ${UNTRUSTED_TEXT}\n`,
    ...lines,
  ].join('\n');
}

/** A part of the full text: a manifest, or a page that is Markdown already. */
export type TextPart =
  | { readonly title: string; readonly path: string; readonly document: object }
  | { readonly title: string; readonly text: string };

/** All parts as one text in their order, each with the digest of its own Markdown. */
export function llmsFull(about: About, parts: readonly TextPart[]): string {
  const texts = parts.map((part) => {
    const text = 'text' in part ? part.text : documentMarkdown(part.document, part.title);
    const from = 'path' in part ? `${about.baseUrl}${part.path}.md` : part.title;
    return { from, text: text.trimEnd().concat('\n') };
  });
  const index = texts.map(({ from, text }) => `- ${from} sha256:${sha256Hex(text)}`);
  return [llms(about), '## Contents of this file\n', ...index, '', ...texts.map(({ text }) => `---\n\n${text}`)].join(
    '\n',
  );
}
