import { z } from 'zod';
import { documentMarkdown, type DocumentWording, type Json } from '#kernel/document.ts';
import { type Html, html } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { crumbs, heading, linkTo } from '#web/components.ts';
import { documentBody, machineReadable } from '#web/document.ts';
import { page } from '#web/layout.ts';

const Entry = z.strictObject({
  id: z.string(),
  title: z.string(),
  version: z.string(),
  what: z.string(),
  path: z.string().meta({ description: 'Address of the protocol, as a page and as JSON.' }),
});

export const ProtocolsAnswer = z.strictObject({ protocols: z.array(Entry) }).meta({ id: 'Protocols' });
export const Protocol = z
  .strictObject({ ...Entry.shape, document: z.looseObject({}) })
  .meta({ id: 'Protocol', description: 'The whole method, generated from the tables that compute it.' });

export type ProtocolList = z.output<typeof ProtocolsAnswer>;
export type ProtocolAnswer = z.output<typeof Protocol>;

export const protocolsPages = {
  html: (list: ProtocolList, site: Site) =>
    page({ title: 'Protocols', path: '/protocols', section: 'docs', body: index(list) }, site),
  markdown: (list: ProtocolList) => documentMarkdown(list, 'Protocols'),
};

export function protocolHtml(
  { id, title, what, path, version, document }: ProtocolAnswer,
  wording: DocumentWording | undefined,
  site: Site,
): string {
  const way = crumbs([{ href: '/protocols', label: 'Protocols' }], version);
  const body = html`${way}<div id="${id}">${heading(title, what)}${documentBody(document, wording)}${machineReadable(path)}</div>`;
  return page({ title, path, section: 'docs', body }, site);
}

export const protocolPages = {
  html: (protocol: ProtocolAnswer, site: Site) => protocolHtml(protocol, undefined, site),
  markdown: ({ title, what, document, ...entry }: ProtocolAnswer) =>
    documentMarkdown({ ...(document as Record<string, Json>), ...entry, what }, title),
};

function index({ protocols }: ProtocolList): Html {
  const tiles = protocols.map(
    ({ id, title, version, what, path }) =>
      html`<section class="card tile" id="${id}"><h2>${linkTo(path, title)}</h2><p class="muted">${version}</p><p>${what}</p></section>`,
  );
  return html`${heading('Protocols', 'Every rule that this service applies, generated from the tables that it uses.')}<div class="grid">${tiles}</div>`;
}
