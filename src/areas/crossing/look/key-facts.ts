import type { Store } from '#platform/storage/store.ts';
import { isPublicVenue } from '#protocol/work-key.ts';
import { freeAtMs } from '../lease/lease.ts';
import { weighedMarks } from '../mark/mark-score.ts';
import { type Caller, type KeyReader, turnsMsOfKey } from './key-reads.ts';
import type { LightFacts } from './light.ts';
import type { RecentViewers } from './recent-viewers.ts';

export interface KeyFactsOptions {
  readonly store: Pick<Store, 'read'>;
  readonly rows: KeyReader;
  readonly lookers: RecentViewers;
  readonly venueHosts: ReadonlySet<string>;
}

export interface AskedKey {
  readonly key: string;
  /** The newest event of the key, read before this. */
  readonly keyRev: number;
  readonly nowMs: number;
  readonly caller: Caller;
}

type FactsOfKey = Pick<LightFacts, 'nowMs' | 'isPublicVenue' | 'leases' | 'turnsMs' | 'lookers' | 'marks'>;

/** What this service itself knows of a key: a look, a page and the board judge by the same. */
export class KeyFacts {
  readonly #options: KeyFactsOptions;

  constructor(options: KeyFactsOptions) {
    this.#options = options;
  }

  async of({ key, keyRev, nowMs, caller }: AskedKey): Promise<FactsOfKey> {
    const { store, rows, lookers, venueHosts } = this.#options;
    const [{ leases, marks }, names] = await Promise.all([rows.rowsOf(key, keyRev, nowMs), lookers.of(key, nowMs)]);
    // Only a key that was held, and is free, can be somebody's by turns.
    const hasLine = keyRev > 0 && leases.every((lease) => freeAtMs(lease) <= nowMs);
    return {
      nowMs,
      isPublicVenue: isPublicVenue(key, venueHosts),
      leases,
      turnsMs: hasLine ? await turnsMsOfKey(store, { key, leases, caller, nowMs }) : 0,
      lookers: names,
      marks: weighedMarks(marks, nowMs),
    };
  }
}
