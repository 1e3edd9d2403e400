// Bare MCP messages over HTTP, in both eras of the protocol.
import assert from 'node:assert/strict';
import type { Answer } from './client.ts';
import type { TestService } from './service.ts';

export interface RpcAnswer {
  readonly result?: ToolAnswer & Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
}

export interface ToolAnswer {
  readonly isError?: boolean;
  readonly structuredContent?: Record<string, unknown>;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly _meta?: Record<string, unknown>;
}

interface Sent {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly meta?: Record<string, unknown>;
}

export const ERAS = ['legacy', 'modern'] as const;
type Era = (typeof ERAS)[number];

const REVISION = '2026-07-28';
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

export function post(service: TestService, body: unknown, { path = '/mcp/streamable', headers = {} }: Sent = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return service.call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
  });
}

/** One request of the era, and its parsed answer. */
export async function ask(service: TestService, era: Era, method: string, params: object = {}, sent: Sent = {}) {
  const name = (params as { name?: string }).name;
  const meta = era === 'modern' ? { ...ENVELOPE, ...sent.meta } : sent.meta;
  const body = { jsonrpc: '2.0', id: 7, method, params: { ...params, ...(meta !== undefined && { _meta: meta }) } };
  const modern = {
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  };
  const headers = { ...(era === 'modern' && modern), ...sent.headers };
  const answer = await post(service, body, { ...sent, headers });
  return { answer, rpc: answer.json as RpcAnswer };
}

export async function callTool(service: TestService, name: string, args: object, sent: Sent = {}): Promise<ToolAnswer> {
  const { answer, rpc } = await ask(service, 'legacy', 'tools/call', { name, arguments: args }, sent);
  assert.ok(rpc.result !== undefined, answer.text);
  return rpc.result;
}

/** The object of a tool that succeeded, which its text repeats. */
export async function useTool(service: TestService, name: string, args: object): Promise<Record<string, unknown>> {
  const { structuredContent, content, isError } = await callTool(service, name, args);
  assert.equal(isError, undefined, String(content[0]?.text));
  assert.deepEqual(
    content.map(({ text }) => JSON.parse(text) as unknown),
    [structuredContent],
  );
  return structuredContent as Record<string, unknown>;
}

export function errorOf({ isError, content, structuredContent }: ToolAnswer) {
  assert.equal(isError, true);
  assert.equal(structuredContent, undefined);
  return (JSON.parse(content[0]?.text ?? '') as { error: Record<string, unknown> }).error;
}

export function refusalOf(answer: Answer): readonly [status: number, rpc: number, code: unknown] {
  const { error } = answer.json as RpcAnswer;
  return [answer.status, error?.code ?? 0, error?.data?.['code']];
}

interface ListedTool {
  readonly name: string;
  readonly inputSchema: { readonly properties: object; readonly required?: readonly string[] };
}

/** What an endpoint lists. */
export async function toolsAt(service: TestService, path: string): Promise<readonly ListedTool[]> {
  const { answer, rpc } = await ask(service, 'legacy', 'tools/list', {}, { path });
  assert.ok(rpc.result !== undefined, answer.text);
  return rpc.result['tools'] as readonly ListedTool[];
}

/** The call in the MCP tab of a page: endpoint, tool and arguments. */
export function toolCallIn(text: string) {
  const [, path, message] = /POST https?:\/\/[^/\s]+(\/mcp\/\S+)\n(?:\S+: \S+\n)*(\{.*\})/.exec(text) ?? [];
  if (path === undefined || message === undefined) return undefined;
  const { params } = JSON.parse(message) as { params: { name: string; arguments: object } };
  return { path, ...params };
}
