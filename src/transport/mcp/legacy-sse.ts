import { newToken } from '#kernel/ids.ts';
import { StreamResponse } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import * as general from '#kernel/general-problems.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Streams } from '../http/streams.ts';

const EVENTS = 'text/event-stream';
const MAX_SESSIONS = 200;
const FULL_SECONDS = 30;
const IDLE_MS = 1_800_000;
/** Answers that may wait for a reader. */
const MAX_WAITING = 64;
/** 18 random bytes: whoever has the id can read the answers of nobody else, but could ask in the session. */
const ID_CHARS = 24;

/** The HTTP+SSE transport of 2024-11-05: answers to posted messages come down the stream of their session. */
export class LegacySse {
  readonly #sessions = new Map<string, Session>();

  find(id: string | null): Session | undefined {
    return this.#sessions.get(id ?? '');
  }

  async open(exchange: Exchange, streams: Streams): Promise<void> {
    exchange.operationId = 'mcp:sse';
    if (this.#sessions.size >= MAX_SESSIONS) {
      const detail = `This process already has ${MAX_SESSIONS} streams open. Try again later.`;
      return exchange.refuse(new Refusal(general.streamsFull, { detail, retryAfterSeconds: FULL_SECONDS }));
    }
    const id = newToken().slice(0, ID_CHARS);
    const session = new Session();
    this.#sessions.set(id, session);
    exchange.endConnection();
    try {
      const streamed = new StreamResponse((signal) => pieces(id, session, signal));
      const explain = () => new Refusal(general.internal, { detail: 'The stream failed. Open it again.' });
      await streams.send(exchange, { streamed, mediaType: EVENTS, lasts: 'endless', explain });
    } finally {
      this.#sessions.delete(id);
    }
  }
}

async function* pieces(id: string, session: Session, signal: AbortSignal): AsyncGenerator<string> {
  yield `event: endpoint\ndata: /mcp/messages?sessionId=${id}\n\n`;
  for (;;) {
    const text = await session.next(signal);
    if (text === undefined) return;
    yield `event: message\ndata: ${text}\n\n`;
  }
}

/** The answers that wait for the reader of one stream. */
class Session {
  readonly #waiting: string[] = [];
  #wake: (() => void) | undefined;
  #isOver = false;

  push(text: string): void {
    if (this.#waiting.length >= MAX_WAITING) this.#isOver = true;
    else this.#waiting.push(text);
    this.#wake?.();
  }

  /** Undefined once the stream is to end: its reader left, said nothing for long, or does not read. */
  async next(signal: AbortSignal): Promise<string | undefined> {
    if (this.#waiting.length === 0 && !this.#isOver && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
      const idle = setTimeout(resolve, IDLE_MS).unref();
      await promise;
      clearTimeout(idle);
    }
    return this.#isOver || signal.aborted ? undefined : this.#waiting.shift();
  }
}
