import { type Operation, pathFields } from '#kernel/operation.ts';
import { shellQuoted } from '#web/call-code.ts';
import { visible } from '#web/untrusted.ts';
import type { PlaygroundAnswer } from './answer.ts';

type Values = Readonly<Record<string, string>>;
type Fields = PlaygroundAnswer['chosen']['fields'];

/** The operations that a tool answers too. */
const TOOLS: Readonly<Record<string, { readonly tool: string; readonly path: string; readonly rename?: Values }>> = {
  attest_verify: { tool: 'verify_astranl', path: '/mcp/streamable', rename: { attestation_id: 'ref' } },
  spend_fuse: { tool: 'spend_fuse', path: '/mcp/paid' },
  eu_vat_check: { tool: 'eu_vat_check', path: '/mcp/paid' },
};
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** Types whose text is JSON itself. */
const RAW_TYPES = new Set(['object', 'array', 'boolean']);

/** The JSON text of the members: numbers, lists and objects as they were typed, so that no digit is lost. */
export function bodyText(values: Values, fields: Fields): string {
  const typeOf = (name: string) => fields.find((field) => field.name === name)?.schema['type'];
  const members = Object.entries(values).map(([name, text]) => {
    const type = typeOf(name);
    const isNumber = (type === 'integer' || type === 'number') && NUMBER.test(text);
    const isRaw = isNumber || (typeof type === 'string' && RAW_TYPES.has(type));
    return `${JSON.stringify(name)}:${isRaw ? text : JSON.stringify(text)}`;
  });
  return visible(`{${members.join(',')}}`);
}

/** The request as a caller would send it: POST with a body wherever the operation takes one. */
export function requestOf(operation: Operation, values: Values, base: { fields: Fields; baseUrl: string }) {
  const { method, path, alsoPost, operationId } = operation;
  const inPath = pathFields(path);
  const filled = inPath.reduce(
    (address, name) => address.replace(`{${name}}`, encodeURIComponent(values[name] ?? '')),
    path,
  );
  const others = Object.fromEntries(Object.entries(values).filter(([name]) => !inPath.includes(name)));
  const isPost = method === 'post' || alsoPost === true;
  const query = new URLSearchParams(others).toString();
  const target = isPost || query === '' ? filled : `${filled}?${query}`;
  const url = base.baseUrl + target;
  const body = isPost ? bodyText(others, base.fields) : null;
  const sent = body === null ? '' : ` \\\n  -H 'content-type: application/json' \\\n  -d ${shellQuoted(body)}`;
  return {
    target,
    request: {
      method: isPost ? ('POST' as const) : ('GET' as const),
      url,
      body,
      curl: `curl ${shellQuoted(url)}${sent}`,
      mcp: toolCall(operationId, values, base),
    },
  };
}

function toolCall(
  operationId: string,
  values: Values,
  { fields, baseUrl }: { fields: Fields; baseUrl: string },
): string | null {
  const known = TOOLS[operationId];
  if (known === undefined) return null;
  const renamed = Object.entries(values).map(([name, text]) => [known.rename?.[name] ?? name, text] as const);
  const args = bodyText(Object.fromEntries(renamed), fields);
  return `POST ${baseUrl}${known.path}\n{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${known.tool}","arguments":${args}}}`;
}
