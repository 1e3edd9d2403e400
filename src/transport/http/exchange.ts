import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { VERSION } from '#platform/version.ts';
import type { PaidTrace } from '#kernel/paid-operation.ts';
import type { Refusal } from '#kernel/problem.ts';
import type { AnsweredCall } from '#platform/observability/call-metrics.ts';
import type { SignedCall, SignedMessage } from '#platform/identity/identities.ts';
import type { TrailEntry } from '#platform/trail/call-line.ts';
import type { SentInput, Site } from '#kernel/operation.ts';
import { Connection } from './connection.ts';
import { formOf, PAGE_MEDIA, pageHeaders } from './forms.ts';
import { isLong, type LongAnswers } from './long-answers.ts';
import type { Representation } from './negotiation.ts';
import type { SlowReaders } from './slow-readers.ts';

export interface RefusalForm {
  readonly mediaType: string;
  readonly body: string | Uint8Array;
}

export interface ExchangeHost {
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  readonly record: (call: TrailEntry, headers: IncomingMessage['headers']) => void;
  readonly isDraining: () => boolean;
  /** Asked of a call that carries a signature. */
  readonly identify?: ((request: SignedMessage) => SignedCall) | undefined;
  readonly site: Site;
  readonly slowReaders: SlowReaders;
  /** How a refusal is written on this path. */
  readonly refusalForm: (refusal: Refusal, exchange: Exchange, form: Representation) => RefusalForm;
  /** Told of a page that could not be made. */
  readonly logFault: (requestId: string, operationId: string, error: unknown) => void;
  /** Told of every answer. */
  readonly answered?: ((call: AnsweredCall) => void) | undefined;
  readonly longAnswers: LongAnswers;
}

const COMMON_HEADERS = [
  'x-content-type-options',
  'nosniff',
  'referrer-policy',
  'no-referrer',
  'avouch-version',
  VERSION,
];

/** Sent with every answer that a cache may keep, and otherwise only to browsers, which alone read them. */
const CORS_HEADERS = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  'ETag, Link, Deprecation, Sunset, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, PAYMENT-REQUIRED, PAYMENT-RESPONSE, Idempotent-Replayed, Preference-Applied, Avouch-Version',
];

/** One request and the one answer that it gets. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  readonly requestId: string;
  /** When it arrived, by the clock of the world and by the monotonic one. */
  readonly atMs: number;
  readonly startedMs: number;
  readonly #host: ExchangeHost;
  /** Headers that hold whatever the answer will be, such as the rate limit's. */
  readonly headers: string[];
  operationId: string | null = null;
  /** Whether it may have changed something before it failed. */
  mayChange = false;
  addressTag: string | null = null;
  /** The refusal of a call that comes too soon and that its handler judges nevertheless. */
  tooSoon: Refusal | undefined;
  agent: string | null = null;
  /** Who paid over x402, and for which result. */
  paid: PaidTrace | undefined;
  /** Who signed it; undefined for a call without a signature. */
  readonly identity: SignedCall | undefined;
  /** The form that path or query ask for, whatever Accept says. */
  form: Representation | undefined;
  /** The page of this answer, where the handler made one for it. */
  ownPage: ((site: Site) => string) | undefined;
  /** The page of a refusal, where the operation has one; undefined for the general page. */
  refusalPage: ((refusal: Refusal) => string | undefined) | undefined;
  /** A refusal in another form than JSON, for a call that is not answered by a page. */
  refusalFile: ((refusal: Refusal) => RefusalForm | undefined) | undefined;
  /** What the caller sent, for a page that shows it again. */
  sent: SentInput = {};
  /** What only a page or its form sends. */
  pageInput: Readonly<Record<string, string>> | undefined;
  bodyBytes = 0;
  parameterNames: readonly string[] = [];

  constructor(host: ExchangeHost, request: IncomingMessage, response: ServerResponse, requestId: string) {
    this.#host = host;
    this.request = request;
    this.response = response;
    this.connection = Connection.of(request.socket);
    this.requestId = requestId;
    this.atMs = host.nowMs();
    this.startedMs = host.monotonicMs();
    this.headers = [...COMMON_HEADERS, 'x-request-id', requestId];
    if (request.headers.origin !== undefined) this.#openToBrowsers();
    this.identity = request.headers['signature-input'] === undefined ? undefined : host.identify?.(request);
  }

  /** For answers that a cache may hand to a browser later. */
  openToCaches(): void {
    if (this.request.headers.origin === undefined) this.#openToBrowsers();
  }

  #openToBrowsers(): void {
    this.headers.push(...CORS_HEADERS);
  }

  /** Whatever the answer will be, pages of other sites may not read it. */
  closeToOtherSites(): void {
    const at = this.headers.indexOf('access-control-allow-origin');
    if (at !== -1) this.headers.splice(at, CORS_HEADERS.length);
  }

  /** Whatever the answer will be, the connection ends with it, and what the caller sent ahead on it is not looked at. */
  endConnection(): void {
    this.headers.push('connection', 'close');
    this.connection.isEnding = true;
  }

  refuse(refusal: Refusal): void {
    const { retryAfterSeconds } = refusal.details;
    if (retryAfterSeconds !== undefined) this.headers.push('retry-after', String(retryAfterSeconds));
    this.headers.push('cache-control', 'no-store', 'vary', 'Accept');
    const { mediaType, body } = this.#refusalForm(refusal, formOf(this));
    if (mediaType.startsWith('text/html')) this.headers.push(...pageHeaders(this.#host.site));
    this.send(refusal.type.status, mediaType, body, refusal.type.code);
  }

  /** A page that cannot be made must not leave its caller without an answer. */
  #refusalForm(refusal: Refusal, form: Representation): RefusalForm {
    try {
      const own = form === 'html' ? (this.ownPage?.(this.#host.site) ?? this.refusalPage?.(refusal)) : undefined;
      if (own !== undefined) return { mediaType: PAGE_MEDIA.html, body: own };
      const file = form === 'json' ? this.refusalFile?.(refusal) : undefined;
      return file ?? this.#host.refusalForm(refusal, this, form);
    } catch (error) {
      this.#host.logFault(this.requestId, this.operationId ?? 'transport', error);
      return this.#host.refusalForm(refusal, this, 'json');
    }
  }

  send(status: number, mediaType: string, body: string | Uint8Array, code: string | null = null): void {
    const bytesOut = Buffer.byteLength(body);
    this.headers.push('content-type', mediaType, 'content-length', String(bytesOut));
    this.#finish(status, body, bytesOut, code);
    this.#watchReader();
  }

  /** Sends the head of an answer whose body follows in pieces; `endPieces` or `cutPieces` must follow. */
  beginPieces(mediaType: string): void {
    this.headers.push('content-type', mediaType, 'cache-control', 'no-store', 'x-accel-buffering', 'no');
    this.#showIdentity();
    this.response.writeHead(200, this.headers);
  }

  /** Resolves when the caller can take more, or has left. */
  async writePiece(piece: string | Uint8Array, left: AbortSignal): Promise<void> {
    const { response } = this;
    if (response.write(piece)) return;
    this.#host.slowReaders.watch(response);
    // A caller that leaves instead is seen by whoever makes the pieces.
    await once(response, 'drain', { signal: left }).catch(() => {});
    this.#host.slowReaders.taken(response);
  }

  /** The whole answer was given; a caller that left before it was has only its line in the trail. */
  endPieces(bytesOut: number): void {
    this.response.end();
    this.#watchReader();
    this.#leave();
    this.#record(200, bytesOut, null);
  }

  /** Ends the connection without the mark of a complete answer. */
  cutPieces(bytesOut: number, code: string): void {
    this.response.destroy();
    this.connection.forget(this.response);
    this.#record(200, bytesOut, code);
  }

  #watchReader(): void {
    if (!this.#isSent()) this.#host.slowReaders.watch(this.response);
  }

  /** The connection knows of the answer until all of it is sent, which nearly all are at once. */
  #leave(): void {
    if (this.#isSent()) this.#isOver();
    else this.response.once('finish', () => this.#isOver());
  }

  #isOver(): void {
    const { response, connection } = this;
    const isLast = connection.forget(response);
    this.#host.slowReaders.sent(response, connection, isLast);
  }

  /** Without a connection it waits for the answers before it; a long one is still to be written. */
  #isSent(): boolean {
    const { response } = this;
    return response.writableFinished || (response.writableEnded && response.socket?.writableLength === 0);
  }

  /** The same call at another address, for good; where only some forms of the answer are there, Accept decides. */
  redirect(path: string, vary?: 'Accept'): void {
    this.headers.push('location', path, 'cache-control', 'public, max-age=300');
    if (vary !== undefined) this.headers.push('vary', vary);
    this.#finish(308, undefined, 0, null);
  }

  /** Sends a browser on, which then asks by GET. */
  seeOther(location: string): void {
    this.headers.push('location', location, 'cache-control', 'no-store', 'vary', 'Accept', 'content-length', '0');
    this.#finish(303, undefined, 0, null);
  }

  /** An answer without body: 204 and 304. */
  sendEmpty(status: 204 | 304): void {
    this.#finish(status, undefined, 0, null);
  }

  #finish(status: number, body: string | Uint8Array | undefined, bytesOut: number, code: string | null): void {
    const { response } = this;
    if (this.#host.isDraining()) this.endConnection();
    this.#showIdentity();
    response.writeHead(status, this.headers);
    if (body !== undefined && isLong(bytesOut) && this.request.method !== 'HEAD') this.#sendLong(body);
    else response.end(body);
    this.#leave();
    this.#record(status, bytesOut, code);
  }

  #showIdentity(): void {
    if (this.identity === undefined) return;
    // A cache may not tell others who signed this call.
    this.headers.push('avouch-identity', this.identity.header, 'vary', 'Signature-Input');
  }

  #sendLong(body: string | Uint8Array): void {
    const { response } = this;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const address = this.addressTag ?? '';
    const { longAnswers, slowReaders } = this.#host;
    longAnswers.send(response, { bytes, address, readsOn: () => slowReaders.readsOn(response) });
  }

  #traceparent(): string | undefined {
    const given = this.request.headers['traceparent'];
    return typeof given === 'string' ? given : undefined;
  }

  #record(status: number, bytesOut: number, code: string | null): void {
    const { request, atMs, requestId } = this;
    const op = this.operationId ?? 'none';
    const method = request.method ?? '';
    const ms = this.#host.monotonicMs() - this.startedMs;
    this.#host.answered?.({ op, method, status, code, atMs, ms, requestId, traceparent: this.#traceparent() });
    this.#host.record(
      {
        atMs,
        op,
        method,
        status,
        ms: Math.round(ms),
        addr: this.addressTag,
        agent: this.agent,
        inBytes: (request.url?.length ?? 0) + this.bodyBytes,
        outBytes: bytesOut,
        params: this.parameterNames,
        code,
        payer: this.paid?.payer,
        resultSha256: this.paid?.resultSha256,
        ...(this.identity !== undefined && signatureOf(this.identity)),
      },
      request.headers,
    );
  }
}

/** What the trail keeps of a signature. */
function signatureOf({ verdict: { state, verified } }: SignedCall): Pick<TrailEntry, 'identityState' | 'agentUrl'> {
  return { identityState: state, ...(verified !== null && { agentUrl: verified.agentUrl }) };
}
