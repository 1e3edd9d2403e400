import type { Clock } from '#kernel/clock.ts';
import type { Store } from '#platform/storage/store.ts';
import type { EventFeed, Follower, KeyEvent } from '../watch/event-feed.ts';
import { leasesOfKey } from '../look/key-reads.ts';
import { freeAtMs, type Lease } from './lease.ts';

const CHECK_EVERY_MS = 200;
/** Of one command, as for the sweep: each key may have many leases. */
const KEYS_AT_ONCE = 32;

interface WatchedKey extends Follower {
  watchers: number;
  /** When each lease of the key leaves if nobody refreshes it, by its fence. */
  freeAt: Map<number, number>;
}

export interface ExpiryWatchDeps {
  readonly store: Pick<Store, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly feed: EventFeed;
  /** Ends the leases of these keys that are past their time. */
  readonly expire: (keys: readonly string[]) => Promise<void>;
}

/** Ends the leases of watched keys at their time, so that who watches is told; other keys wait for the sweep. */
export class ExpiryWatch {
  readonly #store: Pick<Store, 'read'>;
  readonly #expire: ExpiryWatchDeps['expire'];
  readonly #clock: Pick<Clock, 'now'>;
  readonly #feed: EventFeed;
  readonly #keys = new Map<string, WatchedKey>();
  #timer: NodeJS.Timeout | undefined;
  #isEnding = false;

  constructor(parts: ExpiryWatchDeps) {
    this.#store = parts.store;
    this.#expire = parts.expire;
    this.#clock = parts.clock;
    this.#feed = parts.feed;
  }

  async begin(key: string): Promise<void> {
    const known = this.#keys.get(key);
    if (known !== undefined) {
      known.watchers += 1;
      return;
    }
    const watched: WatchedKey = { watchers: 1, freeAt: new Map(), take: (event) => note(watched.freeAt, event) };
    this.#keys.set(key, watched);
    this.#timer ??= setInterval(() => void this.#endDue(), CHECK_EVERY_MS).unref();
    await this.#feed.follow(key, watched);
    await this.#load(key, watched);
  }

  end(key: string): void {
    const watched = this.#keys.get(key);
    if (watched === undefined) return;
    watched.watchers -= 1;
    if (watched.watchers > 0) return;
    this.#keys.delete(key);
    this.#feed.leave(key, watched);
    if (this.#keys.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #load(key: string, watched: WatchedKey): Promise<void> {
    const leases = await leasesOfKey(this.#store, key);
    watched.freeAt = new Map(leases.map((lease) => [lease.fence, freeAtMs(lease)]));
  }

  async #endDue(): Promise<void> {
    const nowMs = this.#clock.now();
    const due = [...this.#keys].filter(([, { freeAt }]) => freeAt.values().some((atMs) => atMs <= nowMs));
    if (due.length === 0 || this.#isEnding) return;
    this.#isEnding = true;
    try {
      const keys = due.map(([key]) => key);
      for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
        await this.#expire(keys.slice(from, from + KEYS_AT_ONCE));
      }
      // What the store still has, by its own clock, is tried again; what it no longer has is not.
      await Promise.all(due.map(([key, watched]) => this.#load(key, watched)));
    } catch {
      // A store that is out of reach is asked again.
    } finally {
      this.#isEnding = false;
    }
  }
}

function note(freeAt: Map<number, number>, { type, body }: KeyEvent): void {
  const { fence, mode, expires_at } = JSON.parse(body) as Pick<Lease, 'fence' | 'mode'> & { expires_at: number };
  if (type === 'claim' || type === 'refresh') freeAt.set(fence, freeAtMs({ mode, expiresAtMs: expires_at }));
  if (type === 'release' || type === 'expire') freeAt.delete(fence);
}
