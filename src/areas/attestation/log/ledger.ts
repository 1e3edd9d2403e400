import type { z } from 'zod';
import { refuseFields } from '#kernel/general-problems.ts';
import { Answer, StreamResponse } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { LogHead, PublicLog, StoredEntry } from '#platform/log/public-log.ts';
import { IMMUTABLE, type ledger, type LedgerPage, NDJSON, type stream } from './log-operations.ts';
import * as problems from '../problems.ts';

export interface LogPagesOptions {
  readonly log: PublicLog;
}

type Page = z.output<typeof LedgerPage>;

const DEFAULT_LIMIT = 256;
const MAX_LIMIT = 1_024;
/** Entries that are read from the database at once: a whole log as it is copied, or a log as it is watched. */
const COPIED_AT_ONCE = 1_024;
const WATCHED_AT_ONCE = 64;
/** Lines that go out as one piece, so that what waits for a slow reader stays small. */
const LINES_PER_PIECE = 64;
/** How soon a reader that lost its stream should come back. */
const RETRY_LINE = 'retry: 1000\n\n';

/** The entries of the log as they are read from outside: by page, as a whole, and as they come. */
export class LogPages {
  readonly #options: LogPagesOptions;

  constructor(options: LogPagesOptions) {
    this.#options = options;
  }

  async read(
    input: z.output<typeof ledger.input>,
    mediaType: string,
  ): Promise<Page | Answer<Page> | StreamResponse | Refusal> {
    const { log } = this.#options;
    const isWhole = mediaType === NDJSON;
    if (!isWhole && (input.limit ?? 0) > MAX_LIMIT) {
      return refuseFields([
        { pointer: '#/limit', code: 'too_large', detail: `Must be at most ${MAX_LIMIT} per page.` },
      ]);
    }
    const head = await this.#headOf(input.tree_size);
    if (head instanceof Refusal) return head;
    const from = input.from_seq;
    if (from > head.size) return beyond(head.size);
    const to = Math.min(from + (input.limit ?? (isWhole ? head.size : DEFAULT_LIMIT)), head.size);
    const frame = this.#frame(from, to, head);
    if (isWhole) return new StreamResponse(() => this.#lines(frame));
    const { range_proof, ...rest } = frame;
    const page = { ...rest, entries: (await log.entries(from, to)).map(shownEntry), range_proof };
    return input.tree_size === undefined ? page : new Answer(200, page, IMMUTABLE);
  }

  async watch(input: z.output<typeof stream.input>): Promise<StreamResponse | Refusal> {
    const head = await this.#options.log.follow();
    const from = input.last_event_id === undefined ? input.from_seq : input.last_event_id + 1;
    return from > head.size ? beyond(head.size) : new StreamResponse((signal) => this.#events(from, signal));
  }

  /** The newest head, or the one that was signed at the pinned size. */
  async #headOf(pinned: number | undefined): Promise<LogHead | Refusal> {
    const { log } = this.#options;
    const newest = await log.follow();
    if (pinned === undefined) return newest;
    const head = pinned > newest.size ? undefined : await log.headOf(pinned);
    return head ?? new Refusal(problems.noCheckpoint, { detail: 'No checkpoint was signed at this size.' });
  }

  /** All of a page but its entries. */
  #frame(from: number, to: number, { size, checkpoint }: LogHead): Omit<Page, 'entries'> {
    const { left, right } = this.#options.log.pageProof(from, to, size);
    const proof = { left: left.map(base64), right: right.map(base64) };
    return { from_seq: from, next_seq: to, tree_size: size, checkpoint, range_proof: proof };
  }

  async *#lines(frame: Omit<Page, 'entries'>): AsyncGenerator<string> {
    for (let from = frame.from_seq; from < frame.next_seq; from += COPIED_AT_ONCE) {
      const entries = await this.#entries(from, Math.min(from + COPIED_AT_ONCE, frame.next_seq));
      for (let at = 0; at < entries.length; at += LINES_PER_PIECE) {
        const lines = entries.slice(at, at + LINES_PER_PIECE).map((entry) => JSON.stringify(shownEntry(entry)));
        yield `${lines.join('\n')}\n`;
      }
    }
    yield `${JSON.stringify(frame)}\n`;
  }

  async *#events(from: number, signal: AbortSignal): AsyncGenerator<string> {
    const { log } = this.#options;
    yield RETRY_LINE;
    for (let next = from; ; ) {
      const known = log.head();
      const head = known.size > next ? known : await log.growth.beyond(next, signal);
      if (head === undefined) return;
      const { size, checkpoint } = head;
      const entries = await this.#entries(next, Math.min(next + WATCHED_AT_ONCE, size));
      yield entries.map((entry) => eventText({ ...shownEntry(entry), tree_size: size, checkpoint })).join('');
      next += entries.length;
    }
  }

  /** Never fewer than asked for: what follows a gap would look like the whole. */
  async #entries(from: number, to: number): Promise<readonly StoredEntry[]> {
    const entries = await this.#options.log.entries(from, to);
    if (entries.length !== to - from) throw new Error(`the log has ${entries.length} entries from ${from} to ${to}`);
    return entries;
  }
}

function shownEntry({ seq, attestationId, type, leafHashHex, leaf }: StoredEntry): Page['entries'][number] {
  return {
    seq,
    attestation_id: attestationId,
    type: type as 'seal',
    leaf_hash: leafHashHex,
    entry: JSON.parse(leaf) as Record<string, unknown>,
    entry_b64: Buffer.from(leaf).toString('base64'),
  };
}

/** JSON has no raw line breaks, so that one data line holds it. */
function eventText(event: Page['entries'][number] & Pick<LogHead, 'checkpoint'> & { tree_size: number }): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

export function beyond(treeSize: number): Refusal {
  const members = { tree_size: treeSize };
  return new Refusal(problems.beyondTheLog, { detail: 'The log does not have that many entries yet.', members });
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
