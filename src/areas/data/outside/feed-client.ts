import { setTimeout as delay } from 'node:timers/promises';
import { randomUnit } from '#kernel/ids.ts';
import type { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import { type OutboundAnswer, OutboundError } from '#platform/outbound/exchange.ts';
import { type FeedRequest, type HostName, type PageReader, SourceError, Unchanged } from '../sources/source.ts';
import { Unpacking } from './unpacking.ts';

/** How patiently hosts are asked. */
export interface Pace {
  readonly attempts: number;
  /** Doubled with every failure, up to the cap; half of it is drawn. */
  readonly backoffMs: { readonly base: number; readonly cap: number };
  /** Least time between two requests. */
  readonly everyMs: number;
  readonly pageMs: number;
  readonly fileMs: number;
}

export const USUAL_PACE: Pace = {
  attempts: 8,
  backoffMs: { base: 500, cap: 30_000 },
  everyMs: 200,
  pageMs: 30_000,
  fileMs: 300_000,
};

export interface FeedClientOptions {
  readonly hosts: Readonly<Record<HostName, Pick<ConfiguredHost, 'stream'>>>;
  readonly pace: Pace;
}

export interface AskOptions {
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  /** Of the snapshot in use. */
  readonly validators: string | null;
  readonly onBytes: (piece: Uint8Array) => void;
}

export interface FeedAnswer<T> {
  readonly value: T;
  readonly validators: string | null;
}

/** Longer waits than this are left to a later run. */
const MAX_WAIT_MS = 30_000;
const MAX_VALIDATOR = 200;

/** The one way to a source: conditional requests, bounded and unpacked bodies, waits and another try after a failure. */
export class FeedClient {
  readonly #options: FeedClientOptions;

  constructor(options: FeedClientOptions) {
    this.#options = options;
  }

  async ask<T>(request: FeedRequest, reader: () => PageReader<T>, options: AskOptions): Promise<FeedAnswer<T>> {
    const { attempts, backoffMs, everyMs } = this.#options.pace;
    for (let attempt = 1; ; attempt += 1) {
      if (options.signal.aborted) throw new SourceError('STOPPED', 'the run was stopped');
      try {
        const answer = await this.#once(request, reader(), options);
        await pause(everyMs, options.signal);
        return answer;
      } catch (error) {
        const fault = toError(error, options.signal);
        const isLast = attempt === attempts || !(fault instanceof Passing) || fault.waitMs > MAX_WAIT_MS;
        if (isLast) throw fault instanceof Passing ? new SourceError(fault.code, fault.message, fault.waitMs) : fault;
        const drawnMs = Math.min(backoffMs.cap, backoffMs.base * 2 ** (attempt - 1)) * (0.5 + randomUnit() / 2);
        // A host that says how long to wait knows it better; a simulator's seconds are not sat out.
        await pause(Math.min(Math.max(drawnMs, fault.waitMs), backoffMs.cap), options.signal);
      }
    }
  }

  async #once<T>(request: FeedRequest, reader: PageReader<T>, options: AskOptions): Promise<FeedAnswer<T>> {
    const { hosts, pace } = this.#options;
    const { host, path, query, body, accept, isConditional } = request;
    const { signal, maxBytes, validators, onBytes } = options;
    const unpacking = new Unpacking(reader, maxBytes);
    const limit = AbortSignal.timeout(isConditional ? pace.fileMs : pace.pageMs);
    // What the reader says of the bytes is more than that the exchange ended.
    let refused: unknown;
    const sink = async (piece: Buffer) => {
      onBytes(piece);
      await unpacking.write(piece).catch((fault: unknown) => {
        refused = fault;
        throw fault;
      });
    };
    const asked = {
      ...({ path, method: body === undefined ? 'GET' : 'POST', signal: AbortSignal.any([signal, limit]) } as const),
      ...(query !== undefined && { query }),
      ...(body !== undefined && { body }),
      headers: {
        accept: accept ?? '*/*',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(isConditional && validators !== null && conditions(validators)),
      },
    };
    const answer = await hosts[host].stream(asked, { maxBytes, sink }).catch((fault: unknown) => {
      throw refused ?? fault;
    });
    checkStatus(answer);
    return { value: await unpacking.end(), validators: validatorsOf(answer) };
  }
}

/** Sits out the time, or less where the run is stopped. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { signal }).catch(() => undefined);
}

/** A fault that another try may not meet. */
class Passing extends SourceError {}

function checkStatus({ status, header }: Omit<OutboundAnswer, 'body'>): void {
  if (status === 200) return;
  if (status === 304) throw new Unchanged();
  const detail = `status ${status}`;
  if (status === 429) throw new Passing('THROTTLED', detail, waitMs(header('retry-after')));
  if (status >= 500) throw new Passing('HTTP_ERROR', detail, waitMs(header('retry-after')));
  throw new SourceError('HTTP_ERROR', detail);
}

function waitMs(retryAfter: string | undefined): number {
  return retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : 0;
}

function toError(error: unknown, signal: AbortSignal): unknown {
  if (!(error instanceof OutboundError)) return error;
  if (signal.aborted) return new SourceError('STOPPED', 'the run was stopped');
  if (error.reason === 'too_large') return new SourceError('TOO_LARGE', 'the response is too long');
  if (error.reason === 'redirect') return new SourceError('REDIRECT', 'the source has moved');
  return new Passing(error.reason === 'stopped' ? 'TIMEOUT' : 'NETWORK', error.message);
}

function validatorsOf({ header }: Omit<OutboundAnswer, 'body'>): string | null {
  const [etag, modified] = [header('etag'), header('last-modified')].map((text) =>
    text !== undefined && text.length <= MAX_VALIDATOR ? text : undefined,
  );
  return etag === undefined && modified === undefined ? null : JSON.stringify({ etag, modified });
}

function conditions(validators: string): Record<string, string> {
  const { etag, modified } = JSON.parse(validators) as { etag?: string; modified?: string };
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(modified !== undefined && { 'if-modified-since': modified }),
  };
}
