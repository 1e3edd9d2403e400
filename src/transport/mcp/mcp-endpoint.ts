import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Site } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { TrailEntry } from '#platform/trail/call-line.ts';
import * as general from '#kernel/general-problems.ts';
import { takeBearer } from '../http/bearer.ts';
import { limit } from '../http/call-steps.ts';
import type { Exchange } from '../http/exchange.ts';
import { formOf, PAGE_MEDIA, pageHeaders } from '../http/forms.ts';
import { bodyOf } from '../http/json-body.ts';
import { PROBLEM_MEDIA_TYPE, problemDocument, simple } from '../http/problem-response.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { Route } from '../http/server.ts';
import { SSE_DEPRECATED } from './endpoints.ts';
import { LegacySse } from './legacy-sse.ts';
import * as problems from './problems.ts';
import { rpcRefusal } from './rpc-refusal.ts';
import { mcpPageHtml, WHERE_MCP_IS } from './mcp-page.ts';
import {
  batchAnswer,
  callAnswer,
  listAnswer,
  listsOfBatch,
  type LoneCall,
  loneCall,
  loneList,
  unknownToolAnswer,
} from './lone-call.ts';
import { loadSdk, type Sdk } from './sdk.ts';
import { type McpRequest, SdkAdapter, type ServiceIdentity } from './sdk-adapter.ts';
import type { ToolServer, Trace } from './tool-server.ts';

export interface McpOptions {
  readonly identityOf: (table: Table) => ServiceIdentity;
  /** Made with the first request: a start of the service does not wait for a hundred schemas. */
  readonly toolServers: () => Promise<ToolServers>;
  readonly site: Site;
  readonly limiter: RateLimiter;
  readonly tagOf: (request: IncomingMessage, nowMs: number) => string;
  /** The Host that the caller asked, also where a proxy of ours stands between. */
  readonly hostOf: (request: IncomingMessage) => string | undefined;
  readonly allowedHosts: () => string[];
  readonly allowedOrigins: () => string[];
  readonly record: (call: TrailEntry) => void;
  readonly logFault: (requestId: string, operationId: string, error: unknown) => void;
}

/** The tools of the specification, those for working beside other agents, and the verdicts that cost money. */
export interface ToolServers {
  readonly free: ToolServer;
  readonly coordination: ToolServer;
  readonly paid: ToolServer;
}

const BODY_LIMIT_BYTES = 1_048_576;
const MAX_BATCH = 20;
const ACCEPTED = /application\/json|application\/\*|\*\/\*|text\/event-stream/;
const BROWSER_HEADERS =
  'content-type, accept, mcp-protocol-version, mcp-method, mcp-name, authorization, x-agent-key, x-amh-key, x-crossing-token, x-avouch-agent';
/** Methods that the trail names; any other text is a caller's. */
const METHODS = new Set(['initialize', 'ping', 'tools/list', 'tools/call', 'server/discover', 'subscriptions/listen']);

type Table = keyof ToolServers;

/** What answers the messages for one table of tools. */
interface Answerer {
  readonly sdk: Sdk;
  readonly tools: ToolServer;
  readonly identity: ServiceIdentity;
  readonly adapter: SdkAdapter;
}

interface McpAnswer {
  readonly status: number;
  readonly mediaType: string;
  readonly text: string;
}

const JSON_MEDIA = 'application/json';

/** MCP over HTTP: who may ask, how often and how much; what is said is the SDK's. */
export class McpEndpoint {
  readonly #options: McpOptions;
  readonly #answerers = new Map<Table, Answerer>();
  readonly #sse = new LegacySse();
  #passedHost: string | null = null;

  constructor(options: McpOptions) {
    this.#options = options;
  }

  routes(): Route[] {
    const shared: Pick<Route, 'refusalText' | 'allowedHeaders' | 'admit'> = {
      refusalText: rpcRefusal,
      allowedHeaders: BROWSER_HEADERS,
      admit: (exchange, request, goOn) => this.#admit(exchange, request, goOn),
    };
    const post = (path: string, handle: (exchange: Exchange, request: FastifyRequest) => Promise<void>): Route => ({
      path,
      method: 'POST',
      bodyLimitBytes: BODY_LIMIT_BYTES,
      ...shared,
      handle: (exchange, request) => this.#unlessFault(exchange, handle(exchange, request)),
    });
    const old = { deprecated: SSE_DEPRECATED };
    return [
      post('/mcp/streamable', (exchange, request) => this.#answer(exchange, request, 'free')),
      // Where clients look that were given no more than the host.
      post('/mcp', (exchange, request) => this.#answer(exchange, request, 'free')),
      { path: '/mcp', method: 'GET', handle: (exchange, request) => this.#explain(exchange, request) },
      post('/mcp/coordination', (exchange, request) => this.#answer(exchange, request, 'coordination')),
      post('/mcp/paid', (exchange, request) => this.#answer(exchange, request, 'paid')),
      { ...post('/mcp/messages', (exchange, request) => this.#message(exchange, request)), ...old },
      {
        path: '/mcp/sse',
        method: 'GET',
        ...shared,
        ...old,
        handle: (exchange, _request, streams) => this.#unlessFault(exchange, this.#sse.open(exchange, streams)),
      },
    ];
  }

  /** A reader of the bare address is told where the endpoint is; a client that asks for a stream learns that there is none. */
  #explain(exchange: Exchange, { headers }: FastifyRequest): void {
    exchange.operationId = 'mcp';
    if (headers.accept?.includes('text/event-stream')) {
      exchange.headers.push('allow', 'OPTIONS, POST');
      return exchange.refuse(simple(general.methodNotAllowed, 'This path accepts only OPTIONS, POST.'));
    }
    const { site } = this.#options;
    exchange.headers.push('vary', 'Accept');
    if (formOf(exchange) === 'html') {
      exchange.headers.push('cache-control', 'public, max-age=300', ...pageHeaders(site));
      return exchange.send(200, PAGE_MEDIA.html, mcpPageHtml(site));
    }
    // No JSON-RPC was sent here, so the refusal is no answer of JSON-RPC.
    const problem = problemDocument(simple(general.notFound, WHERE_MCP_IS), site.baseUrl(), '/mcp');
    exchange.headers.push('cache-control', 'no-store');
    exchange.send(404, PROBLEM_MEDIA_TYPE, JSON.stringify(problem), general.notFound.code);
  }

  /** Asks the server behind the endpoint as a client would; throws where it does not answer. */
  async ping(): Promise<void> {
    const { adapter } = await this.#answerer('free');
    const left = new AbortController();
    const { ok } = await adapter.answer({
      headers: {},
      body: { jsonrpc: '2.0', id: 0, method: 'ping' },
      left,
      call: {
        requestId: 'probe',
        addressTag: 'probe',
        signal: left.signal,
        agentKey: undefined,
        header: () => undefined,
      },
      traces: [],
    });
    if (!ok) throw new Error('no answer to ping');
  }

  /** What every call passes before its body is read: rate class, Host and Origin. */
  #admit(exchange: Exchange, request: FastifyRequest, goOn: () => void): void {
    exchange.operationId = 'mcp';
    exchange.addressTag = this.#options.tagOf(request.raw, exchange.atMs);
    const limited = this.#take(exchange, 1);
    if (limited !== undefined) return exchange.refuse(limited);
    if (this.#isKnownHost(request.raw)) return goOn();
    const judged = this.#guard(request.raw).then((foreign) =>
      foreign === undefined ? goOn() : exchange.refuse(foreign),
    );
    this.#unlessFault(exchange, judged);
  }

  /** True for a caller that is no page and asks the Host of the call before, which passed: who may call does not change. */
  #isKnownHost(request: IncomingMessage): boolean {
    return request.headers.origin === undefined && this.#options.hostOf(request) === this.#passedHost;
  }

  #unlessFault(exchange: Exchange, work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#options.logFault(exchange.requestId, 'mcp', error);
      exchange.refuse(simple(general.internal, 'An internal error. The request id identifies it in our log.'));
    });
  }

  #take(exchange: Exchange, cost: number): Refusal | undefined {
    return limit(exchange, this.#options.limiter, undefined, cost);
  }

  /** Against pages that have a name of theirs point at us (DNS rebinding); what is not a page sends no Origin. */
  async #guard(request: IncomingMessage): Promise<Refusal | undefined> {
    const { validateHostHeader, validateOriginHeader } = await loadSdk();
    const { hostOf, allowedHosts, allowedOrigins } = this.#options;
    const host = hostOf(request);
    if (!validateHostHeader(host, allowedHosts()).ok) {
      return simple(problems.hostNotAllowed, "This Host is not one of this installation's names.");
    }
    if (!validateOriginHeader(request.headers.origin, allowedOrigins()).ok) {
      return simple(problems.hostNotAllowed, 'This Origin is not allowed.');
    }
    this.#passedHost = host ?? null;
    return undefined;
  }

  async #answer(exchange: Exchange, request: FastifyRequest, table: Table): Promise<void> {
    const given = this.#readRequest(exchange, request);
    if (given instanceof Refusal) return exchange.refuse(given);
    const answerer = await this.#answerer(table);
    this.#send(exchange, given, await this.#answerOf(answerer, given));
  }

  async #answerOf(answerer: Answerer, given: McpRequest): Promise<McpAnswer> {
    const { sdk, tools, identity, adapter } = answerer;
    const { body, headers } = given;
    if (Array.isArray(body)) return this.#batch(answerer, given, body);
    const call = loneCall(sdk, body, headers);
    if (call !== undefined) return this.#call(answerer, given, call);
    const list = loneList(sdk, body, headers);
    if (list === undefined) return read(await adapter.answer(given));
    return { status: 200, mediaType: JSON_MEDIA, text: listAnswer(list, tools.listText, identity) };
  }

  /** The SDK takes milliseconds for each list, so it is asked for the others alone; it may refuse the whole batch. */
  async #batch(answerer: Answerer, given: McpRequest, messages: readonly unknown[]): Promise<McpAnswer> {
    const { sdk, tools, identity, adapter } = answerer;
    const { lists, rest } = listsOfBatch(sdk, messages, given.headers);
    if (lists.length === 0) return read(await adapter.answer(given));
    const answer = rest.length === 0 ? undefined : await read(await adapter.answer({ ...given, body: rest }));
    if (answer !== undefined && answer.status >= 400) return answer;
    const texts = lists.map((list) => listAnswer(list, tools.listText, identity));
    return { status: 200, mediaType: JSON_MEDIA, text: batchAnswer(answer?.text ?? '', texts) };
  }

  /** The way of nearly every call: no objects of the SDK are made for it. */
  async #call({ tools, identity }: Answerer, { call, left, traces }: McpRequest, lone: LoneCall): Promise<McpAnswer> {
    const { result, trace } = await tools.call(lone.name, lone.args, { ...call, left, meta: lone.meta });
    traces.push(trace);
    const text = result === undefined ? unknownToolAnswer(lone) : callAnswer(lone, result, identity);
    return { status: 200, mediaType: JSON_MEDIA, text };
  }

  /** A message of the deprecated transport: its answer goes down the stream of the session. */
  async #message(exchange: Exchange, request: FastifyRequest): Promise<void> {
    const session = this.#sse.find(new URLSearchParams(request.query as string).get('sessionId'));
    if (session === undefined) {
      return exchange.refuse(simple(problems.sessionNotFound, 'This session has no open stream here.'));
    }
    const given = this.#readRequest(exchange, request);
    if (given instanceof Refusal) return exchange.refuse(given);
    const { adapter } = await this.#answerer('free');
    const answer = await read(await adapter.answerLegacy(given));
    if (answer.status !== 200) return this.#send(exchange, given, answer);
    session.push(answer.text);
    this.#send(exchange, given, { status: 202, mediaType: 'text/plain;charset=UTF-8', text: 'Accepted' });
  }

  async #answerer(table: Table): Promise<Answerer> {
    const known = this.#answerers.get(table);
    if (known !== undefined) return known;
    const [sdk, { [table]: tools }] = await Promise.all([loadSdk(), this.#options.toolServers()]);
    const identity = this.#options.identityOf(table);
    const answerer = { sdk, tools, identity, adapter: new SdkAdapter(sdk, tools, identity) };
    this.#answerers.set(table, answerer);
    return answerer;
  }

  /** The messages of the request, where they can be read and are not too many. */
  #readRequest(exchange: Exchange, { headers, body: given }: FastifyRequest): McpRequest | Refusal {
    const { accept } = headers;
    if (accept !== undefined && !ACCEPTED.test(accept)) {
      return simple(problems.notAcceptable, 'Responses are application/json. Send an Accept header that allows it.');
    }
    const conflict = takeBearer(headers);
    if (conflict !== undefined) return conflict;
    const parsed = bodyOf(given);
    if (parsed?.ok !== true) return simple(general.malformedJson, 'The body is not JSON in UTF-8.');
    if (parsed.faults.length > 0) return general.refuseFields(parsed.faults);
    const body: unknown = parsed.value;
    if (Array.isArray(body)) {
      if (body.length === 0 || body.length > MAX_BATCH) {
        return simple(problems.batchTooLong, `A batch must have 1 to ${MAX_BATCH} messages.`);
      }
      const limited = body.length > 1 ? this.#take(exchange, body.length - 1) : undefined;
      if (limited !== undefined) return limited;
    }
    const left = new AbortController();
    // An abort that nobody hears costs as much as a small tool.
    exchange.response.once('close', () => void (exchange.response.writableFinished || left.abort()));
    const header = (name: string) => [headers[name]].flat()[0];
    const { requestId, addressTag, identity } = exchange;
    return {
      headers,
      body,
      left,
      traces: [],
      call: {
        requestId,
        addressTag: addressTag as string,
        signal: left.signal,
        agentKey: header('x-agent-key'),
        header,
        ...(identity !== undefined && { identity }),
      },
    };
  }

  #send(exchange: Exchange, { body, traces }: McpRequest, { status, mediaType, text }: McpAnswer): void {
    const [trace] = traces;
    const isBatch = Array.isArray(body);
    if (isBatch) for (const each of traces) this.#record(exchange, each);
    else if (trace !== undefined) {
      exchange.parameterNames = trace.params;
      exchange.paid = trace.paid;
    }
    exchange.operationId = isBatch ? 'mcp:batch' : (trace?.op ?? `mcp:${methodOf(body)}`);
    exchange.headers.push('cache-control', 'no-store');
    exchange.send(status, mediaType, text, isBatch ? null : (trace?.code ?? null));
  }

  #record({ atMs, addressTag }: Exchange, { op, params, code, paid }: Trace): void {
    this.#options.record({ atMs, op, status: 200, addr: addressTag, params, code, ...paid });
  }
}

async function read(response: Response): Promise<McpAnswer> {
  const mediaType = response.headers.get('content-type') ?? JSON_MEDIA;
  return { status: response.status, mediaType, text: await response.text() };
}

function methodOf(body: unknown): string {
  const { method } = (body ?? {}) as { method?: unknown };
  if (typeof method !== 'string') return 'other';
  return METHODS.has(method) ? method : method.startsWith('notifications/') ? 'notification' : 'other';
}
