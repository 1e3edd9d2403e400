import type { Operation } from '#kernel/operation.ts';

type Values = Readonly<Record<string, unknown>>;

export interface SnippetCall {
  readonly operation: Pick<Operation, 'operationId' | 'method' | 'path' | 'access' | 'headerOnly'>;
  readonly values: Values;
  readonly baseUrl: string;
  /** The MCP tool that does the same. */
  readonly tool?: string | undefined;
}

/** What a caller puts into the header of each kind of key. */
const KEYS: Readonly<Record<string, string>> = {
  'x-agent-key': '$AGENT_KEY',
  'x-amh-key': '$PLATFORM_KEY',
};

/** The folder of the client, as a caller next to it names it. */
const CLIENT = './client';

/** The same call from a shell, from TypeScript, from an MCP host and from our command line. */
export function callSnippets({ operation, values, baseUrl, tool }: SnippetCall) {
  const inHeaders = Object.values(operation.headerOnly ?? {});
  const given = Object.fromEntries(Object.entries(values).filter(([name]) => !inHeaders.includes(name)));
  return {
    curl: curlOf(operation, given, baseUrl),
    ts: typeScriptOf(operation.operationId, given, baseUrl),
    ...(tool !== undefined && { mcp: JSON.stringify({ name: tool, arguments: given }, null, 2) }),
    cli: commandOf(operation.operationId, given),
  };
}

function curlOf({ method, path, access, headerOnly = {} }: SnippetCall['operation'], values: Values, base: string) {
  const inPath = (name: string) => path.includes(`{${name}}`);
  const address = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(textOf(values[name] ?? '')),
  );
  const others = Object.entries(values).filter(([name]) => !inPath(name));
  const query = method === 'get' ? queryOf(others) : '';
  const headers = Object.keys(headerOnly)
    .filter((header) => (access === 'agent' || access === 'platform') && Object.hasOwn(KEYS, header))
    .map((header) => `-H "${header}: ${KEYS[header]}"`);
  const body =
    method === 'post'
      ? ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(Object.fromEntries(others)))}`]
      : [];
  return [`curl -s ${quoted(`${base}${address}${query}`)}`, ...headers, ...body].join(' \\\n  ');
}

function queryOf(values: readonly (readonly [string, unknown])[]): string {
  const pairs = values.flatMap(([name, value]) => [value].flat().map((one) => [name, textOf(one)]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

function typeScriptOf(operationId: string, values: Values, baseUrl: string): string {
  const input = Object.keys(values).length === 0 ? '{}' : literal(values);
  return [
    `import { avouchClient } from '${CLIENT}/client.ts';`,
    `import { valueOf } from '${CLIENT}/outcome.ts';`,
    '',
    `const client = avouchClient({ baseUrl: ${single(baseUrl)} });`,
    `const value = valueOf(await client.${operationId}(${input}));`,
  ].join('\n');
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'string') return single(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([name, item]) => {
    return `${/^[a-z_$][\w$]*$/i.test(name) ? name : single(name)}: ${literal(item)}`;
  });
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function single(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function commandOf(operationId: string, values: Values): string {
  const command = `./avouch call ${operationId}`;
  const isNested = Object.values(values).some((value) => typeof value === 'object' && value !== null);
  if (isNested) return `${command} --json ${quoted(JSON.stringify(values))}`;
  const options = Object.entries(values).map(([name, value]) => {
    return ` --${name.replaceAll('_', '-')} ${quoted(textOf(value))}`;
  });
  return `${command}${options.join('')}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** For a POSIX shell; plain words need no quotation marks. */
function quoted(text: string): string {
  return /^[\w./:@=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
