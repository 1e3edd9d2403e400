import type { IncomingHttpHeaders } from 'node:http';
import type { Sdk } from './sdk.ts';

/** A request that is one call of a tool and nothing else: what such a request needs of the SDK is known beforehand. */
export interface LoneCall {
  readonly id: string | number;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Of 2026-07-28, where each answer says that it is complete and whose it is. */
  readonly isModern: boolean;
}

type Members = Readonly<Record<string, unknown>>;

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
  if (!hasOnly(body, ['jsonrpc', 'id', 'method', 'params'])) return undefined;
  const { jsonrpc, id, method, params } = body;
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isId(id)) return undefined;
  if (!hasOnly(params, ['name', 'arguments', '_meta'])) return undefined;
  const { name, arguments: args = {}, _meta: meta = {} } = params;
  if (typeof name !== 'string' || name.length > MAX_NAME_LENGTH || !isMembers(args) || !isMembers(meta))
    return undefined;
  const isModern = VERSION in meta;
  const agrees = isModern ? isNewest(sdk, name, meta, headers) : isOlder(sdk, meta, headers);
  return agrees ? { id, name, args, meta, isModern } : undefined;
}

/** The answer of a tool as the SDK would send it. */
export function callAnswer({ id, isModern }: LoneCall, result: Members, server: { name: string; version: string }) {
  if (!isModern) return JSON.stringify({ result, jsonrpc: '2.0', id });
  const _meta = { ...(result['_meta'] as Members | undefined), [SERVER]: server };
  return JSON.stringify({ result: { ...result, resultType: 'complete', _meta }, jsonrpc: '2.0', id });
}

export function unknownToolText(name: string): string {
  return `Unknown tool: ${name.slice(0, MAX_NAME_LENGTH)}`;
}

export function unknownToolAnswer({ id, name }: LoneCall): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_602, message: unknownToolText(name) } });
}

function isNewest(sdk: Sdk, name: string, meta: Members, headers: IncomingHttpHeaders): boolean {
  const { [VERSION]: version, [CAPABILITIES]: capabilities, [CLIENT]: client } = meta;
  return (
    version === NEWEST &&
    headers['mcp-protocol-version'] === NEWEST &&
    headers['mcp-method'] === 'tools/call' &&
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
