// A call in the languages of `codeTabs`, as it runs when it is pasted.
import { type Operation, pathFields, type Site } from '#kernel/operation.ts';
import type { RowTool } from '#kernel/row-tool.ts';
import snippets from './snippets.json' with { type: 'json' };

type Called = Pick<Operation, 'operationId' | 'method' | 'path' | 'alsoPost'> &
  Partial<Pick<Operation, 'access' | 'headerOnly'>>;
type Input = Readonly<Record<string, unknown>>;

/** The same call from a shell, from TypeScript, from an MCP host and from our command line; no key is repeated. */
export function callSnippets(
  { operationId, method, path, access = 'none', headerOnly = {} }: Omit<Called, 'alsoPost'>,
  values: Input,
  site: Pick<Site, 'baseUrl' | 'rowTool'>,
) {
  const called = { operationId, method, path, access, headerOnly };
  const baseUrl = site.baseUrl();
  const inHeaders = Object.values(headerOnly);
  const input = Object.fromEntries(Object.entries(values).filter(([name]) => !inHeaders.includes(name)));
  const mcp = toolCallOf(called, input, { baseUrl, tool: site.rowTool?.(operationId) });
  return {
    curl: curlOf(called, input, baseUrl),
    ts: typescriptOf(called, input, baseUrl),
    ...(mcp !== undefined && { mcp }),
    cli: commandOf(called, input, baseUrl),
  };
}

/** The call as an MCP host sends it; undefined where no tool makes it. */
export function toolCallOf(
  operation: Called,
  input: Input,
  { baseUrl, tool }: { readonly baseUrl: string; readonly tool: RowTool | undefined },
): string | undefined {
  const given = tool?.argumentsOf === undefined ? input : tool.argumentsOf(input);
  if (tool === undefined || given === undefined) return undefined;
  const { name, path, header } = tool;
  const headers = [...keyHeaders(operation), ...(header === undefined ? [] : [header])];
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
  return [`POST ${baseUrl}${path}`, ...headers.map((one) => `${one}: $${KEYS[one]}`), JSON.stringify(message)].join(
    '\n',
  );
}

/** Text that a POSIX shell takes as one word. */
const PLAIN_WORD = /^[\w./:@=+-]+$/;

/** One word for a POSIX shell, whatever the text is. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same, without quotation marks where none are needed. */
export function shellWord(text: string): string {
  return PLAIN_WORD.test(text) ? text : shellQuoted(text);
}

/** The variable of the environment that holds each kind of key. */
const KEYS: Readonly<Record<string, string>> = {
  'x-agent-key': 'AGENT_KEY',
  'x-amh-key': 'PLATFORM_KEY',
  'x-crossing-token': 'CROSSING_TOKEN',
};

/** POST with a JSON body wherever the operation takes one. */
export function curlOf(operation: Called, input: Input, baseUrl: string): string {
  const { url, body } = requestOf(operation, input, baseUrl);
  return curl(url, [...keyOptions(operation), ...(body === undefined ? [] : bodyOptions(JSON.stringify(body)))]);
}

function requestOf({ method, path, alsoPost }: Called, input: Input, baseUrl: string): { url: string; body?: Input } {
  const inPath = pathFields(path);
  const filled = inPath.reduce((at, name) => at.replace(`{${name}}`, encodeURIComponent(textOf(input[name]))), path);
  const others = Object.entries(input).filter(([name]) => !inPath.includes(name));
  const isRead = method === 'get' && alsoPost !== true;
  const pairs = others.flatMap(([name, value]) => [value].flat().map((one) => [name, textOf(one)]));
  const query = isRead && pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
  return { url: `${baseUrl}${filled}${query}`, ...(!isRead && { body: Object.fromEntries(others) }) };
}

/** A POST of this JSON text. */
export function postOf(url: string, body: string): string {
  return curl(url, bodyOptions(body));
}

function curl(url: string, options: readonly string[]): string {
  return [`curl -s ${shellWord(url)}`, ...options].join(' \\\n  ');
}

function bodyOptions(json: string): string[] {
  return ["-H 'content-type: application/json'", `-d ${shellWord(json)}`];
}

function keyOptions(operation: Called): string[] {
  return keyHeaders(operation).map((header) => `-H "${header}: $${KEYS[header]}"`);
}

function keyHeaders({ access = 'none', headerOnly = {} }: Called): string[] {
  if (access !== 'agent' && access !== 'platform') return [];
  return Object.keys(headerOnly).filter((header) => Object.hasOwn(KEYS, header));
}

/** Runs wherever there is `fetch`, without a package. */
export function typescriptOf(operation: Called, input: Input, baseUrl: string): string {
  const { url, body } = requestOf(operation, input, baseUrl);
  const keys = keyHeaders(operation).map(
    (header) => [header, snippets.environment.replace('NAME', KEYS[header] ?? '')] as const,
  );
  return fetchOf(url, { headers: Object.fromEntries(keys), ...(body !== undefined && { body: literal(body) }) });
}

/** Headers and body as TypeScript writes them. */
export function fetchOf(
  url: string,
  { headers = {}, body }: { headers?: Readonly<Record<string, string>>; body?: string },
): string {
  const sent = { ...headers, ...(body !== undefined && { 'content-type': single('application/json') }) };
  const pairs = Object.entries(sent).map(([name, value]) => `${single(name)}: ${value}`);
  const options = [
    ...(body === undefined ? [] : ["method: 'POST'"]),
    ...(pairs.length === 0 ? [] : [`headers: { ${pairs.join(', ')} }`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${body})`]),
  ];
  const given = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${option},\n`).join('')}}`;
  return snippets.fetch.join('\n').replace('GIVEN', () => `${single(url)}${given}`);
}

/** Payments are signed by our client. @param input as JSON */
export function paidTypescriptOf(operationId: string, input: string, baseUrl: string, usdc: string): string {
  return snippets.paid
    .join('\n')
    .replace('BASE_URL', () => baseUrl)
    .replace('PRICE', usdc)
    .replace('OPERATION', operationId)
    .replace('INPUT', () => input);
}

/** Values within values go as JSON. */
export function commandOf({ operationId }: Pick<Called, 'operationId'>, input: Input, baseUrl: string): string {
  const isNested = Object.values(input).some((value) => typeof value === 'object' && value !== null);
  const options = isNested
    ? [`--json ${shellWord(JSON.stringify(input))}`]
    : Object.entries(input).map(([name, value]) => `--${name.replaceAll('_', '-')} ${shellWord(textOf(value))}`);
  return [`./avouch call ${operationId}`, ...options, `--url ${baseUrl}`].join(' \\\n  ');
}

/** How an MCP host is told of the tools. */
export function mcpConfig(baseUrl: string): string {
  return JSON.stringify({ mcpServers: { avouch: { type: 'http', url: `${baseUrl}/mcp/streamable` } } }, null, 2);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value as TypeScript writes it. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'string') return single(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(
    ([name, item]) => `${/^[a-z_$][\w$]*$/i.test(name) ? name : single(name)}: ${literal(item)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function single(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
