import type { IncomingHttpHeaders } from 'node:http';
import type { Sdk } from './sdk.ts';

/** A request for the list of tools and nothing else. */
export interface LoneList {
  readonly id: string | number;
  /** Of 2026-07-28, where each answer says that it is complete and whose it is. */
  readonly isModern: boolean;
}

/** A request that is one call of a tool and nothing else: what such a request needs of the SDK is known beforehand. */
export interface LoneCall extends LoneList {
  readonly name: string;
  readonly args: Members;
  readonly meta: Members;
}

type Members = Readonly<Record<string, unknown>>;
type Method = 'tools/call' | 'tools/list';
type Server = { readonly name: string; readonly version: string };

/** How long a client of 2026-07-28 may keep the list, and that it is the same for everybody. */
export const LIST_HINTS = { ttlMs: 300_000, cacheScope: 'public' } as const;

const NEWEST = '2026-07-28';
/** Members of `_meta` that the protocol gave a meaning; those that are not read here make it a call for the SDK. */
const RESERVED = 'io.modelcontextprotocol/';
const VERSION = `${RESERVED}protocolVersion`;
const CAPABILITIES = `${RESERVED}clientCapabilities`;
const CLIENT = `${RESERVED}clientInfo`;
const READ_HERE = new Set([VERSION, CAPABILITIES, CLIENT]);
const SERVER = `${RESERVED}serverInfo`;
const MAX_NAME_LENGTH = 128;

/**
 * Undefined for whatever is not certainly a well-formed `tools/call` whose headers agree with it: a batch, another
 * method, anything unknown, anything wrong. The SDK answers those.
 */
export function loneCall(sdk: Sdk, body: unknown, headers: IncomingHttpHeaders): LoneCall | undefined {
  const request = loneRequest(body, 'tools/call', ['name', 'arguments', '_meta']);
  if (request === undefined) return undefined;
  const { id, params, meta, isModern } = request;
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string' || name.length > MAX_NAME_LENGTH || !isMembers(args)) return undefined;
  const agrees = isModern ? isNewest(sdk, { method: 'tools/call', name }, meta, headers) : isOlder(sdk, meta, headers);
  return agrees ? { id, name, args, meta, isModern } : undefined;
}

/** The same of `tools/list`. A cursor is for the SDK: the list has one page. */
export function loneList(sdk: Sdk, body: unknown, headers: IncomingHttpHeaders): LoneList | undefined {
  const request = loneRequest(body, 'tools/list', ['_meta']);
  if (request === undefined) return undefined;
  const { id, meta, isModern } = request;
  const agrees = isModern ? isNewest(sdk, { method: 'tools/list' }, meta, headers) : isOlder(sdk, meta, headers);
  return agrees ? { id, isModern } : undefined;
}

/** The lists in a batch of the older era, and what else is in it. The SDK answers batches that open a session or repeat an id. */
export function listsOfBatch(
  sdk: Sdk,
  messages: readonly unknown[],
  headers: IncomingHttpHeaders,
): { readonly lists: readonly LoneList[]; readonly rest: readonly unknown[] } {
  const known = messages.map((message) => (isMembers(message) ? message : {}));
  const ids = known.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const isOdd = new Set(ids).size < ids.length || known.some(({ method }) => method === 'initialize');
  const found = messages.map((message) => (isOdd ? undefined : loneList(sdk, message, headers)));
  const lists = found.flatMap((list) => (list === undefined || list.isModern ? [] : [list]));
  return { lists, rest: messages.filter((_message, at) => found[at] === undefined || found[at].isModern) };
}

function loneRequest(body: unknown, method: Method, known: readonly string[]) {
  if (!hasOnly(body, ['jsonrpc', 'id', 'method', 'params'])) return undefined;
  const { jsonrpc, id, params = {} } = body;
  if (jsonrpc !== '2.0' || body['method'] !== method || !isId(id) || !hasOnly(params, known)) return undefined;
  const { _meta: meta = {} } = params;
  return isMembers(meta) ? { id, params, meta, isModern: VERSION in meta } : undefined;
}

/** The answer of a tool as the SDK would send it. */
export function callAnswer({ id, isModern }: LoneCall, result: Members, server: Server): string {
  if (!isModern) return JSON.stringify({ result, jsonrpc: '2.0', id });
  const _meta = { ...(result['_meta'] as Members | undefined), ...signed(server) };
  return JSON.stringify({ result: { ...result, resultType: 'complete', _meta }, jsonrpc: '2.0', id });
}

/** The list, whose own text is kept, as the SDK would send it. */
export function listAnswer({ id, isModern }: LoneList, tools: string, server: Server): string {
  const more = JSON.stringify({ resultType: 'complete', ...LIST_HINTS, _meta: signed(server) }).slice(1, -1);
  const members = isModern ? `,${more}` : '';
  return `{"result":{"tools":${tools}${members}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}

/** The answers of the SDK, of which one alone is no array, with those beside them. */
export function batchAnswer(ofSdk: string, texts: readonly string[]): string {
  if (ofSdk === '' && texts.length === 1) return texts[0] as string;
  const told = ofSdk.startsWith('[') ? ofSdk.slice(1, -1) : ofSdk;
  return `[${[...(told === '' ? [] : [told]), ...texts].join(',')}]`;
}

/** Whose answer it is, for the `_meta` of 2026-07-28. */
function signed({ name, version }: Server): Members {
  return { [SERVER]: { name, version } };
}

export function unknownToolText(name: string): string {
  return `Unknown tool: ${name.slice(0, MAX_NAME_LENGTH)}`;
}

export function unknownToolAnswer({ id, name }: LoneCall): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_602, message: unknownToolText(name) } });
}

function isNewest(
  sdk: Sdk,
  { method, name }: { readonly method: Method; readonly name?: string },
  meta: Members,
  headers: IncomingHttpHeaders,
): boolean {
  const { [VERSION]: version, [CAPABILITIES]: capabilities, [CLIENT]: client } = meta;
  return (
    version === NEWEST &&
    headers['mcp-protocol-version'] === NEWEST &&
    headers['mcp-method'] === method &&
    headers['mcp-name'] === name &&
    Object.keys(meta).every((key) => READ_HERE.has(key) || isFree(key)) &&
    isMembers(capabilities) &&
    (Object.keys(capabilities).length === 0 || sdk.isSpecType.ClientCapabilities(capabilities)) &&
    (client === undefined || sdk.isSpecType.Implementation(client))
  );
}

function isOlder(sdk: Sdk, meta: Members, headers: IncomingHttpHeaders): boolean {
  const version = headers['mcp-protocol-version'];
  return (
    (version === undefined || sdk.SUPPORTED_PROTOCOL_VERSIONS.includes(version as string)) &&
    Object.keys(meta).every(isFree)
  );
}

/** Members of `_meta` that the protocol leaves to those who use it. */
function isFree(key: string): boolean {
  return key !== 'progressToken' && !key.startsWith(RESERVED);
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Object.hasOwn(value, '__proto__');
}

function hasOnly(value: unknown, names: readonly string[]): value is Members {
  return isMembers(value) && Object.keys(value).every((name) => names.includes(name));
}
