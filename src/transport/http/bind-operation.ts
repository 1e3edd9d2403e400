import type { FastifyRequest } from 'fastify';
import {
  mediaTypesOf,
  type Operation,
  Redirect,
  type Site,
  StreamResponse,
  WithHeaders,
  WithPage,
  WithRefusal,
} from '#kernel/operation.ts';
import type { BoundOperation } from '#kernel/bound-operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { MalformedQueryError } from '#kernel/query-decoder.ts';
import * as problems from '#kernel/general-problems.ts';
import { answerWriter } from './answer.ts';
import { bindGate } from './bind-gate.ts';
import { callLimits } from './call-limits.ts';
import {
  type Binding,
  decodedInput,
  type CallHandler,
  inputParser,
  unlessRefused,
  refuseIfTrailDown,
} from './call-steps.ts';
import type { Exchange } from './exchange.ts';
import { formOf } from './forms.ts';
import { keyClash } from './bearer.ts';
import { cborRefusal } from './cbor-refusal.ts';
import { chooseMedia } from './negotiation.ts';
import { refusalOfError, simple } from './problem-response.ts';
import type { Streams } from './streams.ts';

/** The whole way of one call: guards, key, rate limit and suspension by its headers; then decoding, handler, answer. */
export function bindOperation(bound: BoundOperation, binding: Binding, streams: Streams): CallHandler {
  if ('gate' in bound) return { admit: (_exchange, _request, goOn) => goOn(), run: bindGate(bound, binding) };
  const { operation, handler } = bound;
  // By construction no row with a price comes here; should one, nothing starts.
  if (operation.price !== null) throw new Error(`${operation.operationId} has a price and no gate`);
  const limits = callLimits(operation, binding);
  const readInput = inputParser(operation);
  const mediaTypes = [...mediaTypesOf(operation), ...(operation.otherMediaTypes ?? [])];
  const { rules } = binding;
  const { conclude, fail } = conclusions(operation, binding, streams);
  const { whileSuspended } = operation;
  const isJudgedByInput = typeof whileSuspended === 'function';
  const unlessSuspended = (exchange: Exchange, { headers }: FastifyRequest, goOn: () => void) =>
    unlessRefused(rules?.suspensionOf(operation, headers, exchange.addressTag as string), exchange, goOn, fail);
  const run = (exchange: Exchange, request: FastifyRequest) => {
    try {
      const input = decodedInput(operation, readInput(request), exchange);
      if (input instanceof Refusal) return exchange.refuse(exchange.tooSoon ?? input);
      const tooMuch = limits.countInput(exchange, request.headers, input);
      if (tooMuch !== undefined) return exchange.refuse(tooMuch);
      if (!isJudgedByInput || whileSuspended(input as never)) return handle(exchange, request, input);
      unlessSuspended(exchange, request, () => handle(exchange, request, input));
    } catch (error) {
      fail(exchange, error);
    }
  };
  const handle = (exchange: Exchange, request: FastifyRequest, input: unknown) => {
    try {
      const mediaType = chooseMedia(request.headers.accept, mediaTypes);
      // The connection ends with the stream: a stop of the service need not look for it afterwards.
      if (operation.streams?.[mediaType] !== undefined) exchange.endConnection();
      const { requestId, atMs, pageInput, tooSoon } = exchange;
      const addressTag = exchange.addressTag as string;
      const { freeTriesOf } = binding;
      const output = handler(input, {
        requestId,
        addressTag,
        mediaType,
        isPrefetch: unaskedBy(request, binding.site) !== undefined,
        header: (name) => request.headers[name] as string | undefined,
        wantsPage: operation.pages !== undefined && formOf(exchange) === 'html',
        ...(pageInput !== undefined && { pageInput }),
        ...(exchange.identity !== undefined && { identity: exchange.identity }),
        ...(tooSoon !== undefined && { tooSoon }),
        ...(freeTriesOf !== undefined && { freeTries: () => freeTriesOf(request.raw, atMs) }),
      });
      // A handler that answers from memory is answered in the same turn: a promise would cost more than its work.
      if (!(output instanceof Promise)) return conclude(exchange, output, mediaType);
      const late = (value: Awaited<typeof output>) => {
        if (tooSoon !== undefined && value !== tooSoon) limits.charge(exchange, request.headers);
        conclude(exchange, value, mediaType);
      };
      output.then(late).catch((error: unknown) => fail(exchange, error));
    } catch (error) {
      fail(exchange, error);
    }
  };
  const admit = (exchange: Exchange, request: FastifyRequest, goOn: () => void) => {
    exchange.operationId = operation.operationId;
    exchange.mayChange = operation.effects;
    exchange.addressTag = binding.tagOf(request.raw, exchange.atMs);
    setRefusalForms(exchange, operation, binding.site);
    if (operation.ownPagesOnly) exchange.closeToOtherSites();
    const guarded = guard(operation, request, binding);
    if (guarded !== undefined) return exchange.refuse(guarded);
    const clash = keyClash(operation, request.headers);
    // Counted also when the key is refused.
    const tooSoon = limits.count(exchange, request.headers);
    const limited = tooSoon === undefined || limits.mayLookUp(exchange, request.headers) ? undefined : tooSoon;
    const onward = () => {
      if (limited !== undefined) return exchange.refuse(limited);
      exchange.tooSoon = tooSoon;
      if (isJudgedByInput) return goOn();
      unlessSuspended(exchange, request, goOn);
    };
    const refused = clash ?? binding.unauthorized?.(operation, request.headers, limited === undefined);
    unlessRefused(refused, exchange, onward, fail);
  };
  return { admit, run };
}

function setRefusalForms(exchange: Exchange, operation: Operation, site: Site): void {
  if (operation.refusalPage !== undefined) {
    exchange.refusalPage = (refusal) => operation.refusalPage?.(refusal, exchange.sent, site);
  }
  if (operation.cborProblems) exchange.refusalFile = (of) => cborRefusal(of, exchange.request.headers.accept);
}

interface Conclusions {
  /** Sends what the handler gave, in the form that was chosen. */
  readonly conclude: (exchange: Exchange, output: unknown, mediaType: string) => void;
  /** Answers a fault. */
  readonly fail: (exchange: Exchange, error: unknown) => void;
}

/** The ways in which a call ends. */
function conclusions(operation: Operation, binding: Binding, streams: Streams): Conclusions {
  const answer = answerWriter(operation, binding.site, { contentSignal: binding.contentSignal });
  const explain = (exchange: Exchange, error: unknown): Refusal => {
    if (error instanceof MalformedQueryError) return simple(problems.malformedRequest, error.message);
    const refusal = refusalOfError(error, binding.explainFault);
    if (refusal.type.status >= 500) binding.logFault(exchange.requestId, operation.operationId, error);
    return refusal;
  };
  const stream = (exchange: Exchange, streamed: StreamResponse, mediaType: string) => {
    const lasts = operation.streams?.[mediaType] ?? 'ends';
    const sent = streams.send(exchange, { streamed, mediaType, lasts, explain: (error) => explain(exchange, error) });
    sent.catch((error: unknown) => binding.logFault(exchange.requestId, operation.operationId, error));
  };
  const { rules } = binding;
  const note = (exchange: Exchange, refusal: Refusal, goOn: () => void) => {
    const noted = rules?.refused(refusal, operation, exchange.request.headers, exchange.addressTag as string);
    if (noted === undefined) return goOn();
    exchange.identity?.broke();
    noted.then(goOn).catch((error: unknown) => fail(exchange, error));
  };
  const conclude = (exchange: Exchange, output: unknown, mediaType: string): void => {
    if (output instanceof WithHeaders) {
      exchange.headers.push(...output.headers);
      return conclude(exchange, output.answer, mediaType);
    }
    if (output instanceof WithPage) {
      exchange.ownPage = output.page;
      return conclude(exchange, output.answer, mediaType);
    }
    if (output instanceof WithRefusal) {
      return note(exchange, output.refusal, () => conclude(exchange, output.answer, mediaType));
    }
    if (output instanceof Refusal) note(exchange, output, () => exchange.refuse(output));
    else if (output instanceof Redirect) exchange.seeOther(output.location);
    else if (output instanceof StreamResponse) stream(exchange, output, mediaType);
    else answer(exchange, output);
  };
  const fail = (exchange: Exchange, error: unknown) => exchange.refuse(explain(exchange, error));
  return { conclude, fail };
}

/** What browsers say, or once said, of a load before its user asks for it. */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
const UNASKED = /prefetch|prerender|preview/i;
/** Programs that open every link somebody writes to somebody else, and crawlers. */
const LINK_PREVIEW =
  /Slackbot|Slack-ImgProxy|Twitterbot|facebookexternalhit|Discordbot|TelegramBot \(|WhatsApp\/|LinkedInBot|SkypeUriPreview|Googlebot|bingbot/i;

/** A load that its user did not ask for never reaches a handler with effects, nor one whose trace could not be kept. */
function guard(operation: Operation, request: FastifyRequest, binding: Binding): Refusal | undefined {
  // A form of another site is sent without asking, unlike JSON.
  const isForeign = operation.checksOrigin ? saysCrossSite(request) : isCrossSite(request, binding.site);
  if (operation.takesForm && isForeign) return foreign();
  if (!operation.effects) return undefined;
  const unasked = unaskedBy(request, binding.site);
  if (unasked === 'preview')
    return simple(problems.prefetch, 'This address changes state and cannot be prefetched. Send a normal request.');
  return unasked === 'cross-site' ? foreign() : refuseIfTrailDown(binding);
}

function foreign(): Refusal {
  return simple(problems.crossSiteRequest, 'This address changes state. Send a POST with a JSON body.');
}

/** What makes a load one that its user did not ask for. */
function unaskedBy(request: FastifyRequest, site: Site): 'HEAD' | 'preview' | 'cross-site' | undefined {
  const { method, headers } = request;
  if (method === 'HEAD') return 'HEAD';
  if (method !== 'GET') return undefined;
  const isEarly = PURPOSE_HEADERS.some((name) => headers[name] !== undefined && UNASKED.test(String(headers[name])));
  if (isEarly || LINK_PREVIEW.test(headers['user-agent'] ?? '')) return 'preview';
  return isCrossSite(request, site) ? 'cross-site' : undefined;
}

function saysCrossSite({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['sec-fetch-site'] === 'cross-site';
}

/** Whether a page of another site sends it: browsers say so, and where an old one does not, its Origin tells. */
function isCrossSite({ headers }: FastifyRequest, site: Site): boolean {
  const { origin, host } = headers;
  if (headers['sec-fetch-site'] !== undefined || origin === undefined) return saysCrossSite({ headers });
  if (!URL.canParse(origin)) return true;
  const { protocol, host: from } = new URL(origin);
  const asked = `${protocol}//${host}`;
  const isAskedHost = URL.canParse(asked) && from === new URL(asked).host;
  return !isAskedHost && from !== new URL(site.baseUrl()).host;
}
