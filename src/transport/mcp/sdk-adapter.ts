import type { IncomingHttpHeaders } from 'node:http';
import type { ServerContext } from '@modelcontextprotocol/server';
import { HOUR_MS } from '#kernel/clock.ts';
import type { ReceivedToolCall, ToolServer, Trace } from './tool-server.ts';
import { LIST_HINTS, unknownToolText } from './lone-call.ts';
import type { Sdk } from './sdk.ts';
import type { ToolResult } from './tool-result.ts';

/** One HTTP request with MCP messages in it, and what became of their calls. */
export interface McpRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly call: Omit<ReceivedToolCall, 'meta' | 'left'>;
  /** Whose signal that of the call is. */
  readonly left: AbortController;
  /** Filled with one entry for each tools/call that was answered. */
  readonly traces: Trace[];
}

export interface ServiceIdentity {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
}

/** The SDK marks the low-level server as deprecated in favour of one that registers every tool again for each request. */
type LowLevelServer = InstanceType<Sdk['Server']>;

const HINTS = {
  'tools/list': LIST_HINTS,
  'server/discover': { ttlMs: HOUR_MS, cacheScope: 'public' },
} as const;
const BOTH_MEDIA = 'application/json, text/event-stream';
/** Never asked for: the SDK wants the address of a request. */
const ADDRESS = 'http://mcp.invalid/';

/** The official SDK with one table of tools behind it. Both protocol eras are answered in plain JSON. */
export class SdkAdapter {
  readonly #sdk: Sdk;
  readonly #desk: ToolServer;
  readonly #identity: ServiceIdentity;
  readonly #requests = new WeakMap<Request, McpRequest>();
  readonly #modern: ReturnType<Sdk['createMcpHandler']>;

  constructor(sdk: Sdk, desk: ToolServer, identity: ServiceIdentity) {
    this.#sdk = sdk;
    this.#desk = desk;
    this.#identity = identity;
    const factory = ({ requestInfo }: { requestInfo?: Request }) => {
      const request = requestInfo && this.#requests.get(requestInfo);
      if (request === undefined) throw new Error('a server for a request that nobody sent');
      return this.#server(request);
    };
    this.#modern = sdk.createMcpHandler(factory, { legacy: 'reject', maxSubscriptions: 64 });
  }

  /** Answers by whichever era the request belongs to. */
  async answer(given: McpRequest): Promise<Response> {
    const request = this.#requestOf(given);
    if (await this.#sdk.isLegacyRequest(request, given.body)) return this.#legacy(request, given);
    return this.#modern.fetch(request, { parsedBody: given.body });
  }

  /** Answers messages of the era before 2026-07-28, in which a stream of events belongs. */
  answerLegacy(given: McpRequest): Promise<Response> {
    return this.#legacy(this.#requestOf(given), given);
  }

  #requestOf(given: McpRequest): Request {
    const { headers, call } = given;
    const request = new Request(ADDRESS, { method: 'POST', headers: sdkHeaders(headers), signal: call.signal });
    this.#requests.set(request, given);
    return request;
  }

  async #legacy(request: Request, given: McpRequest): Promise<Response> {
    const transport = new this.#sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = this.#server(given);
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: given.body });
    } finally {
      await server.close();
    }
  }

  #server(request: McpRequest): LowLevelServer {
    const { name, version, instructions } = this.#identity;
    const server = new this.#sdk.Server(
      { name, version },
      { capabilities: { tools: {} }, instructions, cacheHints: HINTS, inputRequired: { legacyShim: false } },
    );
    server.setRequestHandler('tools/list', ({ params }) => {
      if (params?.cursor !== undefined) throw this.#invalid('Unknown cursor: the list has only one page.');
      return { tools: this.#desk.list as never };
    });
    server.setRequestHandler('tools/call', ({ params }, context) =>
      this.#call(params.name, params.arguments ?? {}, request, context),
    );
    return server;
  }

  async #call(
    name: string,
    args: Record<string, unknown>,
    { call, traces }: McpRequest,
    { mcpReq }: ServerContext,
  ): Promise<ToolResult> {
    const asked = { ...call, meta: (mcpReq._meta ?? {}) as Record<string, unknown> };
    const { result, trace } = await this.#desk.call(name, args, asked);
    traces.push(trace);
    if (result === undefined) throw this.#invalid(unknownToolText(name));
    return result;
  }

  #invalid(message: string): Error {
    return new this.#sdk.ProtocolError(this.#sdk.ProtocolErrorCode.InvalidParams, message);
  }
}

/** Those that the SDK reads; any Accept that we can meet becomes the one that it wants. */
function sdkHeaders(headers: IncomingHttpHeaders): Headers {
  const kept = new Headers({ 'content-type': 'application/json', accept: BOTH_MEDIA });
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith('mcp-') && value !== undefined) kept.set(name, String(value));
  }
  return kept;
}
