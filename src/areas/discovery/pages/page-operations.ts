import { z } from 'zod';
import { DOCUMENT_ROW } from '#kernel/document-row.ts';
import { defineOperation } from '#kernel/operation.ts';
import { Design, designPages } from './design.ts';
import { DocsIndex, docsIndexPages, DocsPage, docsPagePages } from './docs.ts';
import { Home, homePages } from './home.ts';
import { unknownPage, unknownProtocol } from '../problems.ts';
import { Protocol, protocolPages, ProtocolsAnswer, protocolsPages } from './protocols.ts';

const shared = { ...DOCUMENT_ROW, tag: 'pages' } as const;
const NoInput = z.strictObject({});
const FORMS = 'JSON by default; HTML and Markdown by Accept, by ?format= or by .md at the end of the path.';
const PROTOCOL_ENTRY = {
  id: 'acb-1',
  title: 'Agent briefs',
  version: 'ACB-1',
  what: 'How clear a task card is.',
  path: '/protocols/acb-1',
};
const DOCS_ENTRY = { name: 'crossing', title: 'Crossing: leases on shared work', path: '/docs/crossing' };

export const homePage = defineOperation({
  ...shared,
  operationId: 'home',
  path: '/',
  summary: 'What the service is, with live figures',
  description: `What is offered, figures of this moment and the first three calls. ${FORMS}`,
  input: NoInput,
  output: Home,
  cache: { maxAgeSeconds: 10 },
  pages: homePages,
  examples: [
    {
      name: 'home',
      input: {},
      output: {
        service: 'Avouch',
        description: 'Verification, coordination and attestation for AI agents.',
        base_url: 'https://avouch.example',
        sandbox: true,
        live: {
          as_of: '2026-11-15T01:00:00.000Z',
          status: 'operational',
          log_entries: 340,
          claims_now: 3,
          seals_today: 12,
          calls_24h: 1_200,
          registers: [{ id: 'vies', status: 'up' }],
        },
        first_calls: [
          {
            goal: 'See the light of a piece of work',
            curl: "curl -s 'https://avouch.example/v1/look?key=gh:acme/repo%2312'",
            url: 'https://avouch.example/v1/look?key=gh:acme/repo%2312',
            expect: { status: 200, fields: ['signal', 'reasons'] },
          },
        ],
        surfaces: [{ id: 'crossing', title: 'Crossing', what: 'Leases, marks and lights on shared work' }],
        is_not: ['Not a civil-law notary.'],
      },
    },
  ],
});

export const protocolsPage = defineOperation({
  ...shared,
  operationId: 'protocols',
  path: '/protocols',
  summary: 'The protocols and rules of the service',
  description: `Where each method, schema and rule is read. ${FORMS}`,
  input: NoInput,
  output: ProtocolsAnswer,
  pages: protocolsPages,
  examples: [{ name: 'protocols', input: {}, output: { protocols: [PROTOCOL_ENTRY] } }],
});

export const protocolPage = defineOperation({
  ...shared,
  operationId: 'protocol',
  path: '/protocols/{protocol}',
  summary: 'A protocol, whole',
  description: `The method as the service computes it. ${FORMS}`,
  input: z.strictObject({
    protocol: z.string().max(80).meta({ description: 'Id of the protocol, as /protocols gives it' }),
  }),
  output: Protocol,
  problems: [unknownProtocol],
  pages: protocolPages,
  examples: [
    {
      name: 'briefs',
      input: { protocol: 'acb-1' },
      output: { ...PROTOCOL_ENTRY, document: { protocol: 'ACB-1' } },
    },
  ],
});

export const docsIndexPage = defineOperation({
  ...shared,
  operationId: 'docs',
  path: '/docs',
  summary: 'The documentation',
  description: `Every page of the documentation for callers. ${FORMS}`,
  input: NoInput,
  output: DocsIndex,
  pages: docsIndexPages,
  examples: [{ name: 'index', input: {}, output: { pages: [DOCS_ENTRY] } }],
});

export const docsPagePage = defineOperation({
  ...shared,
  operationId: 'docs_page',
  path: '/docs/{name}',
  summary: 'A page of the documentation',
  description: `With the address of this installation in its examples. ${FORMS}`,
  input: z.strictObject({ name: z.string().max(80).meta({ description: 'Name of the page, as /docs gives it' }) }),
  output: DocsPage,
  problems: [unknownPage],
  pages: docsPagePages,
  examples: [
    {
      name: 'crossing',
      input: { name: 'crossing' },
      output: { ...DOCS_ENTRY, text: '# Crossing: leases on shared work\n', others: [DOCS_ENTRY] },
    },
  ],
});

export const designPage = defineOperation({
  ...shared,
  operationId: 'design',
  path: '/design',
  summary: 'The components of the pages',
  description: `Tokens and components that every page is made of. ${FORMS}`,
  input: NoInput,
  output: Design,
  pages: designPages,
  examples: [
    {
      name: 'design',
      input: {},
      output: {
        tokens: [{ name: 'ink', light: '#17202b', dark: '#e7ecf2' }],
        components: [{ name: 'table', what: 'Rows and columns' }],
      },
    },
  ],
});
