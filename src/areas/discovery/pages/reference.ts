import { z } from 'zod';
import { anchorOf } from '#kernel/anchor.ts';
import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Operation, Site } from '#kernel/operation.ts';
import { callSnippets } from '#web/call-code.ts';
import { badge, card, code, codeTabs, dataTable, heading, keyValues } from '#web/components.ts';
import { machineReadable } from '#web/document.ts';
import { docsFrame } from './docs.ts';

const Listed = z.strictObject({
  operation_id: z.string(),
  method: z.string(),
  path: z.string(),
  summary: z.string(),
  page: z.string().meta({ description: 'Address of its page in the API reference.' }),
});

export const ApiIndex = z
  .strictObject({
    products: z.array(z.strictObject({ id: z.string(), title: z.string(), operations: z.array(Listed) })),
  })
  .meta({ id: 'ApiIndex' });

export const ApiOperation = z
  .strictObject({
    operation_id: z.string(),
    product: z.string(),
    method: z.enum(['GET', 'POST']),
    also_post: z.boolean().meta({ description: 'True if the same fields can be sent by POST in a JSON body.' }),
    path: z.string(),
    summary: z.string(),
    description: z.string(),
    auth: z.string(),
    price: z.record(z.string(), z.string()).nullable().meta({ description: 'Null if the call is free.' }),
    rate_class: z.string(),
    tool: z.string().nullable().meta({ description: 'The MCP tool that does the same. Null if there is none.' }),
    mcp_endpoint: z.string().nullable().meta({ description: 'Path of the MCP endpoint that has the tool.' }),
    parameters: z.array(
      z.strictObject({
        name: z.string(),
        in: z.enum(['path', 'query', 'body', 'header']),
        required: z.boolean(),
        type: z.string(),
        description: z.string(),
      }),
    ),
    example: z.strictObject({ input: z.looseObject({}), output: z.unknown() }).nullable(),
    problems: z.array(z.strictObject({ code: z.string(), status: z.int(), title: z.string() })),
  })
  .meta({ id: 'ApiOperation' });

export type ApiIndexAnswer = z.output<typeof ApiIndex>;
export type ApiOperationAnswer = z.output<typeof ApiOperation>;

const TITLE = 'API operations';
const LEAD = 'Every call, with its parameters, an example and its errors. Grouped by product.';

export const apiIndexPages = {
  html: (index: ApiIndexAnswer, site: Site) =>
    docsFrame(
      {
        title: TITLE,
        path: '/docs/api',
        group: 'Reference',
        contents: index.products.map(({ id, title }) => ({ id, title })),
        body: html`${heading(TITLE, LEAD)}${productTables(index)}${machineReadable('/docs/api')}`,
      },
      site,
    ),
  markdown: (index: ApiIndexAnswer) => documentMarkdown(index, TITLE),
};

function productTables({ products }: ApiIndexAnswer): Html {
  const marked = new Set<string>();
  return html`${products.map((one) => product(one, marked))}`;
}

/** A path that several calls share is marked at the first of them. */
function product({ id, title, operations }: ApiIndexAnswer['products'][number], marked: Set<string>): Html {
  const rows = operations.map(({ method, path, summary, page }) => {
    const anchor = marked.has(path) ? NOTHING : html` id="${anchorOf(path)}"`;
    marked.add(path);
    return [
      html`<a${anchor} href="${page}">${summary}</a>`,
      html`<span class="method">${method}</span> <code>${path}</code>`,
    ];
  });
  return html`<h2 id="${id}">${title}</h2>${dataTable({ caption: title, hidesCaption: true, columns: ['Call', 'Address'], rows })}`;
}

export const apiOperationPages = {
  html: (shown: ApiOperationAnswer, site: Site) =>
    docsFrame(
      {
        title: shown.summary,
        path: `/docs/api/${shown.operation_id}`,
        group: 'Reference',
        within: '/docs/api',
        parents: [{ href: '/docs/api', label: TITLE }],
        contents: sections(shown).map(({ id, title }) => ({ id, title })),
        body: operationBody(shown, site),
      },
      site,
    ),
  markdown: (shown: ApiOperationAnswer) => documentMarkdown(shown, shown.summary),
};

function operationBody(shown: ApiOperationAnswer, site: Site): Html {
  const { method, path, summary, description, also_post } = shown;
  const also = also_post ? html` <span class="muted">or POST with the same fields as JSON</span>` : NOTHING;
  const parts = sections(shown).map(({ id, title, body }) => html`<h2 id="${id}">${title}</h2>${body(site)}`);
  const [first = '', ...rest] = description.split(/(?<=[.!?]) (?=[A-Z])/);
  return html`${heading(summary, first)}
${rest.length === 0 ? NOTHING : html`<p>${rest.join(' ')}</p>`}
<p class="endpoint"><span class="method">${method}</span> <code>${path}</code>${also}</p>
${facts(shown)}${parts}${machineReadable(`/docs/api/${shown.operation_id}`)}`;
}

const AUTH: Readonly<Record<string, string>> = {
  none: 'None',
  x_agent_key: 'Agent key, in the header X-Agent-Key',
  x_amh_key: 'Platform key, in the header X-AMH-Key',
  control_token: 'Control token of the mandate',
  magic_link: 'A signed-in browser',
  x402: 'None: the call is paid with x402',
};

function facts({ product: name, auth, price, rate_class, tool, mcp_endpoint }: ApiOperationAnswer): Html {
  const cost =
    price === null
      ? 'Free'
      : `${price['amount']} ${price['currency']}${price['rule'] ? ` at least: ${price['rule']}` : ''}`;
  return card({
    body: keyValues([
      ['Product', name],
      ['Key', AUTH[auth] ?? auth],
      ['Price', cost],
      ['Rate limit', rate_class === 'none' ? 'None' : html`Class <code>${rate_class}</code>`],
      ['MCP tool', tool === null ? 'None' : html`<code>${tool}</code> at <code>${mcp_endpoint ?? ''}</code>`],
    ]),
  });
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: (site: Site) => Html;
}

function sections(shown: ApiOperationAnswer): readonly Section[] {
  const { parameters, example, problems } = shown;
  return [
    { id: 'parameters', title: 'Parameters', body: () => parameterTable(parameters) },
    ...(example === null
      ? []
      : [
          { id: 'call', title: 'Call it', body: (site: Site) => snippets(shown, example.input, site) },
          { id: 'response', title: 'Response', body: () => code(JSON.stringify(example.output, null, 2), 'Response') },
        ]),
    { id: 'errors', title: 'Errors', body: () => problemTable(problems) },
  ];
}

function parameterTable(parameters: ApiOperationAnswer['parameters']): Html {
  return dataTable({
    caption: 'Parameters',
    hidesCaption: true,
    empty: 'This call takes no parameters.',
    columns: ['Name', 'In', 'Values', 'Meaning'],
    rows: parameters.map(({ name, in: place, required, type, description }) => [
      html`<code>${name}</code>${required ? html` ${badge('required', 'info')}` : NOTHING}`,
      place,
      type,
      description,
    ]),
  });
}

function snippets(shown: ApiOperationAnswer, input: Readonly<Record<string, unknown>>, site: Site): Html {
  const { operation_id: operationId, method, path, auth } = shown;
  const headers = shown.parameters.filter(({ in: place }) => place === 'header').map(({ name }) => name);
  const sent = shown.parameters.filter(({ in: place }) => place !== 'header').map(({ name }) => name);
  const values = Object.fromEntries(Object.entries(input).filter(([name]) => sent.includes(name)));
  const operation = {
    operationId,
    path,
    method: method === 'GET' ? 'get' : 'post',
    access: auth === 'x_agent_key' ? 'agent' : auth === 'x_amh_key' ? 'platform' : 'none',
    headerOnly: Object.fromEntries(headers.map((name) => [name, name])),
  } satisfies Pick<Operation, 'operationId' | 'path' | 'method' | 'access' | 'headerOnly'>;
  return codeTabs('call-tabs', callSnippets(operation, values, site));
}

function problemTable(problems: ApiOperationAnswer['problems']): Html {
  return dataTable({
    caption: 'Errors',
    hidesCaption: true,
    columns: ['Code', 'Status', 'Meaning'],
    rows: problems
      .toSorted((a, b) => a.status - b.status)
      .map(({ code: name, status, title }) => [
        html`<a href="/problems/${name}"><code>${name}</code></a>`,
        String(status),
        title,
      ]),
  });
}
