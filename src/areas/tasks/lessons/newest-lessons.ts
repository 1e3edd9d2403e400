import type { Store } from '#platform/storage/store.ts';
import { LESSONS_SINCE } from './sql.ts';

export interface ToldLesson {
  readonly id: string;
  readonly text: string;
  readonly atMs: number;
}

/** Of two processes the one that commits later may have the earlier clock. */
const OVERLAP_MS = 60_000;

/** Hands out each lesson once, oldest first; of those before the first call the newest `most`. */
export class NewestLessons {
  readonly #store: Pick<Store, 'read'>;
  readonly #most: number;
  /** Those that the next read may give again. */
  #seen = new Map<string, number>();
  #newestMs = 0;

  constructor(store: Pick<Store, 'read'>, most: number) {
    this.#store = store;
    this.#most = most;
  }

  async read(): Promise<ToldLesson[]> {
    const since = await this.#store.read(LESSONS_SINCE, [this.#newestMs - OVERLAP_MS, this.#most]);
    const told = since.toReversed().map(({ id, atMs, body }) => ({ id, text: body.text, atMs }));
    const fresh = told.filter(({ id }) => !this.#seen.has(id));
    this.#newestMs = Math.max(this.#newestMs, ...told.map(({ atMs }) => atMs));
    const known = [...this.#seen, ...fresh.map(({ id, atMs }) => [id, atMs] as const)];
    this.#seen = new Map(known.filter(([, atMs]) => atMs >= this.#newestMs - OVERLAP_MS));
    return fresh;
  }
}
