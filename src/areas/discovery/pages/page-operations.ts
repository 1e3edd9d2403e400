import { z } from 'zod';
import { DOCUMENT_ROW, OPEN_ROW } from '#kernel/document-row.ts';
import { notOffered } from '#kernel/general-problems.ts';
import { defineOperation } from '#kernel/operation.ts';
import { Design, designPages } from './design.ts';
import { DocsIndex, docsIndexPages, DocsPage, docsPagePages } from './docs.ts';
import { EXAMPLE_HOME, Home, homePages } from './home.ts';
import { unknownPage, unknownProtocol } from '../problems.ts';
import { ApiIndex, apiIndexPages, ApiOperation, apiOperationPages } from './reference.ts';
import { SearchAnswer, SearchInput, searchPages } from './search.ts';
import { Protocol, protocolPages, ProtocolsAnswer, protocolsPages } from './protocols.ts';

const shared = { ...DOCUMENT_ROW, tag: 'pages' } as const;
const NoInput = z.strictObject({});
const FORMS = 'Returns JSON by default. For HTML or Markdown, use Accept, ?format= or .md at the end of the path.';
const PROTOCOL_ENTRY = {
  id: 'acb-1',
  title: 'Agent briefs',
  version: 'ACB-1',
  what: 'How clear a task card is.',
  path: '/protocols/acb-1',
};
const DOCS_ENTRY = {
  name: 'coordination',
  title: 'Coordination',
  summary: 'Keep agents from doing the same work twice.',
  group: 'Guides' as const,
  path: '/docs/coordination',
};

export const homePage = defineOperation({
  ...shared,
  operationId: 'home',
  path: '/',
  summary: 'Home page',
  description: `Describes the service, with live figures, the first three calls and three demos. ${FORMS}`,
  input: NoInput,
  output: Home,
  cache: { maxAgeSeconds: 2 },
  pages: homePages,
  examples: [{ name: 'home', input: {}, output: EXAMPLE_HOME }],
});

export const protocolsPage = defineOperation({
  ...shared,
  operationId: 'protocols',
  path: '/protocols',
  summary: 'List protocols',
  description: `Lists the protocols and rules of the service, with their addresses. ${FORMS}`,
  input: NoInput,
  output: ProtocolsAnswer,
  pages: protocolsPages,
  examples: [{ name: 'protocols', input: {}, output: { protocols: [PROTOCOL_ENTRY] } }],
});

export const protocolPage = defineOperation({
  ...shared,
  operationId: 'protocol',
  path: '/protocols/{protocol}',
  summary: 'Get a protocol',
  description: `Returns the whole method, as the service computes it. ${FORMS}`,
  input: z.strictObject({
    protocol: z.string().max(80).meta({ description: 'Protocol id, as listed in /protocols.' }),
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
  summary: 'Documentation index',
  description: `Lists every documentation page. ${FORMS}`,
  input: NoInput,
  output: DocsIndex,
  pages: docsIndexPages,
  examples: [{ name: 'index', input: {}, output: { pages: [DOCS_ENTRY] } }],
});

export const docsPagePage = defineOperation({
  ...shared,
  operationId: 'docs_page',
  path: '/docs/{name}',
  summary: 'Get a documentation page',
  description: `Returns one page, with the address of this installation in its examples. ${FORMS}`,
  input: z.strictObject({ name: z.string().max(80).meta({ description: 'Page name, as listed in /docs.' }) }),
  output: DocsPage,
  problems: [unknownPage, notOffered],
  pages: docsPagePages,
  examples: [
    {
      name: 'coordination',
      input: { name: 'coordination' },
      output: { ...DOCS_ENTRY, text: '# Coordination\n', others: [DOCS_ENTRY] },
    },
  ],
});

const LISTED_CALL = {
  operation_id: 'look',
  method: 'GET',
  path: '/v1/look',
  summary: 'Check a work key',
};

export const apiIndexPage = defineOperation({
  ...shared,
  operationId: 'api_reference',
  path: '/docs/api',
  summary: 'API reference',
  description: `Lists every operation by product, with the address of its page. ${FORMS}`,
  input: NoInput,
  output: ApiIndex,
  pages: apiIndexPages,
  examples: [
    {
      name: 'reference',
      input: {},
      output: {
        products: [{ id: 'crossing', title: 'Coordination', operations: [{ ...LISTED_CALL, page: '/docs/api/look' }] }],
      },
    },
  ],
});

export const apiOperationPage = defineOperation({
  ...shared,
  operationId: 'api_operation',
  path: '/docs/api/{operation}',
  summary: 'Describe an operation',
  description: `Returns one operation's parameters, price, example and errors. ${FORMS}`,
  input: z.strictObject({
    operation: z.string().max(80).meta({ description: 'Operation id, as listed in /docs/api.' }),
  }),
  output: ApiOperation,
  problems: [unknownPage],
  pages: apiOperationPages,
  examples: [
    {
      name: 'look',
      input: { operation: 'look' },
      output: {
        ...LISTED_CALL,
        method: 'GET',
        product: 'Coordination',
        also_post: false,
        description: 'Says whether work on the work key is worth starting.',
        auth: 'none',
        price: null,
        rate_class: 'crossing-read',
        tool: 'avouch_look',
        mcp_endpoint: '/mcp/coordination',
        parameters: [
          {
            name: 'key',
            in: 'query',
            required: true,
            type: 'string, 1 to 512 characters',
            description: 'The work key.',
          },
        ],
        example: { input: { key: 'acme/repo#12' }, output: { signal: 'GREEN' } },
        problems: [{ code: 'slow_down', status: 429, title: 'Slow down' }],
      },
    },
  ],
});

export const searchPage = defineOperation({
  ...OPEN_ROW,
  tag: 'pages',
  operationId: 'search_pages',
  path: '/search',
  summary: 'Search',
  description: `Finds public pages, documentation, operations and problem codes, and where a reference that Avouch issued leads. A browser that asks for a reference or a problem code is sent to its page. ${FORMS}`,
  input: SearchInput,
  output: SearchAnswer,
  reads: 'store',
  rate: 'crossing-read',
  cache: 'no-store',
  redirectsAfterPost: true,
  pages: searchPages,
  examples: [
    {
      name: 'a problem code',
      input: { q: 'held' },
      output: {
        q: 'held',
        match: { kind: 'problem', title: 'Held by another agent', path: '/problems/held' },
        pages: [],
        docs: [],
        operations: [],
        problems: [{ code: 'held', status: 409, title: 'Held by another agent', path: '/problems/held' }],
        totals: { pages: 0, docs: 0, operations: 0, problems: 1 },
      },
    },
  ],
});

export const designPage = defineOperation({
  ...shared,
  operationId: 'design',
  path: '/design',
  summary: 'Page components',
  description: `Shows the design tokens and components of the pages. ${FORMS}`,
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
