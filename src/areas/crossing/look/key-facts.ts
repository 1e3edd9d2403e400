import type { Store } from '#platform/storage/store.ts';
import { isPublicVenue } from '#protocol/work-key.ts';
import { freeAtMs } from '../lease/lease.ts';
import { weighedMarks } from '../mark/mark-score.ts';
import { type Caller, type KeyAt, type KeyReader, turnsMsOfKey } from './key-reads.ts';
import type { LightFacts } from './light.ts';
import type { RecentViewers } from './recent-viewers.ts';

export interface KeyFactsOptions {
  readonly store: Pick<Store, 'read'>;
  readonly rows: KeyReader;
  readonly lookers: RecentViewers;
  readonly venueHosts: ReadonlySet<string>;
}

export interface AskedKey extends KeyAt {
  readonly caller: Caller;
}

type FactsOfKey = Pick<LightFacts, 'nowMs' | 'isPublicVenue' | 'leases' | 'turnsMs' | 'lookers' | 'marks'>;

/** What this service itself knows of a key: a look, a page and the board judge by the same. */
export class KeyFacts {
  readonly #options: KeyFactsOptions;

  constructor(options: KeyFactsOptions) {
    this.#options = options;
  }

  async of(asked: AskedKey): Promise<FactsOfKey> {
    const { key, nowMs, caller } = asked;
    const { store, rows, lookers, venueHosts } = this.#options;
    const [{ leases, marks }, names] = await Promise.all([rows.rowsOf(asked), lookers.of(key, nowMs)]);
    // Only a free key can be somebody's by turns.
    const isFree = leases.every((lease) => freeAtMs(lease) <= nowMs);
    return {
      nowMs,
      isPublicVenue: isPublicVenue(key, venueHosts),
      leases,
      turnsMs: isFree ? await turnsMsOfKey(store, { key, leases, caller, nowMs }) : 0,
      lookers: names,
      marks: weighedMarks(marks, nowMs),
    };
  }
}
