import { type Clock, HOUR_MS } from '#kernel/clock.ts';
import { randomUnit } from '#kernel/ids.ts';
import type { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import { type OutboundAnswer, OutboundError } from '#platform/outbound/exchange.ts';
import type { Store } from '#platform/storage/store.ts';
import type { CallPlan, Ending, Lane, SourceId } from '../budget.ts';
import { callUnit } from '../call-unit.ts';
import * as sql from '../sql.ts';

export interface VenueHost {
  readonly host: Pick<ConfiguredHost, 'ask'>;
  readonly plan: CallPlan;
  readonly headers: () => Readonly<Record<string, string>>;
  /** An answer that did not change costs nothing of the limit. */
  readonly isUnchangedFree: boolean;
}

export interface VenueRequest<T> {
  readonly source: SourceId;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** What of the body is kept; undefined where it is not what was asked for. */
  readonly read: (body: unknown) => T | undefined;
  /** `part`: a source may refuse to show it without being ill. `list`: one that is not there is a failure. */
  readonly kind?: 'part' | 'list';
}

export type VenueReply<T> =
  | { readonly kind: 'answered'; readonly value: T; readonly atMs: number }
  /** The source says that there is no such thing, or that it moved. */
  | { readonly kind: 'absent'; readonly atMs: number }
  /** Not asked. */
  | { readonly kind: 'refused'; readonly why: 'held' | 'spent' | 'spaced' | 'off'; readonly untilMs: number }
  | { readonly kind: 'failed'; readonly code: string };

export interface VenueClientOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly sources: Readonly<Partial<Record<SourceId, VenueHost>>>;
  /** Told of every call without an answer; `AUTH_FAILED` ends only when somebody looks after the token. */
  readonly warn: (source: SourceId, code: string) => void;
}

/** What came back: how the source is, and what it says. */
interface Judged<T> {
  readonly ending: Ending;
  readonly asked: VenueReply<T>;
  readonly etag?: string | undefined;
}

const USUAL_WAIT_MS = 60_000;

/** The one way to a venue: leave from the store before each call, ETags, and a hold for all processes after a failure. */
export class VenueClient {
  readonly #options: VenueClientOptions;

  constructor(options: VenueClientOptions) {
    this.#options = options;
  }

  async ask<T>(request: VenueRequest<T>, lane: Lane, signal: AbortSignal): Promise<VenueReply<T>> {
    const { store, clock, sources, warn } = this.#options;
    const source = sources[request.source];
    if (source === undefined) return { kind: 'refused', why: 'off', untilMs: clock.now() + HOUR_MS };
    const url = `${request.source} ${request.path}?${new URLSearchParams(request.query)}`;
    const [kept] = await store.read(sql.ANSWER_OF_URL, [url]);
    const leave = await store.run(callUnit, { type: 'permit', source: request.source, lane, plan: source.plan });
    if (!leave.granted) return { kind: 'refused', why: leave.why, untilMs: leave.untilMs };
    const judged = await this.#send(request, source, { kept, signal });
    const { ending, asked, etag } = judged;
    if (asked.kind === 'failed' && asked !== STOPPED) warn(request.source, asked.code);
    const keep =
      asked.kind === 'answered' && etag !== undefined
        ? { url, etag, value: JSON.stringify(asked.value), atMs: asked.atMs }
        : null;
    await store.run(callUnit, { type: 'settle', source: request.source, lane, ending, keep });
    return asked;
  }

  async #send<T>(
    request: VenueRequest<T>,
    source: VenueHost,
    { kept, signal }: { readonly kept: Kept | undefined; readonly signal: AbortSignal },
  ): Promise<Judged<T>> {
    const headers = { ...source.headers(), ...(kept !== undefined && { 'if-none-match': kept.etag }) };
    const { path, query = {} } = request;
    try {
      const answer = await source.host.ask({ path, query, headers, signal });
      return judge(request, answer, { kept, nowMs: this.#options.clock.now(), isFree: source.isUnchangedFree });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      // An issue that moved to another repository.
      const isMoved = error.reason === 'redirect' && request.kind !== 'list';
      if (isMoved) return { ending: WELL, asked: { kind: 'absent', atMs: this.#options.clock.now() } };
      // We hung up ourselves: that says nothing about the source.
      if ((signal.reason as Error | undefined)?.name === 'AbortError') return { ending: WELL, asked: STOPPED };
      return ill(OUTBOUND_CODES[error.reason]);
    }
  }
}

interface Kept {
  readonly etag: string;
  readonly value: string;
}

interface Judging {
  readonly kept: Kept | undefined;
  readonly nowMs: number;
  readonly isFree: boolean;
}

const WELL: Ending = { type: 'well', isFree: false, remaining: null, resetAtMs: null };
const STOPPED = { kind: 'failed', code: 'STOPPED' } as const;
const OUTBOUND_CODES = {
  network: 'NETWORK',
  too_large: 'MALFORMED_RESPONSE',
  redirect: 'MALFORMED_RESPONSE',
  stopped: 'TIMEOUT',
} as const;
const MAX_ETAG = 200;
/** Gone, hidden from us or refused for good: it says something about the one thing that was asked for. */
const ABSENT = [401, 403, 404, 410, 422, 451];

function judge<T>(request: VenueRequest<T>, answer: OutboundAnswer, { kept, nowMs, isFree }: Judging): Judged<T> {
  const { status } = answer;
  const remaining = whole(answer.header('x-ratelimit-remaining') ?? answer.header('ratelimit-remaining'));
  const resetAtMs = seconds(answer.header('x-ratelimit-reset') ?? answer.header('ratelimit-reset'));
  const well = { type: 'well', isFree: false, remaining, resetAtMs } as const;
  if (status === 304 && kept !== undefined) {
    const asked = { kind: 'answered', value: JSON.parse(kept.value) as T, atMs: nowMs } as const;
    return { ending: { ...well, isFree }, asked, etag: kept.etag };
  }
  if (status === 200) {
    const value = request.read(parsed(answer.body));
    if (value === undefined) return ill('MALFORMED_RESPONSE');
    const etag = answer.header('etag');
    const isKept = etag !== undefined && etag.length <= MAX_ETAG;
    return { ending: well, asked: { kind: 'answered', value, atMs: nowMs }, etag: isKept ? etag : undefined };
  }
  const waitS = whole(answer.header('retry-after'));
  if (status === 429 || (status === 403 && (waitS !== null || remaining === 0))) {
    const untilMs = waitS === null ? (resetAtMs ?? nowMs + USUAL_WAIT_MS) : nowMs + waitS * 1_000;
    return { ending: { type: 'limited', untilMs }, asked: { kind: 'failed', code: 'THROTTLED' } };
  }
  if (status === 401 && request.kind !== 'part') {
    return { ending: { type: 'limited', untilMs: nowMs + HOUR_MS }, asked: { kind: 'failed', code: 'AUTH_FAILED' } };
  }
  // A page of something in between is not the venue's own word.
  const isAbsent = ABSENT.includes(status) && request.kind !== 'list';
  if (isAbsent && typeof parsed(answer.body) !== 'object') return ill('MALFORMED_RESPONSE');
  if (isAbsent) return { ending: well, asked: { kind: 'absent', atMs: nowMs } };
  return ill('HTTP_ERROR');
}

function ill(code: string): Judged<never> {
  return { ending: { type: 'ill', random: randomUnit() }, asked: { kind: 'failed', code } };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')); // attacker-controlled
  } catch {
    return undefined;
  }
}

function whole(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;
}

function seconds(text: string | undefined): number | null {
  const value = whole(text);
  return value === null ? null : value * 1_000;
}
