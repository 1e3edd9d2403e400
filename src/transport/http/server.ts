import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { METHODS } from '#kernel/node-http.ts';
import { Server, type Socket } from 'node:net';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest, type RouteOptions } from 'fastify';
import type { Deprecation } from '#kernel/deprecation.ts';
import { type Operation, pagePathOf } from '#kernel/operation.ts';
import type { BoundOperation } from '#kernel/bound-operation.ts';
import type { Refusal } from '#kernel/problem.ts';
import { problemHtml } from '#web/problem-page.ts';
import * as problems from '#kernel/general-problems.ts';
import { bindOperation } from './bind-operation.ts';
import type { BodyLimits } from './body-budget.ts';
import { BodyError, BodyReader } from './body-reader.ts';
import type { Binding, CallHandler, ExchangeHandler } from './call-steps.ts';
import { CallTurns } from './call-turns.ts';
import { Connection } from './connection.ts';
import { Exchange, type ExchangeHost, type RefusalForm } from './exchange.ts';
import { refusalOfCodings } from './codings.ts';
import { asMarkdown, inOne, pagesElsewhere, untilSunset } from './handlers.ts';
import { type LongAnswerLimits, LongAnswers } from './long-answers.ts';
import { malformedAddress, type Place, placeOf, refusalOfAddress, unknownPath } from './place.ts';
import { PROBLEM_MEDIA_TYPE, problemDocument, problemText, simple } from './problem-response.ts';
import { PAGE_MEDIA } from './forms.ts';
import type { Representation } from './negotiation.ts';
import { FORM_MEDIA_TYPE } from './json-body.ts';
import { rawRefusal } from './raw-refusal.ts';
import { SlowReaders } from './slow-readers.ts';
import { type StreamLimits, Streams } from './streams.ts';

export interface HttpServerOptions
  extends Binding,
    Omit<ExchangeHost, 'isDraining' | 'slowReaders' | 'refusalForm' | 'longAnswers'> {
  readonly operations: readonly BoundOperation[];
  /** Rows that this installation does not offer: their addresses say so. */
  readonly leftOut?: readonly Operation[];
  readonly routes?: readonly Route[];
  /** Old or short addresses of pages. */
  readonly redirects?: Readonly<Record<string, string>>;
  /** Addresses of pages, for the page that says that there is none. */
  readonly pagePaths?: readonly string[];
  readonly baseUrl: () => string;
  readonly requestIdPrefix: string;
  readonly maxConnections: number;
  /** How many times longer than usual a connection may rest, or take to say what it wants or to take its answer. */
  readonly patience?: number;
  readonly streamLimits?: StreamLimits;
  readonly bodyLimits?: BodyLimits;
  readonly longAnswerLimits?: LongAnswerLimits;
}

/** A place that is no operation: it answers by itself, and its refusals have a form of their own. */
export interface Route {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly bodyLimitBytes?: number;
  /** Judges a call by its headers: goes on, or answers with a refusal. Only then is its body read. */
  readonly admit?: CallHandler['admit'];
  readonly handle: (exchange: Exchange, request: FastifyRequest, streams: Streams) => void;
  /** The JSON of a refusal on this path; a problem document where it has none of its own. */
  readonly refusalText?: (refusal: Refusal) => string;
  /** Request headers that pages may send; without them other methods find nothing here. */
  readonly allowedHeaders?: string;
  readonly deprecated?: Deprecation;
}

const MAX_HEADER_BYTES = 131_072;
const DEFAULT_BODY_BYTES = 65_536;
/** Often, so that few are late at once: a thousand refusals in one turn would hold up everybody. */
const CHECK_EVERY_MS = 100;
const MAX_PARAM_LENGTH = 512;
/** Of those that nobody has accepted yet: beyond it the system drops them, and their callers try again a second later. */
const MAX_WAITING_CONNECTIONS = 4_096;
const FAREWELL_MS = 1_000;
const FAREWELL_LOOK_MS = 50;
/** Of every call; the official payment client sends Access-Control-Expose-Headers as a header of its request. */
const ALLOWED_HEADERS = [
  'content-type',
  'payment-signature',
  'idempotency-key',
  'x-max-price',
  'access-control-expose-headers',
  'user-agent',
];

/** Fastify as a thin shell: routing and body parsing are its, everything that answers is ours. */
export class HttpServer implements AsyncDisposable {
  readonly #options: HttpServerOptions;
  readonly #app: FastifyInstance;
  readonly #host: ExchangeHost;
  readonly #streams: Streams;
  readonly #bodies: BodyReader;
  readonly #places: Place[] = [];
  readonly #slowReaders: SlowReaders;
  /** Calls that were admitted, while their bodies are read. */
  readonly #admitted = new WeakMap<IncomingMessage, Exchange>();
  readonly #slowReaderTimer: NodeJS.Timeout;
  #draining = false;
  #requests = 0;

  constructor(options: HttpServerOptions) {
    const { patience = 1 } = options;
    this.#options = options;
    this.#streams = new Streams(options.streamLimits);
    this.#slowReaders = new SlowReaders(options.monotonicMs, patience);
    this.#bodies = new BodyReader(
      (request) => options.tagOf(request, options.nowMs()),
      options.bodyLimits,
      (request, body) => this.#admitted.get(request)?.identity?.sawBody(body),
    );
    this.#host = {
      nowMs: options.nowMs,
      monotonicMs: options.monotonicMs,
      record: options.record,
      identify: options.identify,
      answered: options.answered,
      site: options.site,
      isDraining: () => this.#draining,
      longAnswers: new LongAnswers(options.monotonicMs, options.longAnswerLimits),
      slowReaders: this.#slowReaders,
      refusalForm: (refusal, exchange, form) => this.#refusalForm(refusal, exchange, form),
      logFault: options.logFault,
    };
    this.#app = fastify({
      logger: false,
      bodyLimit: DEFAULT_BODY_BYTES,
      requestTimeout: patience * 15_000,
      keepAliveTimeout: patience * 65_000,
      forceCloseConnections: 'idle',
      return503OnClosing: false,
      http: {
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: patience * 10_000,
        connectionsCheckingInterval: CHECK_EVERY_MS,
        // A missing Host is answered below: Node's own answer has no body. Of two it would hide one.
        requireHostHeader: false,
        joinDuplicateHeaders: true,
        // What announces no body has none (RFC 9112, 6.3), and needs no stream that would have to end.
        optimizeEmptyRequests: true,
      },
      routerOptions: {
        maxParamLength: MAX_PARAM_LENGTH,
        // The raw query: decoding is the operation's, with its own strict rules.
        querystringParser: (text: string) => text as unknown as Record<string, unknown>,
      },
      // No route has a schema of Fastify's: its compilers need not be loaded.
      schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
      clientErrorHandler: (error, socket) => this.#refuseSocket(error, socket),
      frameworkErrors: (_error, request, reply) => this.#refuse(request, reply, malformedAddress()),
    });
    const turns = new CallTurns(
      options.monotonicMs,
      (request) => options.tagOf(request, options.nowMs()),
      (request, response) => this.#app.routing(request, response),
    );
    this.#app.server.removeAllListeners('request').on('request', (request, response) => turns.take(request, response));
    this.#app.server.maxConnections = options.maxConnections;
    // A caller may end its side when it has said all: it waits for the answer.
    Object.assign(this.#app.server, { httpAllowHalfOpen: true });
    this.#app.server.on('checkExpectation', (request, response) => {
      const exchange = new Exchange(this.#host, request, response, this.#nextRequestId());
      exchange.refuse(simple(problems.malformedRequest, 'This Expect header is not supported.'));
    });
    this.#app.server.on('connect', (_request, socket) => {
      socket.on('error', () => socket.destroy());
      socket.end(this.#raw(simple(problems.notImplemented, 'Avouch is not a proxy.')));
    });
    this.#app.removeAllContentTypeParsers();
    const forms = options.operations.flatMap(({ operation }) => operation.otherBody?.mediaType ?? []);
    this.#app.addContentTypeParser(['application/json', ...new Set(forms)], this.#bodies.parse);
    this.#app.setNotFoundHandler((request, reply) => this.#answerUnrouted(request, reply));
    this.#app.setErrorHandler((error, request, reply) => this.#refuseError(error, request, reply));
    this.#bindAll();
    this.#slowReaderTimer = setInterval(() => this.#slowReaders.dropLate(), CHECK_EVERY_MS).unref();
  }

  /** Resolves with the port that is listened on. */
  async listen(host: string, port: number): Promise<number> {
    await this.#app.listen({ host, port, backlog: MAX_WAITING_CONNECTIONS });
    return (this.#app.server.address() as { port: number }).port;
  }

  /** Stops accepting, lets requests under way finish, then closes. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#draining = true;
    // Fastify would cut connections between two requests of a busy client. So first only new ones are refused, and
    // answers of the next moment say `Connection: close`.
    Server.prototype.close.call(this.#app.server);
    this.#streams.drain();
    for (let waitedMs = 0; waitedMs < FAREWELL_MS && (await this.connections()) > 0; waitedMs += FAREWELL_LOOK_MS) {
      await new Promise((resolve) => setTimeout(resolve, FAREWELL_LOOK_MS));
    }
    await this.#app.close();
    await this.#streams.ended();
    await this.#bodies[Symbol.asyncDispose]();
    clearInterval(this.#slowReaderTimer);
  }

  /** Open connections, a stream each among them. */
  connections(): Promise<number> {
    return new Promise((resolve) => this.#app.server.getConnections((_error, count) => resolve(count)));
  }

  #bindAll(): void {
    for (const method of METHODS) {
      if (!this.#app.supportedMethods.includes(method) && method !== 'CONNECT') this.#app.addHttpMethod(method);
    }
    const allowedOf = new Map<string, Set<string>>();
    const paidPaths = new Set<string>();
    const closedPaths = new Set<string>();
    const bindings = [
      ...this.#options.operations.map((bound) => ({
        operation: bound.operation,
        handler: untilSunset(bindOperation(bound, this.#options, this.#streams), bound.operation.deprecated),
        isPaid: 'gate' in bound,
      })),
      ...(this.#options.leftOut ?? []).map((operation) => ({ operation, handler: LEFT_OUT, isPaid: false })),
    ];
    for (const { operation, handler, isPaid } of bindings) {
      const methods = [operation.method, ...(operation.alsoPost ? ['post'] : [])].map((name) => name.toUpperCase());
      if (operation.method === 'get' && (isPaid || !operation.effects)) methods.push('HEAD');
      for (const address of new Set([operation.path, pagePathOf(operation)])) {
        const named = address.replaceAll(/\{(\w+)\}/g, ':$1');
        const path = operation.wildcardPath ? named.replace(/:\w+$/, '*') : named;
        if (isPaid) paidPaths.add(path);
        if (operation.ownPagesOnly) closedPaths.add(path);
        const isElsewhere = address === operation.path && handler !== LEFT_OUT;
        const whole = isElsewhere ? pagesElsewhere(operation, inOne(handler)) : inOne(handler);
        this.#bindAt(path, methods, { operation, handler, whole });
        const allowed = allowedOf.get(path) ?? new Set(['OPTIONS']);
        allowedOf.set(path, allowed.union(new Set(methods)));
      }
    }
    const ofRows = this.#options.operations.flatMap(({ operation: { headerFields, headerOnly } }) =>
      Object.keys({ ...headerFields, ...headerOnly }),
    );
    const headers = [...new Set([...ALLOWED_HEADERS, ...ofRows])].join(', ');
    for (const [path, allowed] of allowedOf) {
      const allowedHeaders = closedPaths.has(path) ? undefined : headers;
      this.#places.push(placeOf(path, allowed, { isPaid: paidPaths.has(path), allowedHeaders }));
    }
    for (const [from, to] of Object.entries(this.#options.redirects ?? {})) {
      this.#routeUnread(from, ['GET', 'HEAD'], (exchange) => exchange.redirect(to));
      this.#places.unshift(placeOf(from, new Set(['GET', 'HEAD', 'OPTIONS']), { allowedHeaders: headers }));
    }
    for (const route of this.#options.routes ?? []) this.#bindRoute(route);
  }

  #bindAt(
    path: string,
    methods: readonly string[],
    { operation, handler, whole }: { operation: Operation; handler: CallHandler; whole: ExchangeHandler },
  ): void {
    const unread = methods.filter((method) => method !== 'POST');
    if (unread.length > 0) this.#routeUnread(path, unread, whole);
    // What takes the rest of a path would take the ending too: there only `?format=` chooses.
    if (operation.pages !== undefined && unread.length > 0 && operation.wildcardPath !== true) {
      this.#routeUnread(`${path}.md`, unread, asMarkdown(inOne(handler)));
    }
    if (methods.includes('POST')) this.#routePost(path, handler, operation);
  }

  #bindRoute(route: Route): void {
    const { path, method, admit = (_exchange, _request, goOn) => goOn(), handle, allowedHeaders, deprecated } = route;
    const run: ExchangeHandler = (exchange, request) => handle(exchange, request, this.#streams);
    const handler = untilSunset({ admit, run }, deprecated);
    if (method === 'GET') this.#routeUnread(path, [method], inOne(handler));
    else this.#routePost(path, handler, route);
    if (allowedHeaders === undefined) return;
    this.#places.push(placeOf(path, new Set(['OPTIONS', method]), { allowedHeaders }));
  }

  #refusalForm(refusal: Refusal, exchange: Exchange, form: Representation): RefusalForm {
    const { url: address = '/', method = 'GET' } = exchange.request;
    const [path = ''] = address.split('?', 1);
    const route = this.#options.routes?.find((one) => one.path === path);
    if (route?.refusalText !== undefined) return { mediaType: 'application/json', body: route.refusalText(refusal) };
    const baseUrl = this.#options.baseUrl();
    if (form === 'html') {
      const problem = problemDocument(refusal, baseUrl, path);
      const { requestId, operationId, mayChange } = exchange;
      const { next } = refusal.type;
      const { site, pagePaths } = this.#options;
      const call = {
        method,
        address,
        requestId,
        operationId,
        mayChange,
        ...(next && { next }),
        ...(pagePaths && { pagePaths }),
      };
      return { mediaType: PAGE_MEDIA.html, body: problemHtml(problem, call, site) };
    }
    return { mediaType: PROBLEM_MEDIA_TYPE, body: problemText(refusal, baseUrl, path) };
  }

  /** Answers preflights, says 405 where a path exists but not with this method, and 404 elsewhere. */
  #answerUnrouted(request: FastifyRequest, reply: FastifyReply): void {
    const [path = ''] = (request.raw.url ?? '').split('?', 1);
    const place = this.#places.find(({ pattern }) => pattern.test(path));
    if (place === undefined) return this.#refuse(request, reply, unknownPath());
    return this.#answer(request.raw.method === 'OPTIONS' ? place.preflight : place.refuse, request, reply);
  }

  #routePost(
    path: string,
    { admit, run }: CallHandler,
    { bodyLimitBytes: bodyLimit, takesForm, readBody }: Pick<Operation, 'bodyLimitBytes' | 'takesForm' | 'readBody'>,
  ): void {
    const route: RouteOptions = {
      url: path,
      method: 'POST',
      ...(bodyLimit !== undefined && { bodyLimit }),
      config: { keepsBytes: readBody !== undefined },
      onRequest: (request, reply, done) => {
        if (this.#isEnding(request, reply)) return;
        const exchange = this.#begin(request, reply);
        const refusal = refusalOfAddress(request);
        if (refusal !== undefined) return exchange.refuse(refusal);
        this.#admitted.set(request.raw, exchange);
        // Its key may be looked up for longer than its body takes to come.
        exchange.connection.coming = { request: request.raw, response: reply.raw };
        admit(exchange, request, () => {
          const unreadable = refusalOfCodings(request.headers);
          if (unreadable === undefined) done();
          else exchange.refuse(unreadable);
        });
      },
      handler: (request, reply) => {
        reply.hijack();
        const exchange = this.#admitted.get(request.raw) as Exchange;
        exchange.connection.promised = reply.raw;
        run(exchange, request);
      },
    };
    if (takesForm === undefined) return void this.#app.route(route);
    this.#app.register(async (scope) => {
      scope.addContentTypeParser(FORM_MEDIA_TYPE, this.#bodies.parse);
      scope.route(route);
    });
  }

  /** Answers before a body would be parsed: where none belongs, none is looked at, and it can hide no other fault. */
  #routeUnread(path: string, methods: string[], handle: ExchangeHandler): void {
    const onRequest = (request: FastifyRequest, reply: FastifyReply) => this.#answer(handle, request, reply);
    this.#app.route({ url: path, method: methods, exposeHeadRoute: false, onRequest, handler: () => {} });
  }

  #answer(handle: ExchangeHandler, request: FastifyRequest, reply: FastifyReply): void {
    if (this.#isEnding(request, reply)) return;
    const exchange = this.#exchange(request, reply);
    const refusal = refusalOfAddress(request);
    if (refusal !== undefined) return exchange.refuse(refusal);
    return handle(exchange, request);
  }

  /** Neither run nor answered: the caller sends again what it sent behind the last call of a connection (RFC 9112, 9.6). */
  #isEnding(request: FastifyRequest, reply: FastifyReply): boolean {
    const { isEnding } = Connection.of(request.raw.socket);
    if (isEnding) reply.hijack();
    return isEnding;
  }

  #exchange(request: FastifyRequest, reply: FastifyReply): Exchange {
    reply.hijack();
    const exchange = this.#begin(request, reply);
    exchange.connection.promised = reply.raw;
    return exchange;
  }

  #begin({ raw }: FastifyRequest, reply: FastifyReply): Exchange {
    const exchange = new Exchange(this.#host, raw, reply.raw, this.#nextRequestId());
    exchange.bodyBytes = Number(raw.headers['content-length'] ?? 0);
    return exchange;
  }

  #nextRequestId(): string {
    this.#requests += 1;
    return `${this.#options.requestIdPrefix}-${this.#requests}`;
  }

  #refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void {
    this.#exchange(request, reply).refuse(refusal);
  }

  /** A body that was not taken says why, one of no known kind has Fastify's codes; anything else is a fault of ours. */
  #refuseError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (request.is404) return this.#answerUnrouted(request, reply);
    const exchange = this.#admitted.get(request.raw) ?? this.#begin(request, reply);
    reply.hijack();
    if (error instanceof BodyError) return exchange.refuse(error.refusal);
    if (MEDIA_FAULTS.has((error as { code?: string }).code ?? '')) {
      return exchange.refuse(simple(problems.unsupportedMediaType, 'Send the body as application/json.'));
    }
    this.#options.logFault(exchange.requestId, 'transport', error);
    return exchange.refuse(simple(problems.internal, 'An internal error. The request id identifies it in our log.'));
  }

  /** The parser gave up before there was a request: the answer is written by hand and the connection ends. */
  #refuseSocket(error: NodeJS.ErrnoException & { readonly rawPacket?: unknown }, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const refusal = (REFUSALS_OF_CODES[error.code ?? ''] ?? malformedHttp)();
    const isHead = Buffer.isBuffer(error.rawPacket) && error.rawPacket.toString('latin1', 0, 5) === 'HEAD ';
    this.#endWith(this.#raw(refusal, isHead), socket);
  }

  #raw(refusal: Refusal, isHead = false): string {
    return rawRefusal(refusal, { baseUrl: this.#options.baseUrl(), requestId: this.#nextRequestId(), isHead });
  }

  #endWith(text: string, socket: Socket): void {
    const end = () => void (socket.writable && socket.end(text));
    // Calls that came whole before broken bytes get their own answers first: they may change state.
    const owed = Connection.of(socket).owed();
    if (owed.length === 0) end();
    else void Promise.all(owed.map((response) => once(response, 'finish'))).then(end, end);
  }
}

const malformedHttp = () => simple(problems.malformedRequest, 'This is not a complete HTTP/1.1 request.');

const REFUSALS_OF_CODES: Readonly<Record<string, () => Refusal>> = {
  HPE_HEADER_OVERFLOW: () =>
    simple(problems.headersTooLarge, `Address and headers have more than ${MAX_HEADER_BYTES} bytes.`),
  ERR_HTTP_REQUEST_TIMEOUT: () => simple(problems.requestTimeout, 'The request did not arrive in time.'),
};

const LEFT_OUT: CallHandler = { admit: (exchange) => exchange.refuse(problems.refuseNotOffered()), run: () => {} };

const MEDIA_FAULTS = new Set(['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'FST_ERR_CTP_EMPTY_TYPE']);

function noCompiler(): never {
  throw new Error('schemas belong to operations, not to routes');
}
