import { refuseFields } from '#kernel/general-problems.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { type Call, StreamResponse } from '#kernel/operation.ts';
import { ProblemError, Refusal } from '#kernel/problem.ts';
import type { EventFeed, EventSource, Follower, KeyEvent } from './event-feed.ts';
import type { ExpiryWatch } from '../lease/expiry-watch.ts';
import { shownKey } from '../fields.ts';
import { EVENT_STREAM, type KeyEventsAnswer, type WatchInput } from '../look/look-operations.ts';
import * as problems from '../problems.ts';

export interface WatchesOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly events: EventSource;
  readonly feed: EventFeed;
  readonly expiry: ExpiryWatch;
}

const MAX_PER_ADDRESS = 10;
const READ_AT_ONCE = 256;
/** Events that wait for a slow reader; after more of them it reads on from the store. */
const MAX_WAITING = 1_000;
const RETRY_AFTER_SECONDS = 5;
/** How soon a reader that lost its stream should come back. */
const RETRY_LINE = 'retry: 1000\n\n';

/** What happens to keys, told as it happens or after a wait. */
export class EventSubscriptions {
  readonly #options: WatchesOptions;
  readonly #perAddress = new Map<string, number>();
  readonly #stopped = new AbortController();

  constructor(options: WatchesOptions) {
    this.#options = options;
  }

  /** Ends every wait, so that a stop of the service need not wait for them. */
  stop(): void {
    this.#stopped.abort();
  }

  async watch(input: WatchInput, call: Call): Promise<KeyEventsAnswer | StreamResponse | Refusal> {
    const { events } = this.#options;
    const { rev: newest } = await events.head();
    const cursor = input.last_event_id ?? input.after ?? newest;
    if (cursor > newest) {
      const pointer = input.last_event_id === undefined ? '#/after' : '#/last_event_id';
      return refuseFields([
        { pointer, code: 'beyond_newest', detail: `Must be at most the newest revision, ${newest}.` },
      ]);
    }
    const oldest = (await events.oldestRev()) ?? newest + 1;
    if (cursor < oldest - 1) {
      const detail = 'Events after this revision are no longer kept. Check the work key again.';
      return new Refusal(problems.revisionCompacted, { detail, members: { oldest_rev: oldest } });
    }
    const { key } = input.key;
    if (call.mediaType === EVENT_STREAM) {
      return new StreamResponse((signal) => this.#pieces(key, cursor, { signal, tag: call.addressTag }));
    }
    return this.#poll(input, { cursor, newest, tag: call.addressTag });
  }

  async #poll(
    input: WatchInput,
    { cursor, newest, tag }: { cursor: number; newest: number; tag: string },
  ): Promise<KeyEventsAnswer> {
    const { clock } = this.#options;
    const found = await this.#next(input.key.key, cursor, { waitMs: input.wait * 1_000, tag });
    const last = found.at(-1)?.rev ?? 0;
    return {
      ...shownKey(input.key),
      events: found.map(shownEvent),
      // A full page may have more behind it; otherwise nothing of this key lies between its end and what was newest.
      rev: found.length === READ_AT_ONCE ? last : Math.max(newest, last),
      at: isoTime(clock.now()),
    };
  }

  /** The events after the cursor; where there are none, those that come first within the wait. */
  async #next(key: string, cursor: number, wait: { waitMs: number; tag: string }): Promise<readonly KeyEvent[]> {
    const { events } = this.#options;
    const there = await events.ofKey(key, cursor, READ_AT_ONCE);
    if (there.length > 0 || wait.waitMs === 0) return there;
    const signal = AbortSignal.any([AbortSignal.timeout(wait.waitMs), this.#stopped.signal]);
    for await (const come of this.#follow(key, cursor, { signal, tag: wait.tag })) if (come.length > 0) return come;
    return [];
  }

  async *#pieces(key: string, cursor: number, reader: Reader): AsyncGenerator<string> {
    for await (const events of this.#follow(key, cursor, reader)) {
      yield events.length === 0 ? RETRY_LINE : events.map(eventText).join('');
    }
  }

  /**
   * All events after the cursor, in their order, each once, until the signal is aborted; first of all an empty list, when
   * nothing can be missed any more.
   */
  async *#follow(key: string, from: number, { signal, tag }: Reader): AsyncGenerator<readonly KeyEvent[]> {
    const { events, feed, expiry } = this.#options;
    using open = new DisposableStack();
    this.#enter(tag);
    open.defer(() => this.#leave(tag));
    const inbox = new Inbox(signal);
    open.defer(() => feed.leave(key, inbox));
    await feed.follow(key, inbox);
    open.defer(() => expiry.end(key));
    await expiry.begin(key);
    yield [];
    for (let cursor = from; ; ) {
      // The store first: what was committed before the feed began, or went past a full inbox, is there.
      for (let isWhole = false; !isWhole; ) {
        const page = await events.ofKey(key, cursor, READ_AT_ONCE);
        cursor = page.at(-1)?.rev ?? cursor;
        isWhole = page.length < READ_AT_ONCE;
        if (page.length > 0) yield page;
      }
      for (;;) {
        const taken = await inbox.taken();
        if (taken === undefined) return;
        if (inbox.takeOverflow()) break;
        const seen = cursor;
        const fresh = taken.filter(({ rev }) => rev > seen);
        cursor = fresh.at(-1)?.rev ?? cursor;
        if (fresh.length > 0) yield fresh;
      }
    }
  }

  #enter(tag: string): void {
    const open = this.#perAddress.get(tag) ?? 0;
    if (open >= MAX_PER_ADDRESS) {
      const detail = `This address already has ${MAX_PER_ADDRESS} watches open. Close one first.`;
      throw new ProblemError(problems.tooManyStreams, { detail, retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.#perAddress.set(tag, open + 1);
  }

  #leave(tag: string): void {
    const left = (this.#perAddress.get(tag) ?? 1) - 1;
    if (left > 0) this.#perAddress.set(tag, left);
    else this.#perAddress.delete(tag);
  }
}

interface Reader {
  readonly signal: AbortSignal;
  readonly tag: string;
}

/** Events that one reader has not taken yet. */
class Inbox implements Follower {
  readonly #signal: AbortSignal;
  #events: KeyEvent[] = [];
  #hasOverflown = false;
  #wake: () => void = () => {};

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  take(event: KeyEvent): void {
    if (this.#events.length < MAX_WAITING) this.#events.push(event);
    else {
      this.#events = [];
      this.#hasOverflown = true;
    }
    this.#wake();
  }

  /** Whether events were dropped since the last time this was asked. */
  takeOverflow(): boolean {
    const has = this.#hasOverflown;
    this.#hasOverflown = false;
    return has;
  }

  /** What is there, or comes next, nothing after events were dropped; undefined once the signal is aborted. */
  async taken(): Promise<readonly KeyEvent[] | undefined> {
    if (this.#events.length === 0 && !this.#hasOverflown && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#signal.aborted) return undefined;
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

/** What others may see of a stored event: the id of its command is ours. */
function shownEvent({ rev, key, type, atMs, body }: KeyEvent): KeyEventsAnswer['events'][number] {
  const { id: _id, expires_at, ...rest } = JSON.parse(body) as { id?: string; expires_at?: number };
  return {
    type: type as 'claim',
    key,
    source: 'agent',
    ...rest,
    ...(expires_at !== undefined && { expires_at: isoTime(expires_at) }),
    rev,
    at: isoTime(atMs),
  };
}

const texts = new WeakMap<KeyEvent, string>();

/** JSON has no raw line breaks, so that one data line holds it. Written once for all who watch. */
function eventText(event: KeyEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = `id: ${event.rev}\nevent: ${event.type}\ndata: ${JSON.stringify(shownEvent(event))}\n\n`;
  texts.set(event, text);
  return text;
}
