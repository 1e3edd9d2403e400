import { type Clock, isoTime } from '#kernel/clock.ts';
import { type Call, StreamResponse } from '#kernel/operation.ts';
import type { Store } from '#platform/storage/store.ts';
import type { BoardAnswer } from './board-page.ts';
import { ANY_KEY, type EventFeed, type Follower } from '../watch/event-feed.ts';
import type { AroundKey } from '../look/around-key.ts';
import type { KeyFacts } from '../look/key-facts.ts';
import { lightOf } from '../look/light.ts';
import { EVENT_STREAM } from '../look/look-operations.ts';
import { type LooksOptions, shownHolders, shownMarks } from '../look/look-service.ts';
import * as sql from '../sql.ts';

export interface BoardOptions extends Pick<LooksOptions, 'headAndKey'> {
  /** Of these keys, as it is stored: a board asks no venue. */
  readonly aroundStored: (keys: readonly string[]) => Promise<AroundKey>;
  readonly store: Pick<Store, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly facts: KeyFacts;
  readonly feed: EventFeed;
}

type BoardRow = BoardAnswer['keys'][number];

const MAX_KEYS = 60;
/** While nothing happens, many who watch are shown the same. */
const RETENTION_MS = 1_000;
const NOBODY = { agent: '', proof: '' };
/** As of a look that says nothing but the key. */
const UNASKED = {
  agent: undefined,
  slots: 1,
  probe: null,
  rewardMicro: undefined,
  effortMicro: undefined,
  successPpm: undefined,
};
/** How soon a reader that lost its stream should come back. */
const RETRY_LINE = 'retry: 1000\n\n';

/** What is held and marked now, over all keys. */
export class BoardView {
  readonly #options: BoardOptions;
  #kept: { readonly board: BoardAnswer; readonly untilMs: number } | undefined;

  constructor(options: BoardOptions) {
    this.#options = options;
  }

  async show({ show }: Pick<BoardAnswer, 'show'>, call: Pick<Call, 'mediaType'>) {
    if (call.mediaType === EVENT_STREAM) return new StreamResponse((signal) => this.#changes(signal));
    const board = await this.#board();
    if (show === undefined || show === 'all') return board;
    const list = show === 'held' ? ('holders' as const) : ('marks' as const);
    return { ...board, keys: board.keys.filter((row) => row[list].length > 0), show };
  }

  async #board(): Promise<BoardAnswer> {
    const { store, clock, headAndKey, aroundStored } = this.#options;
    // The revision first: what is read after it is at least as new.
    const { rev, atMs } = await headAndKey('');
    const nowMs = Math.max(clock.now(), atMs);
    const kept = this.#kept;
    if (kept !== undefined && kept.board.rev === rev && nowMs < kept.untilMs) return kept.board;
    const [held, marked] = await Promise.all([
      store.read(sql.KEYS_HELD, [nowMs]),
      store.read(sql.KEYS_MARKED, [nowMs]),
    ]);
    const keys = [...new Set([...held, ...marked].map(({ key }) => key))];
    const first = keys.slice(0, MAX_KEYS);
    const aroundKey = await aroundStored(first);
    const shown = await Promise.all(first.map((key) => this.#row(key, nowMs, aroundKey)));
    const isCut = [held, marked].some((rows) => rows.length === sql.MAX_BOARD_ROWS);
    const board = {
      keys: shown.filter(({ holders, marks }) => holders.length + marks.length > 0),
      complete: keys.length <= MAX_KEYS && !isCut,
      rev,
      at: isoTime(nowMs),
    };
    this.#kept = { board, untilMs: nowMs + RETENTION_MS };
    return board;
  }

  async #row(key: string, nowMs: number, aroundKey: AroundKey): Promise<BoardRow> {
    const { headAndKey, facts } = this.#options;
    const { rev, sameSince } = await headAndKey(key);
    const [ofKey, { brief, ...around }] = await Promise.all([
      facts.of({ key, rev, sameSince, nowMs, caller: NOBODY }),
      aroundKey(key),
    ]);
    const { signal, reasons, others } = lightOf({ ...ofKey, ...around, ...UNASKED });
    return {
      source: 'agent',
      key,
      signal,
      reasons,
      brief,
      holding: others.holding,
      holders: shownHolders(ofKey.leases, nowMs),
      marks: shownMarks(ofKey.marks, nowMs),
    };
  }

  /** Says only that something changed and up to which revision: who reads it asks for the board again. */
  async *#changes(signal: AbortSignal): AsyncGenerator<string> {
    const { feed } = this.#options;
    let newest: number | undefined;
    let wake: () => void = () => {};
    const follower: Follower = {
      take({ rev }) {
        newest = rev;
        wake();
      },
    };
    signal.addEventListener('abort', () => wake(), { once: true });
    using open = new DisposableStack();
    open.defer(() => feed.leave(ANY_KEY, follower));
    await feed.follow(ANY_KEY, follower);
    yield RETRY_LINE;
    while (!signal.aborted) {
      if (newest === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (newest !== undefined && !signal.aborted) yield `id: ${newest}\nevent: change\ndata: {"rev":${newest}}\n\n`;
      newest = undefined;
    }
  }
}
