import { setImmediate as nextTurn } from 'node:timers/promises';
import { onlyOne } from '#platform/storage/head.ts';
import type { Store } from '#platform/storage/store.ts';
import { SEALS_BETWEEN } from './sql.ts';

/** As many entries as are read in some milliseconds, in one turn of the event loop. */
const AT_ONCE = 1_000;

interface SealCounts {
  readonly seals: number;
  readonly rejects: number;
  /** Of texts and names by the usage rules. */
  readonly refusals: number;
  /** Seals since the moment given. */
  readonly today: number;
}

/** How many seals and rejections the log holds; entries never change, so each is counted once. */
export class SealCount {
  readonly #store: Pick<Store, 'read'>;
  #upTo = 0;
  #seals = 0;
  #rejects = 0;
  #refusals = 0;
  #day = { startMs: 0, seals: 0 };

  constructor(store: Pick<Store, 'read'>) {
    this.#store = store;
  }

  /** `today` are those since the moment given, which only moves forward. */
  async countUpTo(size: number, dayStartMs: number): Promise<SealCounts> {
    if (dayStartMs !== this.#day.startMs) this.#day = { startMs: dayStartMs, seals: 0 };
    while (this.#upTo < size) {
      const to = Math.min(size, this.#upTo + AT_ONCE);
      const counted = onlyOne(await this.#store.read(SEALS_BETWEEN, [this.#upTo, to, dayStartMs]));
      this.#seals += counted.seals;
      this.#rejects += counted.rejects;
      this.#refusals += counted.refusals;
      this.#day.seals += counted.recent;
      this.#upTo = to;
      await nextTurn();
    }
    return { seals: this.#seals, rejects: this.#rejects, refusals: this.#refusals, today: this.#day.seals };
  }
}
