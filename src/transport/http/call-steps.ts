import type { FastifyRequest } from 'fastify';
import { type Call, type Operation, pathFields, type ReadBody, type Site } from '#kernel/operation.ts';
import { type FieldError, Refusal } from '#kernel/problem.ts';
import {
  decode,
  emptyInput,
  MAX_PARAMETERS,
  numericFields,
  parseQuery,
  type RawInput,
  textToNumbers,
} from '#kernel/query-decoder.ts';
import * as problems from '#kernel/general-problems.ts';
import type { Exchange } from './exchange.ts';
import { takeFormat, takePageFields } from './forms.ts';
import { bodyOf, FORM_MEDIA_TYPE, isJsonMedia, mediaTypeOf, readForm } from './json-body.ts';
import { simple } from './problem-response.ts';
import type { RateLimiter, RateOutcome } from './rate-limit.ts';

type Headers = FastifyRequest['headers'];
interface CountedCall {
  readonly addressTag: string;
  readonly key: string;
  readonly isAccepted: boolean;
  readonly quota: number;
  readonly atMs: number;
}

type Barred = Refusal | undefined;
type FreeTries = ReturnType<NonNullable<Call['freeTries']>>;

/** What every bound operation needs from the server. */
export interface Binding {
  readonly limiterOf: (operation: Operation) => RateLimiter | undefined;
  readonly tagOf: (request: FastifyRequest['raw'], nowMs: number) => string;
  /** As `tagOf`, under a key that lives for thirty days. */
  readonly freeTriesOf?: (request: FastifyRequest['raw'], nowMs: number) => FreeTries;
  /** Names the key of a call whose key is known, which then counts instead of its address. */
  readonly keyTagOf?: (operation: Operation, headers: FastifyRequest['headers']) => string | undefined;
  /**
   * The refusal of a call whose row needs a key, by its headers alone; undefined where the key is good. A key that has the
   * right form is looked up only where that is allowed.
   */
  readonly unauthorized?: (operation: Operation, headers: Headers, looksUp: boolean) => Barred | Promise<Barred>;
  /** The usage rules: who is suspended, and what is against them. */
  readonly rules?: {
    /** The refusal of a call with effects whose caller is suspended; a promise where a key must be looked up first. */
    suspensionOf(operation: Operation, headers: Headers, addressTag: string): Barred | Promise<Barred>;
    /** Told of every refusal of a handler; resolves when what follows from it for the caller is stored. */
    refused(refusal: Refusal, operation: Operation, headers: Headers, addressTag: string): Promise<void> | undefined;
    /** Told of every call that was counted by its key. */
    counted(rate: Operation['rate'], call: CountedCall): void;
  };
  /** True while the audit trail cannot be written: calls with effects are refused. */
  readonly isTrailFailing: () => boolean;
  readonly explainFault: (error: unknown) => Refusal | undefined;
  readonly logFault: (requestId: string, operationId: string, error: unknown) => void;
  readonly site: Site;
  /** What may be done with the text of documents, as their Content-Signal says it. */
  readonly contentSignal?: string;
}

export type ExchangeHandler = (exchange: Exchange, request: FastifyRequest) => void;

/** A call in two parts, so that its body is read between them, and not at all where the first one refuses. */
export interface CallHandler {
  /** Judges a call by its headers: goes on, or answers with a refusal. */
  readonly admit: (exchange: Exchange, request: FastifyRequest, goOn: () => void) => void;
  readonly run: ExchangeHandler;
}

export function decodedInput(operation: Operation, raw: RawInput | Refusal, exchange: Exchange): unknown {
  if (raw instanceof Refusal) return raw;
  exchange.parameterNames = Object.keys(raw);
  if (operation.refusalPage !== undefined) exchange.sent = { ...raw };
  const faults = takeFormat(operation, raw, exchange);
  exchange.pageInput = takePageFields(operation, raw, exchange);
  const decoded = decode(operation.input, raw);
  if (!decoded.ok || faults.length > 0) {
    // A name that is no parameter of the call could be anything, a secret included.
    exchange.parameterNames = exchange.parameterNames.map((name) => (name in operation.input.shape ? name : '?'));
    return problems.refuseFields([...faults, ...(decoded.ok ? [] : decoded.errors)]);
  }
  const { agent } = decoded.input as { agent?: string };
  if (agent !== undefined) exchange.agent = agent;
  return decoded.input;
}

export function refuseIfTrailDown(binding: Binding): Refusal | undefined {
  if (!binding.isTrailFailing()) return undefined;
  const detail = 'The audit trail cannot be written right now. Nothing was stored.';
  return new Refusal(problems.auditTrailUnavailable, { detail, retryAfterSeconds: 5 });
}

/** Counts the call for its caller: by its key where that is known, else by its address and, if signed, its agent. */
function counted(exchange: Exchange, limiter: RateLimiter, keyTag?: string, cost = 1): RateOutcome {
  const { identity, startedMs } = exchange;
  const address = exchange.addressTag as string;
  const agent = keyTag === undefined ? identity?.seasonedTag : undefined;
  const outcome =
    agent === undefined
      ? limiter.take(keyTag ?? address, startedMs, cost)
      : limiter.takeSigned({ agent, address }, startedMs, cost);
  if (outcome.accepted) identity?.admitted(address);
  return outcome;
}

/** The refusal of a call that comes too soon; a call that is counted again says how it stands after that. */
export function limit(
  exchange: Exchange,
  limiter: RateLimiter | undefined,
  keyTag?: string,
  cost = 1,
): Refusal | undefined {
  if (limiter === undefined) return undefined;
  const outcome = counted(exchange, limiter, keyTag, cost);
  const said = exchange.headers.indexOf('ratelimit-policy');
  if (said !== -1) exchange.headers.splice(said, 4);
  exchange.headers.push('ratelimit-policy', limiter.policy, 'ratelimit', limiter.header(outcome));
  if (outcome.accepted) return undefined;
  const detail = `Too many calls ${keyTag === undefined ? 'from this address' : 'with this key'}. Wait, then try again.`;
  return new Refusal(problems.slowDown, { detail, retryAfterSeconds: outcome.retryAfterSeconds });
}

/** Goes on with the call unless it is refused. */
export function unlessRefused(
  refusal: Barred | Promise<Barred>,
  exchange: Exchange,
  goOn: () => void,
  fail: (exchange: Exchange, error: unknown) => void,
): void {
  if (refusal === undefined) return goOn();
  if (refusal instanceof Refusal) return exchange.refuse(refusal);
  refusal.then((late) => unlessRefused(late, exchange, goOn, fail)).catch((error: unknown) => fail(exchange, error));
}

/** Collects the input of a call from query or body, path and headers, and gives numbers their type. */
export function inputParser(operation: Operation): (request: FastifyRequest) => RawInput | Refusal {
  let numeric: ReadonlySet<string> | undefined;
  const inPath = pathFields(operation.path);
  const inHeaders = Object.entries(operation.headerFields ?? {});
  const onlyInHeaders = Object.entries(operation.headerOnly ?? {});
  const { wildcardPath } = operation;
  return (request) => {
    const query = parseQuery(request.query as string);
    const raw = request.method === 'POST' ? bodyInput(request, query, operation) : query;
    if (raw instanceof Refusal) return raw;
    const params = request.params as Record<string, string>;
    for (const name of inPath) raw[name] = params[wildcardPath && name === inPath.at(-1) ? '*' : name];
    for (const [header, name] of inHeaders) {
      const value = request.headers[header];
      // The same in both places says it once.
      if (value !== undefined) raw[name] = name in raw && raw[name] !== value ? [raw[name], value] : value;
    }
    for (const [header, name] of onlyInHeaders) {
      if (name in raw) return problems.refuseFields([notAParameter(name)]);
      const value = request.headers[header];
      if (value !== undefined) raw[name] = value;
    }
    // Read at the first call: all schemas together would hold up a start.
    if (request.method !== 'POST') textToNumbers(raw, (numeric ??= numericFields(operation.input)));
    return raw;
  };
}

function notAParameter(name: string): FieldError {
  return { pointer: `#/${name}`, code: 'unknown_parameter', detail: 'Unknown parameter.' };
}

function bodyInput(request: FastifyRequest, query: RawInput, operation: Operation): RawInput | Refusal {
  const { readBody, otherBody, takesForm } = operation;
  const contentType = request.headers['content-type'];
  const media = mediaTypeOf(contentType);
  if (isJsonMedia(contentType)) return bodyMembers(request.body, query, readBody);
  if (takesForm && media === FORM_MEDIA_TYPE) return bodyMembers(request.body, query, readForm);
  if (media !== otherBody?.mediaType) {
    return simple(problems.unsupportedMediaType, 'Send the body as application/json.');
  }
  const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
  return Object.assign(emptyInput(), otherBody.read(bytes, query));
}

/** A POST takes its members from the body alone, which must be one object. */
function bodyMembers(
  body: unknown,
  query: RawInput,
  readBody: ((bytes: Uint8Array) => ReadBody) | undefined,
): RawInput | Refusal {
  const stray = Object.keys(query);
  if (stray.length > 0) {
    return problems.refuseFields([
      { pointer: '#', code: 'query_beside_body', detail: 'Send every parameter in the body.' },
    ]);
  }
  const read = bodyOf(body, readBody) ?? { ok: true, value: null, faults: [] };
  if (!read.ok) return simple(problems.malformedJson, 'The body is not JSON in UTF-8.');
  if (read.faults.length > 0) return problems.refuseFields(read.faults);
  const { value } = read;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return problems.refuseFields([{ pointer: '#', code: 'wrong_type', detail: 'The body must be a JSON object.' }]);
  }
  if (Object.keys(value).length > MAX_PARAMETERS) {
    const detail = `The body has more than ${MAX_PARAMETERS} members.`;
    return problems.refuseFields([{ pointer: '#', code: 'too_many_members', detail }]);
  }
  return Object.assign(emptyInput(), value);
}
