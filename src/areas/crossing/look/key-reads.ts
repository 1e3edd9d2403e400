import { NewestMap } from '#kernel/newest-map.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Store } from '#platform/storage/store.ts';
import { freeAtMs, type Lease } from '../lease/lease.ts';
import { SCORED_KINDS } from './light.ts';
import { settled, waitForTurnsMs } from '../lease/queue.ts';
import type { SpeakingMark } from '../mark/mark-score.ts';
import * as sql from '../sql.ts';
import { queuesOf } from '../unit.ts';

/** The rows of a key in the order of their grants, those past their expiry included. */
export async function leasesOfKey(store: Pick<Store, 'read'>, key: string): Promise<Lease[]> {
  const leases = await store.read(sql.LEASES_OF_KEY, [key]);
  return leases.toSorted((a, b) => a.fence - b.fence);
}

/** The marks that a light can depend on. Nobody makes a look slow, or hides a proven mark, by leaving many others. */
async function marksOfKey(store: Pick<Store, 'read'>, key: string, nowMs: number): Promise<readonly SpeakingMark[]> {
  const newest = await store.read(sql.SELECT_LATEST_MARKS, [key, nowMs]);
  if (newest.length < sql.MAX_MARKS) return newest;
  const others = await Promise.all([
    store.read(sql.SELECT_LATEST_SCORED_MARKS, [key, nowMs]),
    ...SCORED_KINDS.map((kind) => store.read(sql.PROVEN_MARKS, [key, nowMs, kind])),
  ]);
  const bySeq = new Map([...newest, ...others.flat()].map((mark) => [mark.seq, mark]));
  return [...bySeq.values()];
}

/** How long others in the line have a key, which nobody holds, for themselves; tickets make no event. */
export async function turnsMsOfKey(
  store: Pick<Store, 'read'>,
  { key, leases, caller, nowMs }: { key: string; leases: readonly Lease[]; caller: Caller; nowMs: number },
): Promise<number> {
  const queue = queuesOf(await store.read(sql.TICKETS_OF_KEY, [key])).get(key);
  if (queue === undefined) return 0;
  const freeSinceMs = Math.max(queue.freeAtMs ?? 0, ...leases.map(freeAtMs));
  return waitForTurnsMs(settled(queue, freeSinceMs, nowMs), caller, nowMs);
}

/** For whom the line is read: nobody waits for its own turn. */
export interface Caller {
  readonly agent: string;
  readonly proof: string;
}

/** What stands on a key. */
export interface KeyRows {
  readonly leases: readonly Lease[];
  readonly marks: readonly SpeakingMark[];
}

/** A key as of the newest revision, which is read before its rows: so these are at least as new. */
export interface KeyAt {
  readonly key: string;
  readonly rev: number;
  /** No event of the key is newer. */
  readonly sameSince: number;
  readonly nowMs: number;
}

interface Kept extends KeyRows {
  /** The newest revision before they were read. */
  readonly rev: number;
  readonly readAtMs: number;
}

const MAX_KEPT = 4_096;
/** Only an erasure changes rows without an event. */
const RETENTION_MS = 1_000;

/** Reads the rows of keys, anew only after something has happened to them: many look at few keys. */
export class KeyReader {
  readonly #store: Pick<Store, 'read'>;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #kept = new NewestMap<string, Kept>(MAX_KEPT);

  constructor(store: Pick<Store, 'read'>, clock: Pick<Clock, 'monotonicMs'>) {
    this.#store = store;
    this.#clock = clock;
  }

  async rowsOf(asked: KeyAt): Promise<KeyRows> {
    const kept = this.#kept.get(asked.key);
    if (kept === undefined || kept.rev < asked.sameSince) return this.#read(asked);
    return this.#clock.monotonicMs() - kept.readAtMs < RETENTION_MS ? kept : this.#read(asked);
  }

  async #read({ key, rev, nowMs }: KeyAt): Promise<KeyRows> {
    const readAtMs = this.#clock.monotonicMs();
    const [leases, marks] = await Promise.all([leasesOfKey(this.#store, key), marksOfKey(this.#store, key, nowMs)]);
    const rows = { rev, readAtMs, leases, marks };
    this.#kept.set(key, rows);
    return rows;
  }
}
