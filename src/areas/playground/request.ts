import { parsedJson } from '#kernel/bound-operation.ts';
import { type Operation, pathFields } from '#kernel/operation.ts';
import type { RowTool } from '#kernel/row-tool.ts';
import { shellQuoted, toolCallOf } from '#web/call-code.ts';
import { visible } from '#web/untrusted.ts';
import type { PlaygroundAnswer } from './answer.ts';

type Values = Readonly<Record<string, string>>;
type Fields = PlaygroundAnswer['chosen']['fields'];

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

/** Path and query of the call, without the members that go in a body. */
export function targetOf(operation: Operation, values: Values): string {
  const { path } = operation;
  const filled = pathFields(path).reduce(
    (address, name) => address.replace(`{${name}}`, encodeURIComponent(values[name] ?? '')),
    path,
  );
  const query = new URLSearchParams(besidePath(operation, values)).toString();
  return isPosted(operation) || query === '' ? filled : `${filled}?${query}`;
}

/** POST with a body wherever the operation takes one. */
function isPosted({ method, alsoPost }: Operation): boolean {
  return method === 'post' || alsoPost === true;
}

function besidePath({ path }: Operation, values: Values): Record<string, string> {
  const inPath = pathFields(path);
  return Object.fromEntries(Object.entries(values).filter(([name]) => !inPath.includes(name)));
}

interface RequestOf {
  readonly fields: Fields;
  readonly baseUrl: string;
  readonly tool: RowTool | undefined;
}

/** The request as a caller would send it. */
export function requestOf(
  operation: Operation,
  values: Values,
  { fields, baseUrl, tool }: RequestOf,
): PlaygroundAnswer['request'] {
  const url = baseUrl + targetOf(operation, values);
  const body = isPosted(operation) ? bodyText(besidePath(operation, values), fields) : null;
  const sent = body === null ? '' : ` \\\n  -H 'content-type: application/json' \\\n  -d ${shellQuoted(body)}`;
  const toolCall = toolCallOf(operation, inputOf(values, fields), { baseUrl, tool });
  return {
    method: body === null ? 'GET' : 'POST',
    url,
    body,
    curl: `curl ${shellQuoted(url)}${sent}`,
    mcp: toolCall === undefined ? null : visible(toolCall),
  };
}

/** The members as values; what is not JSON yet, in a form that is half filled in, stays text. */
function inputOf(values: Values, fields: Fields): Readonly<Record<string, unknown>> {
  const members = Object.entries(values).map(([name, text]) => {
    const parsed = parsedJson(bodyText({ [name]: text }, fields)) as Readonly<Record<string, unknown>> | undefined;
    return [name, parsed === undefined ? text : parsed[name]] as const;
  });
  return Object.fromEntries(members);
}
